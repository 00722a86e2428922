package supervisor_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// crammed is the system's disk, which is full from one change on until there is room again: what takes space fails, and of the first write that does
// a part is written. A daemon whose disk is gone was killed: nothing that it still does is done.
type crammed struct {
	disk.FS
	mu      sync.Mutex
	changes int // that took space
	at      int // the change that fills it
	full    bool
	gone    bool
}

var errKilled = errors.New("nobody is there any more")

// take says how many bytes of a change can be made, and why not all.
func (d *crammed) take(bytes int) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone {
		return 0, errKilled
	}
	first := d.changes == d.at && !d.full
	d.changes++
	switch {
	case first:
		d.full = true
		return bytes / 2, syscall.ENOSPC
	case d.full:
		return 0, syscall.ENOSPC
	}
	return bytes, nil
}

// alive says that the daemon was not killed.
func (d *crammed) alive() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone {
		return errKilled
	}
	return nil
}

func (d *crammed) is() (full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.full
}

// set says whether it is full, and whether the daemon was killed.
func (d *crammed) set(full, gone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.gone, d.at = full, gone, -1
}

func (d *crammed) Mkdir(dir string) error {
	if _, err := d.take(0); err != nil {
		return err
	}
	return d.FS.Mkdir(dir)
}

func (d *crammed) Create(name string) (disk.Writer, error) {
	if _, err := d.take(0); err != nil {
		return nil, err
	}
	w, err := d.FS.Create(name)
	return &crammedFile{w, d}, err
}

func (d *crammed) Append(name string) (disk.Writer, error) {
	w, err := d.FS.Append(name)
	return &crammedFile{w, d}, errors.Join(d.alive(), err)
}

func (d *crammed) Rename(from, to string) error {
	return unless(d.alive(), func() error { return d.FS.Rename(from, to) })
}

func (d *crammed) Remove(name string) error {
	return unless(d.alive(), func() error { return d.FS.Remove(name) })
}

func (d *crammed) RemoveAll(dir string) error {
	return unless(d.alive(), func() error { return d.FS.RemoveAll(dir) })
}

// unless makes a change where nothing is against it.
func unless(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

type crammedFile struct {
	disk.Writer
	disk *crammed
}

func (f *crammedFile) Write(b []byte) (int, error) {
	n, err := f.disk.take(len(b))
	if n > 0 {
		if n, short := f.Writer.Write(b[:n]); short != nil {
			return n, short
		}
	}
	return n, err
}

func (f *crammedFile) Truncate(size int64) error {
	return unless(f.disk.alive(), func() error { return f.Writer.Truncate(size) })
}

// TestFullAnywhere fills the disk at every change of a working daemon, which is then ended or killed and started again twice while nothing has room:
// it starts, and shows what was shown; what would be stored is refused as read_only, with a hint, and what is deleted goes. Within 5 s after there is room
// sessions go on, prompts that were accepted are worked off, and keys stand for the sessions that they stood for (P10).
func TestFullAnywhere(t *testing.T) {
	every := 41
	switch {
	case thorough:
		every = 1
	case raceEnabled:
		every = 173
	}
	for _, mode := range []supervisor.Durability{supervisor.DurableAlways, supervisor.DurableInterval} {
		for _, end := range []string{"ended", "killed", "without power"} {
			t.Run(string(mode)+" "+end, func(t *testing.T) {
				runs := 0
				for n, done := 0, false; !done; n += every {
					synctest.Test(t, func(t *testing.T) {
						l := &fullLife{t: t, where: fmt.Sprintf("full at change %d", n), killed: end != "ended", rebooted: end == "without power", disk: &crammed{FS: swift{disk.OS()}, at: n}}
						done = !l.live(mode)
					})
					runs++
				}
				tally.Count("P10", "daemons whose disk is full when they end and start", runs, "")
				t.Logf("%d daemons", runs)
			})
		}
	}
}

// fullLife is a daemon before, on and after a full disk, and what its clients were told.
type fullLife struct {
	t        *testing.T
	where    string
	killed   bool // its ends
	rebooted bool // and the machine is started again
	disk     *crammed
	d        *daemon
	sessions []string // by number; empty: refused
	shown    map[string][]byte
	prompts  map[string][]string // that were accepted
}

func (l *fullLife) failf(format string, a ...any) {
	l.t.Helper()
	l.t.Fatalf("%s: %s", l.where, fmt.Sprintf(format, a...))
}

// live says whether the disk was full before the daemon had done all of it.
func (l *fullLife) live(mode supervisor.Durability) (full bool) {
	l.shown, l.prompts = map[string][]byte{}, map[string][]string{}
	l.d = start(l.t, l.t.TempDir(), func(cfg *supervisor.Config) { cfg.Files, cfg.Durability = l.disk, mode })
	defer func() {
		if l.t.Failed() {
			l.disk.set(false, false)
			_ = l.d.Close(l.t.Context()) // what failed was told
		}
	}()
	for n := range 3 {
		l.create(n)
		for range 2 {
			l.prompt(n)
		}
	}
	l.remove(2)
	full = l.disk.is()
	for range 2 {
		l.restart()
		if full {
			l.onFull()
		}
	}
	l.remove(1)
	l.disk.set(false, false)
	l.goOn()
	l.killed = false
	l.restart()
	l.goOn()
	l.d.close()
	return full
}

// create makes the n-th session, or gives it.
func (l *fullLife) create(n int) {
	s, err := l.d.Create(l.t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: l.d.root, Key: supervisor.Key{By: "ann", Name: fmt.Sprint(n)}})
	l.refused("create", err)
	for len(l.sessions) <= n {
		l.sessions = append(l.sessions, "")
	}
	switch before := l.sessions[n]; {
	case err == nil && before != "" && before != s.ID:
		l.failf("the key of %s makes %s", before, s.ID)
	case err == nil:
		l.sessions[n] = s.ID
	case before != "":
		l.failf("the key of %s: %v", before, err)
	}
}

