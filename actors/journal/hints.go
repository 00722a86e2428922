package journal

import (
	"errors"
	"syscall"
)

func writeError(op, file string, err error) *WriteError {
	return &WriteError{Op: op, File: file, Err: err, Hint: hint(err)}
}

// hint is what an operator can do about an error of the disk; empty: nothing is known.
func hint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full: free space, the session then goes on in a new segment"
	case errors.Is(err, syscall.EDQUOT):
		return "the quota is used up: raise it or free space, the session then goes on in a new segment"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only: look for disk errors in the kernel's log and mount it writable"
	case errors.Is(err, syscall.EIO):
		return "the disk reports an error: look into the kernel's log; what was synced before is kept"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many open files: raise the limit (ulimit -n)"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return "the daemon's user must own the data folder"
	case errors.Is(err, ErrChanged):
		return "another process wrote to the session's folder: stop it and restart the daemon"
	}
	return ""
}
