package face

import (
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/board"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/browser"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/link"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty"
)

// Times of the screen.
const (
	frameTime = time.Second / 30       // between two pictures, at least
	moveTime  = 125 * time.Millisecond // between two pictures of what moves by itself
	ageTime   = time.Second            // between two of what only grows older
)

// ErrNoTerminal says that keys and pictures need a terminal.
var ErrNoTerminal = exit.WithHint(exit.Usagef("this command needs a terminal for its input and its output"),
	"ringmaster ls, tail and answer work without one")

// Possible says whether a board can be shown.
func Possible(con *console.Console) bool {
	_, is := tty.Open(con.In, con.Out)
	return is
}

// Face is one run of a board.
type Face struct {
	con      *console.Console
	terminal *tty.Terminal
	screen   tty.Screen
	link     *link.Link
	board    *board.State
	keyboard *tty.Keyboard
	signals  chan os.Signal
	columns  int
	rows     int
	drawn    time.Time
	over     bool
}

// Run shows a board until somebody quits, the daemon refuses, ctx is done, or the terminal has gone.
func Run(ctx context.Context, con *console.Console, c *client.Client, opt board.Options) (err error) {
	t, is := tty.Open(con.In, con.Out)
	if !is {
		return ErrNoTerminal
	}
	opt.Key, opt.Colour = cryptorand.Text, con.Style().Colour
	f := &Face{con: con, terminal: t, screen: tty.Screen{Out: con.Out}}
	f.link = link.New(ctx, c, link.Desktop{Folder: opt.Cwd, Show: browser.Open})
	defer f.link.Close() // it waits for what is being done, and by then the terminal is given back
	f.columns, f.rows = t.Size()
	f.signals = make(chan os.Signal, 8)
	signal.Notify(f.signals, syscall.SIGWINCH, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGHUP)
	defer signal.Stop(f.signals)
	if err := t.Begin(true); err != nil {
		return err
	}
	defer t.End() // also in a panic
	if f.keyboard, err = t.Keys(); err != nil {
		return err
	}
	defer func() { f.keyboard.Close() }()
	var wishes []desk.Wish
	f.board, wishes = board.New(opt, f.columns, f.rows, con.Now())
	if err := f.do(wishes); err != nil {
		return err
	}
	return f.run(ctx)
}

func (f *Face) run(ctx context.Context) error {
	frame := time.NewTimer(0) // the first picture
	defer frame.Stop()
	news := false
	for !f.over {
		select {
		case list, open := <-f.keyboard.C:
			if !open { // the terminal has gone
				return cmp.Or[error](f.keyboard.Err(), exit.ErrStopped)
			}
			for _, k := range list {
				if err := f.do(f.board.Key(k, f.con.Now())); err != nil {
					return err
				}
			}
			f.soon(frame)
		case <-f.link.News():
			news = true
			f.soon(frame)
		case <-frame.C:
			if news {
				news = false
				for _, n := range f.link.Take() {
					if err := f.do(f.board.News(n, f.con.Now())); err != nil {
						return err
					}
				}
			}
			if err := f.draw(); err != nil {
				return err
			}
			frame.Reset(f.pause())
		case err := <-f.link.Fatal():
			return err
		case s := <-f.signals:
			if err := f.signalled(s); err != nil {
				return err
			}
			f.soon(frame)
		case <-ctx.Done(): // a signal, among others
			return context.Cause(ctx)
		}
	}
	return nil
}

// soon has the next picture come as early as it may.
func (f *Face) soon(frame *time.Timer) {
	frame.Reset(max(0, frameTime-time.Since(f.drawn)))
}

// pause is how long a picture stays when nothing happens.
func (f *Face) pause() time.Duration {
	if f.board.Moves() {
		return moveTime
	}
	return ageTime
}

func (f *Face) draw() error {
	f.drawn = time.Now()
	f.board.Tick(f.con.Now())
	if err := f.screen.Draw(f.board.View(), f.rows); err != nil {
		return errors.Join(exit.ErrStopped, err) // nobody is there who could read of it
	}
	return nil
}

// do carries out what the board wants.
func (f *Face) do(wishes []desk.Wish) error {
	for _, w := range wishes {
		switch w := w.(type) {
		case desk.Ring:
			f.terminal.Ring(w.Words)
		case desk.Suspend:
			if err := f.suspend(); err != nil {
				return err
			}
		case desk.Quit:
			f.over = true
		default:
			f.link.Do(w)
		}
	}
	return nil
}

func (f *Face) signalled(s os.Signal) error {
	switch s {
	case syscall.SIGTSTP:
		return f.suspend()
	case syscall.SIGHUP:
		return exit.ErrStopped
	case syscall.SIGCONT, syscall.SIGWINCH:
		f.resize()
	}
	return nil
}

// suspend stops the program until the shell lets it go on.
func (f *Face) suspend() (err error) {
	f.keyboard, err = f.terminal.Hold(f.keyboard)
	f.resize()
	return err
}

// resize looks how large the terminal is, and has everything drawn anew: somebody else may have written there.
func (f *Face) resize() {
	f.columns, f.rows = f.terminal.Size()
	f.board.Resize(f.columns, f.rows)
	f.screen.Forget()
}
