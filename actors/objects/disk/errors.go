package disk

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// about is told for a call that names an object, which may not be there. Where all of the folder is not there, nothing is known of the object.
func (s *store) about(op, key string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		if _, err := s.files.Subfolders(s.dir); err != nil {
			return told(op, err)
		}
		return &objects.NotFoundError{Op: op, Key: key}
	}
	return told(op, err)
}

// told gives an error the type that the contract wants.
func told(op string, err error) error {
	var doubt *doubtError
	switch {
	case err == nil || objects.Typed(err):
		return err
	case errors.As(err, &doubt):
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &objects.FullError{Op: op, Err: err}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &objects.AccessError{Op: op, Err: err, Hint: "make the folder for objects, or mount what it lies on"}
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.EMLINK), errors.Is(err, syscall.EXDEV):
		return &objects.AccessError{Op: op, Err: err, Hint: hintLinks}
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return &objects.AccessError{Op: op, Err: err, Hint: "let the daemon's user read and write the folder for objects"}
	}
	return &objects.AwayError{Op: op, Err: err}
}

const hintLinks = "the folder for objects must lie on one file system that has hard links, in which the daemon's user may make them"
