package command

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// readerLeft is errDone where the output is a pipe or a socket whose reader has closed it.
func readerLeft(w io.Writer) error {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	poll := []unix.PollFd{{Fd: int32(f.Fd())}}
	if n, err := unix.Poll(poll, 0); n > 0 && err == nil && poll[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
		return errDone
	}
	return nil
}

// isReaderLeft says that a write failed because nobody reads any more, which is how a reader says that it has seen enough.
func isReaderLeft(err error) bool { return errors.Is(err, syscall.EPIPE) }
