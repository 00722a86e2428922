package disk

import (
	"os"
	"syscall"
)

// datasync leaves out the attributes that fsync would write too, such as the time of the last change.
func datasync(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		for {
			if failed = syscall.Fdatasync(int(fd)); failed != syscall.EINTR {
				return
			}
		}
	})
	if err != nil {
		failed = os.ErrClosed // what Control says, with an error that only package os can name
	}
	if failed == nil {
		return nil
	}
	return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: failed}
}