// refused looks at how something was refused, if it was.
func (l *fullLife) refused(what string, err error) {
	l.t.Helper()
	var p *protocol.Problem
	switch {
	case err == nil:
	case !l.disk.is():
		l.failf("%s, with room: %v", what, err)
	case !errors.As(err, &p) || p.Hint == "" || p.Code != protocol.CodeReadOnly && p.Code != protocol.CodeUnavailable: // the one that finds it full is told that it takes longer
		l.failf("%s: %v", what, err)
	}
}

// prompt sends a prompt with a picture, and waits for its turn's end where it comes to one.
func (l *fullLife) prompt(n int) {
	id := l.sessions[n]
	if id == "" {
		return
	}
	ref, _, err := l.d.Images(id).Put("image/png", picture)
	if l.refused("picture", err); err != nil {
		return
	}
	r, err := session.Ask(l.t.Context(), l.d.find(id), &session.SendPrompt{Prompt: session.NewPrompt{Text: fmt.Sprintf(unhurried, n), Images: []string{ref}}})
	if l.refused("prompt", err); err != nil {
		return
	}
	l.prompts[id] = append(l.prompts[id], r.PromptID)
	for !l.worked(id) && !l.d.look(id).ReadOnly {
		time.Sleep(50 * time.Millisecond)
	}
	l.look(id)
}

// worked says that a session has worked off its prompts.
func (l *fullLife) worked(id string) bool {
	sum := l.d.look(id)
	return sum.Status.QueuedPrompts == 0 && !sum.Status.State.Busy()
}

// look takes what is shown of a session, which begins with what was.
func (l *fullLife) look(id string) {
	now := l.d.shown(id)
	if !bytes.HasPrefix(now, l.shown[id]) {
		l.failf("%d bytes were shown of %s, and now others", len(l.shown[id]), id)
	}
	l.shown[id] = now
	for _, p := range l.prompts[id] {
		if !bytes.Contains(now, []byte(p)) {
			l.failf("prompt %s of %s was accepted, and is not there", p, id)
		}
	}
}

// remove deletes the n-th session, which needs no room.
func (l *fullLife) remove(n int) {
	id := l.sessions[n]
	if id == "" {
		return
	}
	if err := l.d.Delete(l.t.Context(), id); err != nil {
		l.failf("delete: %v", err)
	}
	l.sessions[n] = ""
	delete(l.shown, id)
}

