package supervisor_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestLockOfAKilledDaemon: what a killed daemon was about to start keeps the folder's lock for a moment; its successor waits for
// it, but not for ever.
func TestLockOfAKilledDaemon(t *testing.T) {
	gone := endedProcess(t)
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		lock := lockOf(t, dir, gone)
		cfg := supervisor.Config{Data: filepath.Join(dir, "data"), Roots: []string{dir}}
		begun := time.Now()
		if _, err := supervisor.Start(t.Context(), cfg); code(err) != protocol.CodeConflict || time.Since(begun) > 2*time.Second {
			t.Errorf("kept for ever: %v after %s", err, time.Since(begun))
		}
		unlocked := make(chan error)
		time.AfterFunc(300*time.Millisecond, func() { unlocked <- syscall.Flock(int(lock.Fd()), syscall.LOCK_UN) })
		d := start(t, dir, nil)
		if err := <-unlocked; err != nil {
			t.Error(err)
		}
		d.close()
	})
}

// endedProcess is the number of a process that has ended.
func endedProcess(t *testing.T) int {
	t.Helper()
	gone := exec.CommandContext(t.Context(), "true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	return gone.Process.Pid
}

// lockOf holds the lock of a data folder in dir, in which a process is named.
func lockOf(t *testing.T, dir string, pid int) *os.File {
	t.Helper()
	start(t, dir, nil).close()
	lock, err := os.Open(filepath.Join(dir, "data", "lock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lock.Name(), []byte(strconv.Itoa(pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	return lock
}

// TestLockIsAnothers: two daemons begin when one was killed; the one that comes second is refused as soon as the first has the folder, and
// does not take its place when somebody ends that.
// Proves: I10.2/hosts
func TestLockIsAnothers(t *testing.T) {
	gone := endedProcess(t)
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		lock := lockOf(t, dir, gone)
		named, unlocked := make(chan error), make(chan error)
		time.AfterFunc(100*time.Millisecond, func() { named <- os.WriteFile(lock.Name(), []byte(strconv.Itoa(os.Getpid())), 0o600) })
		time.AfterFunc(300*time.Millisecond, func() { unlocked <- syscall.Flock(int(lock.Fd()), syscall.LOCK_UN) })
		d, err := supervisor.Start(t.Context(), supervisor.Config{Data: filepath.Join(dir, "data"), Roots: []string{dir}})
		if code(err) != protocol.CodeConflict {
			t.Errorf("it has the folder of another: %v", err)
		}
		if d != nil {
			_ = d.Close(t.Context())
		}
		for _, done := range []chan error{named, unlocked} {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestLockNamesItsDaemon: who is refused is told by which process, and what ends it.
func TestLockNamesItsDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := start(t, dir, nil)
		defer d.close()
		begun := time.Now()
		_, err := supervisor.Start(t.Context(), supervisor.Config{Data: filepath.Join(dir, "data"), Roots: []string{dir}})
		if waited := time.Since(begun); waited > 0 {
			t.Errorf("it waited %s for a daemon that runs, in whose place it would have come", waited)
		}
		var p *protocol.Problem
		if pid := strconv.Itoa(os.Getpid()); !errors.As(err, &p) || !strings.Contains(p.Detail, "process "+pid+",") || !strings.Contains(p.Hint, "kill "+pid) {
			t.Errorf("%+v", p)
		}
	})
}
