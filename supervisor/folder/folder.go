// Package folder is the data folder: where things are in it, its lock, its name, and what the system says of it.
package folder

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Data knows where things are in the data folder:
//
//	lock                       held while a daemon runs, and names its process
//	instance                   names this folder in the markers of agent processes
//	tails/                     ends of logs that one sync has made safe for many sessions
//	resting                    copies of session.json of sessions at rest, which a start reads in place of their folders
//	idempotency                keys of clients, and the sessions that they stand for
//	sessions/ID/               a session: the journal's segments and
//	sessions/ID/session.json   what a list shows of it
//	sessions/ID/images/        pictures of prompts
//	sessions/ID/raw/           native lines of its agents
//	sessions/ID.aside/NAME/    such a folder that was set aside
type Data struct{ Root string }

// Sessions is the folder of all sessions.
func (d Data) Sessions() string { return filepath.Join(d.Root, "sessions") }

// Session is the folder of one.
func (d Data) Session(id string) string { return filepath.Join(d.Root, "sessions", id) }

// Images is the folder of a session's pictures.
func (d Data) Images(id string) string { return filepath.Join(d.Session(id), "images") }

// Raw is the folder of its native lines.
func (d Data) Raw(id string) string { return filepath.Join(d.Session(id), "raw") }

// AsideRaw is the folder of the native lines of one that was set aside.
func (d Data) AsideRaw(id, name string) string { return filepath.Join(d.aside(id, name), "raw") }

// AsideImages is the folder of the pictures of one that was set aside.
func (d Data) AsideImages(id, name string) string { return filepath.Join(d.aside(id, name), "images") }

func (d Data) aside(id, name string) string {
	return filepath.Join(d.Root, "sessions", id+".aside", name)
}

// Record is its session.json.
func (d Data) Record(id string) string { return RecordIn(d.Session(id)) }

// RecordIn is where the record of the session is that has a folder.
func RecordIn(dir string) string { return filepath.Join(dir, "session.json") }

// Tails is the folder of the ends of logs that one sync has made safe for many sessions.
func (d Data) Tails() string { return filepath.Join(d.Root, "tails") }

// Prepare makes the folder and takes its lock, which the system gives back when the daemon ends, however it ends.
func (d Data) Prepare(ctx context.Context) (lock *Lock, err error) {
	if err := os.MkdirAll(d.Sessions(), 0o700); err != nil {
		return nil, Unusable(d.Root, err)
	}
	held, err := os.OpenFile(filepath.Join(d.Root, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, Unusable(d.Root, err)
	}
	err = take(ctx, held)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		taken := d.taken(held)
		held.Close()
		return nil, taken
	}
	if err != nil {
		held.Close()
		return nil, Unusable(d.Root, err)
	}
	lock = &Lock{File: held}
	lock.Was, _ = held.Stat()
	err = held.Truncate(0)
	if err == nil {
		_, err = held.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil { // a full disk, which ends no daemon: who is refused is not told by which process
		_ = held.Truncate(0)
	}
	lock.Is, _ = held.Stat()
	return lock, nil
}

// Lock is held while a daemon has the folder. Every daemon writes it, of whatever build: what it was tells who had the folder before.
type Lock struct {
	*os.File
	Was, Is fs.FileInfo // as it was found, and as it was written; nil: the system does not tell
}

// taken says who has the folder, and how to end that.
func (d Data) taken(lock *os.File) error {
	p := &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "Another daemon works on the data folder " + d.Root + ".",
		Hint: "Use that daemon, end it with ringmaster down --data " + d.Root + ", or give this one another folder with --data.",
	}
	if pid := named(lock); pid > 0 {
		p.Detail = fmt.Sprintf("Another daemon, process %d, works on the data folder %s.", pid, d.Root)
		p.Hint = fmt.Sprintf("Use that daemon, end it with ringmaster down --data %s (or kill %d), or give this one another folder with --data.", d.Root, pid)
	}
	return p
}

// named is the process that a lock names; 0: none.
func named(lock *os.File) int {
	text := make([]byte, 20)
	n, _ := lock.ReadAt(text, 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

// How often a lock is tried that a daemon has left behind, and how long it is left alone between: a child of a daemon that was killed while
// it started an agent has it, too, until the agent's program takes the child's place. Once it names a daemon that is there, perhaps another one
// that waited too, it is not tried again: whoever waited on would take the place of a daemon that somebody ended, with what was true when it
// began to wait.
const (
	lockTries = 50
	lockPause = 20 * time.Millisecond
)

// take takes the lock of a file; syscall.EWOULDBLOCK: somebody keeps it.
func take(ctx context.Context, lock *os.File) error {
	pause := time.NewTicker(lockPause)
	defer pause.Stop()
	for n := 1; ; n++ {
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if n == lockTries || !errors.Is(err, syscall.EWOULDBLOCK) || there(named(lock)) {
			return err
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return err
		}
	}
}

// there says that a process runs.
func there(pid int) bool { return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// Unusable is the problem of a data folder in which nothing can be done.
func Unusable(dir string, err error) error {
	hint := "Give a folder that this user can write with --data."
	if errors.Is(err, syscall.ENOSPC) {
		hint = "The disk is full: make room, or give a folder on another disk with --data."
	}
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: fmt.Sprintf("The data folder %s cannot be used: %v.", dir, err), Hint: hint,
	}
}

// Instance is the folder's own name, made at its first use.
func (d Data) Instance() (string, error) {
	path := filepath.Join(d.Root, "instance")
	b, err := os.ReadFile(path)
	if name := strings.TrimSpace(string(b)); err == nil && len(name) == 32 {
		return name, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", Unusable(d.Root, err)
	}
	var id [16]byte
	rand.Read(id[:]) // never fails
	name := hex.EncodeToString(id[:])
	if err := os.WriteFile(path, []byte(name+"\n"), 0o600); err != nil {
		return "", Unusable(d.Root, err)
	}
	return name, nil
}

// BootID names this run of the machine; empty where the system has none.
func BootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// BootTime is when this run of the machine began; zero where the system does not tell.
func BootTime(now time.Time) time.Time {
	b, err := os.ReadFile("/proc/uptime")
	up, _, _ := strings.Cut(string(b), " ")
	seconds, parseErr := strconv.ParseFloat(up, 64)
	if err != nil || parseErr != nil {
		return time.Time{}
	}
	return now.Add(-time.Duration(seconds * float64(time.Second)))
}
