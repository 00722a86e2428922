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
	gone := exec.CommandContext(t.Context(), "true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		start(t, dir, nil).close()
		lock, err := os.Open(filepath.Join(dir, "data", "lock"))
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Close()
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(lock.Name(), []byte(strconv.Itoa(gone.Process.Pid)), 0o600); err != nil {
			t.Fatal(err)
		}
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
