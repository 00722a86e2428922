package outbox

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// retired are the sessions that retention has taken from this node, and that Core keeps for it: they come back when somebody asks for them, and not by
// themselves. A file has them, in lines of an id and the cursor of the newest event; a line of an id alone takes that back. The newest line of an id counts.
type retired struct {
	root  string
	files disk.FS
	log   *zap.Logger

	mu    sync.Mutex
	at    map[string]protocol.Cursor
	going map[string]bool // their folders are being removed
	lines int             // of the file
	torn  bool            // the file is to be written anew before anything is added
	few   int             // lines that count for nothing may be in it
}

const (
	retiredFile  = "retired"
	freshRetired = "retired.new"
	fewLines     = 1000
)

func readRetired(root string, files disk.FS, log *zap.Logger) *retired {
	r := &retired{root: root, files: files, log: log, at: map[string]protocol.Cursor{}, going: map[string]bool{}, few: fewLines}
	f, err := files.Open(filepath.Join(root, retiredFile))
	if errors.Is(err, fs.ErrNotExist) {
		r.torn = true // there is none to add to
		return r
	}
	if err == nil {
		defer f.Close() // opened for reading: nothing to lose
		in, line := bufio.NewReader(f), ""
		for err == nil {
			if line, err = in.ReadString('\n'); err == nil {
				r.read(line[:len(line)-1])
			}
		}
		if errors.Is(err, io.EOF) { // what the last line lacks may be a part of a number
			r.torn, err = r.torn || line != "", nil
		}
	}
	if err != nil {
		r.torn = true
		log.Error("which sessions retention has left to Core cannot be read: they come back", zap.Error(err))
	}
	return r
}

// read takes a line. What makes no sense is the torn end of a file, or of what somebody has written over.
func (r *retired) read(line string) {
	id, text, has := strings.Cut(line, " ")
	c, err := protocol.ParseCursor(text)
	r.lines++
	switch {
	case !protocol.ValidSessionID(id) || has && err != nil:
		r.torn = true
	case has:
		r.at[id] = c
	default:
		delete(r.at, id)
	}
}

// put notes a session, with the cursor of its newest event.
func (r *retired) put(id string, c protocol.Cursor) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, ok := r.at[id]; ok && at == c {
		return nil
	}
	r.at[id] = c
	return r.write(id + " " + c.String() + "\n")
}

// drop forgets one.
func (r *retired) drop(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.at[id]; !ok {
		return nil
	}
	delete(r.at, id)
	return r.write(id + "\n")
}

// is says that a session is among them, and is in Core as it was. Core knows nothing of an epoch in which nothing was said.
func (r *retired) is(id string, c protocol.Cursor) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[id]
	return ok && at.Seq == c.Seq && c.Epoch <= at.Epoch
}

func (r *retired) goes(id string, going bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if going {
		r.going[id] = true
	} else {
		delete(r.going, id)
	}
}

func (r *retired) isGoing(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.going[id]
}

// keep forgets all but some.
func (r *retired) keep(is func(id string) bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.at, func(id string, _ protocol.Cursor) bool { return !is(id) })
	if r.lines <= len(r.at)+r.few {
		return nil
	}
	return r.rewrite()
}

// write adds a line that survives a loss of power. With mu held, as what follows.
func (r *retired) write(line string) error {
	if r.torn {
		return r.rewrite()
	}
	r.torn = true // until it is known to be whole
	f, err := r.files.Append(filepath.Join(r.root, retiredFile))
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(line))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		r.torn = false
		r.lines++
	}
	return err
}

// rewrite puts a file with what counts in the place of the one that is there.
func (r *retired) rewrite() error {
	r.torn = true // until it is there
	fresh := filepath.Join(r.root, freshRetired)
	if err := r.files.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) { // an earlier try did not come to its end
		return err
	}
	f, err := r.files.Create(fresh)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	for _, id := range slices.Sorted(maps.Keys(r.at)) {
		_, _ = out.WriteString(id + " " + r.at[id].String() + "\n") // Flush has the error
	}
	if err = out.Flush(); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = r.files.Rename(fresh, filepath.Join(r.root, retiredFile))
	}
	if err == nil {
		err = r.files.SyncDir(r.root)
	}
	if err == nil {
		r.torn, r.lines = false, len(r.at)
	}
	return err
}

// Retiring says that retention is about to take a session from this node: Core keeps it, and it does not come back unasked. It waits for the disk.
func (o *Outbox) Retiring(id string) {
	if o == nil || o.sessions.Load() == nil || o.running().Logs() == nil {
		return
	}
	o.retired.goes(id, true)
	log, err := o.running().Logs().Look(id)
	if err == nil {
		_, newest := log.Bounds()
		err = o.retired.put(id, protocol.Cursor{Epoch: log.Epoch(), Seq: newest})
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // it is removed all the same: retention must work on a full disk
		o.cfg.Log.Warn("a session that retention removes comes back out of Core at the next start", zap.String("session", id), zap.Error(err))
	}
}

// Retired says that nothing is left here of a session that retention has removed.
func (o *Outbox) Retired(id string) {
	if o == nil {
		return
	}
	o.retired.goes(id, false)
	if left := o.left.Load(); left != nil {
		(*left)(id)
	}
}

// OnRetired has do called for each session of which nothing is left here since retention has removed it. It must not wait.
func (o *Outbox) OnRetired(do func(id string)) { o.left.Store(&do) }

// MayReturn says of a session that retention has taken, and that Core has as it was, that it may come back: its folder is gone.
func (o *Outbox) MayReturn(id string, newest protocol.Cursor) bool {
	return o.retired.is(id, newest) && !o.retired.isGoing(id)
}

// IsRetired says that retention has taken a session from this node, which Core has as it was then, up to a cursor.
func (o *Outbox) IsRetired(id string, newest protocol.Cursor) bool { return o.retired.is(id, newest) }

// Returned says that a session is on this node.
func (o *Outbox) Returned(id string) {
	if err := o.retired.drop(id); err != nil { // then it counts for nothing for as long as it is here
		o.cfg.Log.Warn("forget that retention had taken a session that has come back", zap.String("session", id), zap.Error(err))
	}
}

// KeepRetired forgets those of the sessions that retention has taken which Core does not have for this node any more.
func (o *Outbox) KeepRetired(is func(id string) bool) {
	if err := o.retired.keep(is); err != nil {
		o.cfg.Log.Warn("write anew which sessions retention has left to Core", zap.Error(err))
	}
}
