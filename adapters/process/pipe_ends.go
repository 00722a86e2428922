package process

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// maxLeftover bounds what is still read from a pipe that somebody holds open after the agent's death: the largest pipe
// that an unprivileged process can make. Whoever holds it may write without end.
const maxLeftover = 1 << 20

// input is our end of the agent's stdin.
type input struct {
	file *os.File
	once sync.Once
	err  error
}

func (i *input) Write(p []byte) (int, error) { return i.file.Write(p) }

func (i *input) Close() error {
	i.once.Do(func() { i.err = i.file.Close() })
	return i.err
}

// output is our end of the agent's stdout or stderr. It has one reader; hurry, failure and release may be called by
// others.
type output struct {
	file  *os.File
	heard func()        // called when something has come; nil: nobody asks
	ended chan struct{} // closed when the reader has seen the end

	mu       sync.Mutex
	over     bool
	err      error // the end was not an orderly one
	leftover int   // bytes read since hurry
}

func newOutput(f *os.File) *output { return &output{file: f, ended: make(chan struct{})} }

// Read reads from the pipe. After hurry it takes what the pipe holds and then ends.
func (o *output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		n, err = o.take(p)
	}
	if err != nil {
		o.end(err)
		return n, io.EOF
	}
	if o.heard != nil {
		o.heard()
	}
	return n, nil
}

// take reads without waiting.
func (o *output) take(p []byte) (n int, err error) {
	o.mu.Lock()
	spent := o.leftover >= maxLeftover
	o.mu.Unlock()
	if spent {
		return 0, io.EOF
	}
	raw, err := o.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	// Control, because RawConn.Read obeys the deadline that brought us here. The descriptor is in non-blocking mode.
	var readErr error
	err = raw.Control(func(fd uintptr) {
		for {
			if n, readErr = syscall.Read(int(fd), p); readErr != syscall.EINTR {
				return
			}
		}
	})
	switch {
	case err != nil:
		return 0, err
	case errors.Is(readErr, syscall.EAGAIN), readErr == nil && n <= 0:
		return 0, io.EOF
	case readErr != nil:
		return 0, readErr
	}
	o.mu.Lock()
	o.leftover += n
	o.mu.Unlock()
	return n, nil
}

// end notes the first end that the reader sees.
func (o *output) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return
	}
	o.over = true
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		o.err = err
	}
	close(o.ended)
}

// hurry makes the output end with what its pipe holds.
func (o *output) hurry() { _ = o.file.SetReadDeadline(time.Unix(1, 0)) }

// failure is why the output ended before its time; nil when it did not.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// release closes the pipe. A reader that is still there sees the end.
func (o *output) release() { _ = o.file.Close() }
