package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"

	"go.uber.org/zap"
)

// Resting is the file resting of the data folder: a copy of session.json for each session whose log was closed in order and not written to since, so that
// a start reads one file in place of their folders. It is a hint. A copy counts while session.json and the newest lines of the log are the very versions
// that there were, which Holds asks the folder after the start; the file counts while no daemon has had the folder that does not know it, and where no loss of
// power may have taken back what a daemon did. Everything else is read as if there were no such file.
//
// Its lines have checksums and nothing to do with each other: of several copies of one session the last counts. The file is written anew when most of it
// is old.
type Resting struct {
	cfg    RestingConfig
	killed bool // the daemon before this one did not end in order

	mu   sync.Mutex
	out  disk.Writer   // nil: nothing is kept any more
	size int64         // bytes of the file
	base int64         // of them, that are copies which count, when that was last looked at
	took time.Duration // the last time that a copy was taken out
	due  *time.Timer   // when the next one is; nil: none is to be
}

// RestingConfig says where the file is, and who has had the folder.
type RestingConfig struct {
	Dir  string                 // the data folder
	Path func(id string) string // of a session.json
	// Lines names the file beside it that has the log's newest lines.
	Lines func(id string) (name string, err error)
	Files disk.FS
	Log   *zap.Logger
	Boot  string // of the machine; empty: not known
	// Was and Lock are the stamps of the folder's lock as it was found, and as this daemon has written it. Every daemon writes it, of whatever build: who
	// finds another one than the file tells of does not believe the file.
	Was, Lock disk.Stamp
	Slack     int64 // bytes that may be added at least before the file is written anew; default 16 MiB
}

// The names of the file, and of one that is being written.
const (
	RestingFile  = "resting"
	freshResting = ".resting.new"
)

const (
	restingVersion = 1
	maxResting     = 1 << 20 // bytes of a line: more than a session.json has
)

// restLine is the JSON of a line: one of its members.
type restLine struct {
	Begun  *restLife `json:"begun,omitempty"`  // a daemon has the folder from here on
	Ended  bool      `json:"ended,omitempty"`  // and has ended in order: all lines before, and what they tell of, are safe
	Proof  *Proof    `json:"proof,omitempty"`  // that Record is true
	Record *Record   `json:"record,omitempty"` // of a session at rest
}

type restLife struct {
	Version uint32     `json:"version"`
	Boot    string     `json:"boot"`
	Lock    disk.Stamp `json:"lock"`
}

// sumDigits and the space behind them begin a line; the session's id, a space and the JSON follow.
const sumDigits = 8

func restingLine(id string, l restLine) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	body := append(append([]byte(id), ' '), text...)
	return fmt.Appendf(nil, "%0*x %s\n", sumDigits, crc32.Checksum(body, castagnoli), body), nil
}

// Put keeps a copy of a session at rest. The stamp is that of its session.json, and was taken while nobody could write to that. An endpoint's password
// is in session.json and nowhere else.
func (r *Resting) Put(rec *Record, stamp disk.Stamp) { r.put(rec, stamp) }

// Found is Put of a session that had no copy which counts: it is no newer one.
func (r *Resting) Found(rec *Record, stamp disk.Stamp) {
	n := r.put(rec, stamp)
	if r != nil {
		r.mu.Lock()
		r.base += int64(n)
		r.mu.Unlock()
	}
}

func (r *Resting) put(rec *Record, stamp disk.Stamp) (bytes int) {
	if r == nil || rec.Endpoint != nil {
		return 0
	}
	p := Proof{Record: stamp}
	var err error
	if p.File, err = r.cfg.Lines(rec.Summary.ID); err != nil {
		return 0
	}
	if p.Lines, err = r.cfg.Files.Stamp(filepath.Join(filepath.Dir(r.cfg.Path(rec.Summary.ID)), p.File), false); err != nil {
		return 0
	}
	line, err := restingLine(rec.Summary.ID, restLine{Proof: &p, Record: rec})
	if err != nil || len(line) > maxResting {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(line)
	return len(line)
}

// add writes a line. With mu held.
func (r *Resting) add(line []byte) {
	if r.out == nil {
		return
	}
	failpoint.Torn("record/midResting", r.out, line)
	n, err := r.out.Write(line)
	r.size += int64(n)
	if err != nil { // what is torn is never written behind
		r.giveUp("resting: nothing more is kept", err)
	}
}

// Tidy writes the file anew where most of it is old. It takes as long as reading it: for 100,000 sessions a second.
func (r *Resting) Tidy() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out == nil || r.size <= 2*r.base+cmp.Or(r.cfg.Slack, 16<<20) {
		return
	}
	if err := r.anew(r.counting(r.proven)); err != nil {
		r.giveUp("resting: it cannot be written anew", err)
	}
}

