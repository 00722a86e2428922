package link

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
)

// Bounds.
const (
	maxCalls  = 16   // wishes that are being carried out
	maxEvents = 4096 // of the open log that wait for the face; then its reader waits
	maxTaken  = 1000 // events that the face gets at once
)

// Link is the way of a face to a daemon. Its methods are called from one goroutine.
type Link struct {
	client  *client.Client
	desktop Desktop
	ctx     context.Context //nolint:containedctx // of all that it does, ended by Close
	cancel  context.CancelFunc
	all     sync.WaitGroup
	look    chan struct{} // somebody wants the requests read
	calls   chan struct{} // a place for each call
	log     context.CancelFunc
	fatal   chan error
	box     box
}

// Desktop is what of this machine a link needs.
type Desktop struct {
	Folder string                                       // where pictures are written
	Show   func(ctx context.Context, path string) error // has the desktop show a file
}

// New begins to follow a daemon's list of sessions. The link must be closed.
func New(ctx context.Context, c *client.Client, d Desktop) *Link {
	ctx, cancel := context.WithCancel(ctx)
	l := &Link{
		client: c, desktop: d, ctx: ctx, cancel: cancel, log: func() {}, look: make(chan struct{}, 1), calls: make(chan struct{}, maxCalls),
		fatal: make(chan error, 1), box: newBox(),
	}
	mirror := c.Mirror(client.MirrorOptions{List: true})
	l.spawn(func() {
		if err := mirror.Run(ctx); ctx.Err() == nil {
			l.fail(err)
		}
	})
	l.spawn(func() { l.follow(mirror) })
	l.spawn(l.readInbox)
	return l
}

// Close ends all that the link does, and returns when it has ended.
func (l *Link) Close() {
	l.cancel()
	l.box.close()
	l.all.Wait()
}

// News has a value when there is something to Take.
func (l *Link) News() <-chan struct{} { return l.box.ready }

// Fatal gives why nothing can go on.
func (l *Link) Fatal() <-chan error { return l.fatal }

// Take gives the news so far, and of a log not more than a screen takes at once.
func (l *Link) Take() []desk.News { return l.box.take() }

// spawn runs a part of the link. One that panics ends the face in order, so that the terminal is given back.
func (l *Link) spawn(part func()) {
	l.all.Add(1)
	go func() {
		defer l.all.Done()
		defer func() {
			if p := recover(); p != nil {
				l.fail(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		part()
	}()
}

func (l *Link) fail(err error) {
	select {
	case l.fatal <- err:
	default:
	}
}

// follow keeps the list of sessions.
func (l *Link) follow(m *client.Mirror) {
	for change, err := range m.Changes(l.ctx) {
		if err != nil {
			return // Run tells it
		}
		switch c := change.(type) {
		case client.SessionChanged:
			l.box.list(c.SessionSummary)
		case client.SessionGone:
			l.box.gone(c.ID)
		case client.ListCurrent:
			n := desk.Connection{Up: c.Current}
			if !c.Current {
				n.Why = "the connection to the daemon is lost"
				var away *client.Unreachable
				if errors.As(c.Err, &away) && !away.Sent {
					n.Why = "no daemon answers"
				}
			}
			l.box.put(n)
		case client.SessionLine, client.SessionOverflow, client.SessionRestored, client.SessionReset, client.SessionNotice:
		}
	}
}
