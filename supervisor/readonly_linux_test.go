package supervisor_test

import (
	"syscall"
	"testing"
)

const mntDetach = 2 // umount2(2); package syscall does not have it

// mountReadOnly puts an empty file system that nobody can write on a folder.
func mountReadOnly(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("nothing else is read-only to the superuser: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, mntDetach); err != nil {
			t.Error(err)
		}
	})
}
