package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// link is one websocket of a connection.
type link struct {
	ws     *websocket.Conn
	under  *under // below it
	ctx    context.Context
	cancel context.CancelFunc
	silent atomic.Bool // the server did not answer
}

// under is the connection below a websocket. It tells the end of a message from its own, which the websocket's reader does not.
type under struct {
	net.Conn
	ended atomic.Bool // it could not be read any more
}

func (u *under) Read(b []byte) (int, error) {
	n, err := u.Conn.Read(b)
	if err != nil {
		u.ended.Store(true)
	}
	return n, err
}

func newLink(ws *websocket.Conn, u *under) *link {
	ws.SetReadLimit(-1) // long messages are passed on as they come; the reader of lines has a limit
	l := &link{ws: ws, under: u}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// retry is how a lost websocket is opened again.
type retry struct {
	first, most time.Duration // wait before an attempt: it doubles
	within      time.Duration // gives up after so long without a websocket
	attempt     time.Duration // gives up one attempt
	steady      time.Duration // a websocket that stood for so long makes up for what was lost before
}

var defaultRetry = retry{
	first: 250 * time.Millisecond, most: 5 * time.Second, within: time.Minute, attempt: 10 * time.Second, steady: 10 * time.Second,
}

// errStopped ends the way back.
var errStopped = errors.New("stopped")

// back opens the websocket again, at longer and longer intervals. away is the time without one so far; beyond the bound it
// gives up, and at once where the server refuses.
func (c *Conn) back(away *time.Duration) (*link, error) {
	began := time.Now()
	before := *away
	if before >= c.retry.within {
		return nil, errors.New("it comes and goes")
	}
	var err error
	for wait := c.retry.first; ; wait *= 2 {
		timer := time.NewTimer(min(wait, c.retry.most))
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return nil, errStopped
		}
		var l *link
		ctx, cancel := context.WithTimeout(c.ctx, c.retry.attempt)
		l, err = c.dial(ctx)
		cancel()
		if *away = before + time.Since(began); err == nil {
			return c.again(l)
		}
		var refused *Error
		if c.ctx.Err() != nil {
			return nil, errStopped
		}
		if errors.As(err, &refused) && refused.Code != "unreachable" {
			return nil, err
		}
		if *away >= c.retry.within {
			return nil, fmt.Errorf("not found again for %v: %w", c.retry.within, err)
		}
	}
}

// again begins with a new websocket: what is written goes there once the reader of Output knows of it.
func (c *Conn) again(l *link) (*link, error) {
	c.opened++
	open := httpline.Stream{State: httpline.Open, Path: strconv.Itoa(c.opened)}
	c.mu.Lock()
	c.await = open.Append(nil)
	c.link = l
	asked := c.asked
	c.mu.Unlock()
	if asked || c.ctx.Err() != nil || c.mark(open) != nil {
		l.cancel()
		_ = l.ws.CloseNow()
		return nil, errStopped
	}
	return l, nil
}
