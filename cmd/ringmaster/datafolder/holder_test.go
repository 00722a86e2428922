package datafolder_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// TestHolder: the number in the lock counts while somebody holds it, and where the process of that number has it open.
func TestHolder(t *testing.T) {
	f := datafolder.Folder{Path: t.TempDir()}
	if _, held := f.Holder(); held {
		t.Error("held without a lock")
	}
	lock, err := os.OpenFile(filepath.Join(f.Path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	write := func(pid int) {
		if err := os.WriteFile(lock.Name(), fmt.Appendf(nil, "%d\n", pid), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(os.Getpid())
	if pid, held := f.Holder(); held {
		t.Errorf("held by %d, which has left it", pid)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if pid, held := f.Holder(); !held || pid != os.Getpid() {
		t.Errorf("%d, %v", pid, held)
	}
	for _, other := range []int{1, 0, -1, os.Getppid()} { // 1: a daemon in a container wrote its own number
		write(other)
		if pid, held := f.Holder(); !held || pid != 0 {
			t.Errorf("%d: %d, %v", other, pid, held)
		}
	}
}

// TestRemembered: folders are noted once, those that are gone are left out, and the oldest go.
func TestRemembered(t *testing.T) {
	f := datafolder.Folder{Path: t.TempDir()}
	a, b := t.TempDir(), t.TempDir()
	for _, more := range [][]string{{a}, {a, b}, {b}, {filepath.Join(b, "gone")}} {
		if err := f.Remember(more); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Remembered(); !slices.Equal(got, []string{a, b}) {
		t.Errorf("%v", got)
	}
	if had, err := f.Forget(a); !had || err != nil {
		t.Errorf("%v, %v", had, err)
	}
	if had, err := f.Forget(a); had || err != nil {
		t.Errorf("%v, %v", had, err)
	}
	for range 40 {
		if err := f.Remember([]string{t.TempDir()}); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Remembered(); len(got) != 32 || slices.Contains(got, b) {
		t.Errorf("%d folders, %v", len(got), slices.Contains(got, b))
	}
	if err := os.WriteFile(filepath.Join(f.Path, "roots"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := f.Remembered(); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
