package tty

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
)

// escapeTime is how long after an escape the rest of a key may come, also over a slow line.
const escapeTime = 50 * time.Millisecond

// Keyboard reads keys in a goroutine of its own. A read of a terminal cannot be taken back, so it waits until there is something to read, or until it
// is closed.
type Keyboard struct {
	C     <-chan []keys.Key // closed when the terminal has gone, or reading it has failed
	err   error             // why it has; read after C was closed
	wake  *os.File          // closed by Close
	stop  chan struct{}     // closed by Close
	ended chan struct{}
}

// Keys begins to read. The keyboard must be closed before the terminal is used for anything else.
func (t *Terminal) Keys() (*Keyboard, error) {
	woken, wake, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := make(chan []keys.Key)
	k := &Keyboard{C: c, wake: wake, stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(k.ended)
		defer func() { _ = woken.Close() }()
		defer close(c)
		defer func() { // whoever has the terminal ends in order, and gives it back
			if p := recover(); p != nil {
				k.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		read(int(t.in.Fd()), int(woken.Fd()), c, k.stop)
	}()
	return k, nil
}

// Err says why reading has failed once C was closed; nil: the terminal has gone.
func (k *Keyboard) Err() error { return k.err }

// Close ends the reading, and returns when it has ended.
func (k *Keyboard) Close() {
	if k == nil {
		return
	}
	close(k.stop)
	_ = k.wake.Close()
	<-k.ended
}

// read reads keys until the terminal has gone or woken has an end.
func read(in, woken int, c chan<- []keys.Key, stop <-chan struct{}) {
	var d keys.Decoder
	buf := make([]byte, 4096)
	for {
		var wait *unix.Timeval
		if d.Waits() {
			v := unix.NsecToTimeval(escapeTime.Nanoseconds())
			wait = &v
		}
		ready, over, err := look(in, woken, wait)
		if over || err != nil {
			return
		}
		var list []keys.Key
		if ready {
			n, err := unix.Read(in, buf)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if n <= 0 {
				return
			}
			list = d.Feed(buf[:n])
		} else {
			list = d.Flush()
		}
		if len(list) == 0 {
			continue
		}
		select {
		case c <- list:
		case <-stop:
			return
		}
	}
}

// look waits for input, for the end of a pipe, or until the time is over.
func look(in, woken int, wait *unix.Timeval) (ready, over bool, err error) {
	for {
		var set unix.FdSet
		set.Set(in)
		set.Set(woken)
		_, err := unix.Select(max(in, woken)+1, &set, nil, nil, wait)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return set.IsSet(in), set.IsSet(woken), err
	}
}
