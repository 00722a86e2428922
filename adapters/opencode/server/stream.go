package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// eventStream is an open stream of server-sent events.
type eventStream struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	silent *time.Timer // ends the stream when it is silent for too long
}

// open opens the stream of a path.
func (c *conn) open(ctx context.Context, path string) error {
	hear, cancel := context.WithCancel(c.hear)
	// The answer's head must come in time; what follows has all the time there is.
	late := context.AfterFunc(ctx, cancel)
	timer := time.AfterFunc(openWithin, cancel)
	r, err := c.server.do(hear, http.MethodGet, path, nil)
	inTime := timer.Stop()
	if stopped := late(); err == nil && (!stopped || !inTime) {
		_ = r.Body.Close()
		err = context.DeadlineExceeded
	}
	if err == nil && r.StatusCode != http.StatusOK {
		_ = r.Body.Close()
		err = &statusError{r.StatusCode}
	}
	if err != nil {
		cancel()
		if !inTime {
			err = fmt.Errorf("nothing was answered for %v", openWithin)
		}
		return err
	}
	c.path = path
	c.first = &eventStream{body: r.Body, cancel: cancel, silent: time.AfterFunc(silence, cancel)}
	return nil
}

// listen reads the stream, and opens it again when it is lost, until the connection ends.
func (c *conn) listen() {
	defer c.work.Done()
	for {
		opened := httpline.Stream{State: httpline.Open, Path: c.path}
		c.say(opened.Append(nil))
		err := c.hearEvents(c.first)
		c.first = nil
		if c.ending() {
			return
		}
		lost := httpline.Stream{State: httpline.Lost, Path: c.path, Error: err.Error()}
		c.say(lost.Append(nil))
		if !c.reopen() {
			return
		}
	}
}

// errSilent is why a stream is given up that says nothing.
var errSilent = fmt.Errorf("nothing was heard for %v", silence)

// hearEvents passes on the events of a stream until it ends.
func (c *conn) hearEvents(s *eventStream) error {
	defer s.cancel()
	defer s.body.Close()
	defer s.silent.Stop()
	r := sseReader{r: bufio.NewReaderSize(s.body, 64<<10)}
	for {
		s.silent.Reset(silence)
		data, err := r.next()
		if fired := !s.silent.Stop(); fired && err != nil && c.hear.Err() == nil {
			return errSilent
		}
		if err != nil {
			return cause(err)
		}
		if len(data) > 0 {
			c.say(bytes.Clone(httpline.Event(data)))
		}
	}
}

// reopen tries to open the stream again, at longer and longer intervals, and gives up after a while; false: the connection
// ends.
func (c *conn) reopen() bool {
	ctx, cancel := context.WithTimeout(c.hear, giveUpAfter)
	defer cancel()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := c.open(ctx, c.path)
		if err == nil {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-c.drained:
			timer.Stop()
			return false
		case <-ctx.Done():
			timer.Stop()
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				c.fail(fmt.Sprintf("the server's events could not be heard again for %v: %v", giveUpAfter, err))
			}
			return false
		}
	}
}