// restart ends the daemon, or kills it, and starts another.
func (l *fullLife) restart() {
	if l.killed {
		l.disk.set(l.disk.is(), true)
	}
	begun := time.Now()
	_ = l.d.Close(l.t.Context()) // one that was killed has more to say
	if took := time.Since(begun); took > 10*time.Second {
		l.failf("it ended after %v", took)
	}
	time.Sleep(2 * time.Second) // of the bubble: the engine's dead-letter throttle ends
	l.disk.set(l.disk.is(), false)
	if l.rebooted && l.killed {
		l.reboot()
	}
	l.d.start()
	synctest.Wait()
	page, err := l.d.List(l.t.Context(), supervisor.Query{})
	if err != nil {
		l.failf("list: %v", err)
	}
	for _, sum := range page.Sessions {
		if !slices.Contains(l.sessions, sum.ID) {
			l.failf("%s is there", sum.ID)
		}
	}
}

// reboot leaves the records as another life of the machine finds them, and an index that was not written.
func (l *fullLife) reboot() {
	for _, id := range l.sessions {
		if id == "" {
			continue
		}
		record := filepath.Join(l.d.folder(id), "session.json")
		if b, err := os.ReadFile(record); err == nil {
			l.d.write(id, "session.json", string(bootName.ReplaceAll(b, []byte(`"boot":"another"`))))
		}
		indexes, err := filepath.Glob(filepath.Join(l.d.folder(id), "*.index"))
		if err == nil {
			err = os.Truncate(indexes[len(indexes)-1], 64) // its header
		}
		if err != nil {
			l.t.Fatal(err)
		}
	}
}

// onFull asks for what must be refused.
func (l *fullLife) onFull() {
	for n, id := range l.sessions {
		if id == "" {
			continue
		}
		l.look(id)
		for refused := false; !refused; {
			_, err := ask.Ask(l.t.Context(), l.d.find(id), sendPrompt("x"))
			if err == nil {
				l.failf("a prompt is accepted")
			}
			l.refused("prompt", err)
			refused = code(err) == protocol.CodeReadOnly
		}
		if sum := l.d.look(id); !sum.ReadOnly || sum.Damage != nil {
			l.failf("%+v", sum)
		}
		l.create(n)
		l.look(id)
	}
	if _, err := l.d.Create(l.t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: l.d.root}); code(err) != protocol.CodeReadOnly {
		l.failf("create: %v", err)
	}
}

// goOn waits until all sessions do.
func (l *fullLife) goOn() {
	for _, id := range l.sessions {
		if id == "" {
			continue
		}
		for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			_, err := session.Ask(l.t.Context(), l.d.find(id), &session.Change{Labels: map[string]*string{"room": new(string)}})
			if err == nil && l.worked(id) {
				break
			}
			if time.Since(begun) > 5*time.Second {
				l.failf("%s does not go on: %+v, %v", id, l.d.look(id), err)
			}
		}
		l.look(id)
		if sum := l.d.look(id); sum.ReadOnly || sum.Damage != nil || !l.rebooted && sum.Epoch != 1 {
			l.failf("with room: %+v", sum)
		}
	}
	for n := range l.sessions {
		if l.sessions[n] != "" {
			l.create(n)
		}
	}
}

// TestFullDiskOfAnEarlierDaemon: that a journal took nothing at the end of one daemon is not said of it by the next, which has not tried yet.
func TestFullDiskOfAnEarlierDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &slowDisk{FS: disk.OS()}
		disk := &faultyDisk{FS: slow}
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files, c.Durability = disk, supervisor.DurableAlways })
		defer func() { d.close() }()
		id := d.create().ID
		d.until(id, d.prompt(id, fmt.Sprintf(unhurried, 1)).Cursor.Seq, protocol.TypeEntryDelta)
		disk.set(func(string) error { return syscall.ENOSPC })
		for !d.look(id).ReadOnly {
			time.Sleep(10 * time.Millisecond)
		}
		d.close()
		disk.set(nil)
		slow.takes.Store(int64(time.Second)) // for what the next one has to tell first
		d.start()
		synctest.Wait()
		if d.look(id).ReadOnly {
			t.Error("it is read-only")
		}
	})
}
