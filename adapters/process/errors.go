package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// StartError says why an agent could not be started. errors.Is sees the cause: fs.ErrNotExist, fs.ErrPermission, ….
type StartError struct {
	Op   string // "find", "chdir", "pipe" or "exec"
	Path string // the program, or the folder for chdir
	Hint string // what mends it
	Err  error
}

func (e *StartError) Error() string {
	s := fmt.Sprintf("start agent: %s %s: %v", e.Op, e.Path, cause(e.Err))
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

func (e *StartError) Unwrap() error { return e.Err }

// cause strips the wrapping that repeats operation and path.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if ee, ok := errors.AsType[*exec.Error](err); ok {
		return ee.Err
	}
	return err
}

// locate makes the program's path absolute and checks the folder, so that the error names the one that is wrong: the
// kernel's own answer is the same for both.
func locate(path, dir string) (string, error) {
	if dir != "" {
		info, err := os.Stat(dir)
		switch {
		case err != nil:
			return "", &StartError{Op: "chdir", Path: dir, Hint: "the session's folder must exist and be readable", Err: err}
		case !info.IsDir():
			return "", &StartError{Op: "chdir", Path: dir, Hint: "the session's cwd must be a folder", Err: syscall.ENOTDIR}
		}
	}
	if path == "" {
		return "", &StartError{Op: "find", Path: `""`, Hint: "no program was found for this agent", Err: fs.ErrNotExist}
	}
	if !strings.ContainsRune(path, filepath.Separator) {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", &StartError{Op: "find", Path: path, Hint: "install the agent or give its full path", Err: err}
		}
		path = found
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &StartError{Op: "find", Path: path, Err: err}
	}
	return abs, nil
}

// execError explains what the kernel said about the program.
func execError(path string, err error) error {
	e := &StartError{Op: "exec", Path: path, Err: err}
	_, statErr := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && statErr == nil:
		e.Hint = "the file exists, but not the interpreter or loader that it names"
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "install the agent or give its full path"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "the file must be executable"
	case errors.Is(err, syscall.ENOEXEC):
		e.Hint = "the file is not a program for this machine"
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
		e.Hint = "the machine is out of processes or memory"
	case errors.Is(err, syscall.E2BIG):
		e.Hint = "arguments and environment are too long"
	}
	return e
}