// The copy of a session that has gone is taken out at once where that is quick. Else it is done soon, for all that go until then, so that it takes a small
// part of the time.
const (
	quick = 20 * time.Millisecond
	rests = 20
)

// Removed takes out what is here of sessions that were removed: a copy has a title, labels and the names of folders. Their session.json is gone before.
func (r *Resting) Removed() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.out == nil || r.due != nil:
	case r.took <= quick:
		r.takeOut(r.proven)
	default:
		r.due = time.AfterFunc(rests*r.took, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.due != nil {
				r.takeOut(r.proven)
			}
		})
	}
}

// takeOut leaves the copies that count. With mu held.
func (r *Resting) takeOut(counts func(id string, c *Copy) bool) {
	r.due = nil
	if r.out == nil {
		return
	}
	began := time.Now()
	if err := r.anew(r.counting(counts)); err != nil {
		r.giveUp("resting: what has gone cannot be taken out", err)
		r.remove()
	}
	r.took = time.Since(began)
}

// Void has no start believe the file, since a session is about to be written whose copy would count on.
func (r *Resting) Void(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.giveUp("resting: a session's copy cannot be taken back", why)
	r.remove()
}

// Close ends the file in order where all sessions have ended so.
func (r *Resting) Close(inOrder bool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.due != nil {
		r.due.Stop()
		r.takeOut(r.proven)
	}
	if r.out == nil {
		return
	}
	if line, err := restingLine("", restLine{Ended: true}); err == nil && inOrder {
		r.add(line)
	}
	if r.out != nil {
		if err := errors.Join(r.out.Sync(), r.out.Close()); err != nil {
			r.cfg.Log.Warn("resting", zap.Error(err))
		}
		r.out = nil
	}
}

func (r *Resting) giveUp(what string, err error) {
	if r.out != nil {
		r.cfg.Log.Warn(what, zap.Error(err))
		_ = r.out.Close() // the file is a hint
		r.out = nil
	}
}

func (r *Resting) path() string { return filepath.Join(r.cfg.Dir, RestingFile) }

// remove is for a file that must not count. Where a disk refuses even that, the next start sees that the lock was written since.
func (r *Resting) remove() {
	err := r.cfg.Files.Remove(r.path())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err = errors.Join(err, r.cfg.Files.SyncDir(r.cfg.Dir)); err != nil {
		r.cfg.Log.Warn("resting: it cannot be removed", zap.Error(err))
	}
}

// begin notes that this daemon has the folder, before any session is written to: behind what is there, or in a file of its own.
func (r *Resting) begin(left *restingIndex) (err error) {
	if left == nil {
		return r.anew(nil)
	}
	if r.out, err = r.cfg.Files.Append(r.path()); err != nil {
		return err
	}
	r.size = left.size
	line, err := r.begun()
	if err != nil {
		return err
	}
	if left.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := r.out.Write(line)
	r.size += int64(n)
	if err == nil {
		err = r.out.Sync()
	}
	return err
}

func (r *Resting) begun() ([]byte, error) {
	return restingLine("", restLine{Begun: &restLife{restingVersion, r.cfg.Boot, r.cfg.Lock}})
}

// anew puts a file with these copies in the place of the one that is there.
func (r *Resting) anew(copies func(yield func(line []byte) bool)) error {
	if r.out != nil {
		_ = r.out.Close() // what is in it is read
		r.out = nil
	}
	fresh := filepath.Join(r.cfg.Dir, freshResting)
	f, err := create(r.cfg.Files, fresh)
	if err != nil {
		return err
	}
	first, err := r.begun()
	size := int64(0)
	write := func(line []byte) bool {
		if err == nil {
			_, err = f.Write(line)
			size += int64(len(line))
		}
		return err == nil
	}
	if write(first); copies != nil {
		copies(write)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		failpoint.Hit("record/beforeRestingRename")
		err = r.cfg.Files.Rename(fresh, r.path())
	}
	if err == nil {
		err = r.cfg.Files.SyncDir(r.cfg.Dir)
	}
	if err != nil {
		_, _ = f.Close(), r.cfg.Files.Remove(fresh)
		return err
	}
	r.out, r.size, r.base = f, size, size
	return nil
}

// create makes a file in the place of one that an earlier daemon did not come to the end of.
func create(files disk.FS, name string) (disk.Writer, error) {
	f, err := files.Create(name)
	if errors.Is(err, fs.ErrExist) {
		if err = files.Remove(name); err == nil {
			f, err = files.Create(name)
		}
	}
	return f, err
}
