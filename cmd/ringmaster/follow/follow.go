// Package follow shows a session's log while it is written, until what was wanted has come.
package follow

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	frameTime  = 100 * time.Millisecond // of the spinner
	maxUpdates = 64                     // between the connection and the screen
	giveUp     = 30 * time.Second       // without a sign of the daemon
)

// Following is one log on its way to a screen.
type Following struct {
	Session client.Session
	Since   protocol.Cursor
	Show    Options
	// Until says after each event whether it was the last one wanted; nil: follow to the session's end.
	Until func(l *client.Line) bool
	// Signalled is called for each signal, in a goroutine of its own that ends with the following; nil: signals are not
	// looked at.
	Signalled func(ctx context.Context, n int) error
	// Answers has keys answer what the log asks, where a person reads it on a terminal and types at it.
	Answers bool
}

// Run follows until the log is over, Until says so, ctx is done, or Signalled fails.
func (f *Following) Run(ctx context.Context, con *console.Console) (err error) {
	typed, err := f.keys(con)
	if err != nil {
		return err
	}
	defer typed.end()
	shown := newScreen(con, f.Show, typed)
	ctx, cancel := context.WithCancelCause(ctx)
	updates := make(chan client.Update, maxUpdates)
	ended := make(chan error, 1)
	go func() { ended <- f.read(ctx, updates) }()
	reading := true
	defer func() {
		cancel(nil)
		if reading {
			<-ended
		}
		err = errors.Join(err, shown.done())
	}()
	ticker := time.NewTicker(frameTime)
	defer ticker.Stop()
	signals, reacted, count := con.Signals.C, make(chan error), 0
	if f.Signalled == nil {
		signals = nil
	}
	for {
		select {
		case u := <-updates:
			over, err := f.show(shown, drain(updates, u))
			if over || err != nil {
				return err
			}
		case err := <-ended:
			reading = false
			for len(updates) > 0 {
				if over, err := f.show(shown, drain(updates, <-updates)); over || err != nil {
					return err
				}
			}
			return err
		case <-ticker.C:
			if err := typed.tick(); err != nil {
				return err
			}
			if err := shown.tick(con.Now()); err != nil {
				return err
			}
		case <-signals:
			count++
			go func(n int) {
				select {
				case reacted <- f.Signalled(ctx, n):
				case <-ctx.Done():
				}
			}(count)
		case err := <-reacted:
			if err != nil {
				return err
			}
		case list, open := <-typed.pressed():
			if err := typed.keys(ctx, list, open, con.Now()); err != nil {
				return err
			}
			if err := shown.tick(con.Now()); err != nil {
				return err
			}
		case g := <-typed.answered():
			if err := typed.told(g, con.Now()); err != nil {
				return err
			}
		case s := <-typed.signalled():
			if err := typed.signal(s); err != nil {
				return err
			}
		}
	}
}

// read hands on what the connection brings, until the daemon has stayed away for too long. A panic ends the following in order, so that the terminal is
// given back.
func (f *Following) read(ctx context.Context, updates chan<- client.Update) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	for u, err := range f.Session.Follow(ctx, f.Since) {
		if err != nil {
			return err
		}
		if l, is := u.(client.Lost); is && l.Away >= giveUp {
			return l.Err
		}
		select {
		case updates <- u:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// drain takes what has come in meanwhile, so that it is painted at once.
func drain(c <-chan client.Update, first client.Update) []client.Update {
	list := []client.Update{first}
	for len(list) < maxUpdates {
		select {
		case u := <-c:
			list = append(list, u)
		default:
			return list
		}
	}
	return list
}

// show shows updates up to the last one wanted.
func (f *Following) show(on screen, list []client.Update) (over bool, err error) {
	for i, u := range list {
		if l, ok := u.(client.Line); ok && f.Until != nil && f.Until(&l) {
			return true, on.show(list[:i+1])
		}
	}
	return false, on.show(list)
}
