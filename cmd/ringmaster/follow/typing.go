package follow

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// typing is the keys of somebody who reads a log, and what the log asks of them. A nil typing is one without keys: its channels are silent, and it shows
// nothing.
type typing struct {
	answer   func(ctx context.Context, request string, a resource.RequestAnswer) error
	terminal *tty.Terminal
	keyboard *tty.Keyboard
	signals  chan os.Signal
	calls    sync.WaitGroup
	done     chan given
	watch    asked.Watch
	failed   given // the last answer that did not count
}

// given is what became of an answer.
type given struct {
	request string
	err     error
	panic   error // a mistake of ours, which ends the following in order, so that the terminal is given back
}

// keys takes the keys where that is wanted and there are any.
func (f *Following) keys(con *console.Console) (*typing, error) {
	t, is := tty.Open(con.In, con.Out)
	if !f.Answers || f.Show.Form == JSON || f.Show.Raw || !is || os.Getenv("TERM") == "dumb" {
		return nil, nil
	}
	if err := t.Begin(false); err != nil {
		return nil, err
	}
	k, err := t.Keys()
	if err != nil {
		t.End()
		return nil, err
	}
	y := &typing{terminal: t, keyboard: k, done: make(chan given, 1), signals: make(chan os.Signal, 4)}
	y.answer = func(ctx context.Context, request string, a resource.RequestAnswer) error {
		_, err := f.Session.Answer(ctx, request, a)
		return err
	}
	signal.Notify(y.signals, syscall.SIGTSTP, syscall.SIGHUP)
	return y, nil
}

// end gives the terminal back.
func (y *typing) end() {
	if y == nil {
		return
	}
	signal.Stop(y.signals)
	y.keyboard.Close()
	y.terminal.End()
	y.calls.Wait() // the context of the answer is over
}

func (y *typing) pressed() <-chan []keys.Key {
	if y == nil || y.keyboard == nil { // in the background
		return nil
	}
	return y.keyboard.C
}

func (y *typing) answered() <-chan given {
	if y == nil {
		return nil
	}
	return y.done
}

func (y *typing) signalled() <-chan os.Signal {
	if y == nil {
		return nil
	}
	return y.signals
}

// keys takes keys. open is false when the terminal has gone.
func (y *typing) keys(ctx context.Context, list []keys.Key, open bool, now time.Time) error {
	if !open {
		return cmp.Or[error](y.keyboard.Err(), exit.ErrStopped)
	}
	for _, k := range list {
		request, reply := y.watch.Key(k, now)
		if reply == nil {
			continue
		}
		y.failed = given{}
		y.calls.Go(func() {
			g := given{request: request}
			defer func() {
				if p := recover(); p != nil {
					g.panic = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				}
				select {
				case y.done <- g:
				case <-ctx.Done():
				}
			}()
			g.err = y.answer(ctx, request, *reply)
		})
	}
	return nil
}

// told takes what became of an answer. One that counted is in the log.
func (y *typing) told(g given, now time.Time) error {
	if g.err != nil {
		y.failed = g
		y.watch.Failed(g.request, now)
	}
	return g.panic
}

func (y *typing) signal(s os.Signal) (err error) {
	if s == syscall.SIGHUP {
		return exit.ErrStopped
	}
	y.keyboard, err = y.terminal.Hold(y.keyboard)
	return err
}

// tick looks whether a job in the background was brought back: shells send one that runs no signal then.
func (y *typing) tick() (err error) {
	if y != nil && y.keyboard == nil {
		y.keyboard, err = y.terminal.Again(false)
	}
	return err
}

// event takes the next event, and shows of a request what it would change.
func (y *typing) event(e *protocol.Event, style terminal.Style, columns int) []string {
	if y == nil {
		return nil
	}
	y.watch.Event(e)
	var out []string
	if q, is := e.Payload.(*protocol.RequestOpened); is {
		for _, l := range y.watch.Edit(q, style, columns-4) {
			out = append(out, "    "+l)
		}
	}
	return out
}

func (y *typing) reset() {
	if y != nil {
		y.watch.Reset()
		y.failed = given{}
	}
}

// prompt shows which keys answer what is asked.
func (y *typing) prompt(style terminal.Style, columns int, now time.Time) []string {
	if y == nil || y.keyboard == nil {
		return nil
	}
	if y.watch.Next(now) {
		y.terminal.Ring("ringmaster: a session needs you")
	}
	lines := y.watch.Prompt(style, columns)
	if y.failed.err != nil && y.failed.request == y.watch.Asks() {
		lines = append(lines, style.Bad("not answered: "+terminal.Visible(exit.Words(y.failed.err))))
	}
	return lines
}
