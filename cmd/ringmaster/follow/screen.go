package follow

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// screen shows a followed log. Its methods are called from one goroutine.
type screen interface {
	// show takes the next updates.
	show(updates []client.Update) error
	// tick is called several times a second.
	tick(now time.Time) error
	// done is called once, at the end.
	done() error
}

// Form is how a log is shown.
type Form int

// The forms.
const (
	Auto  Form = iota // for people on a terminal, else JSON lines
	JSON              // the lines as they are
	Human             // for people
)

// FormOf is JSON where that is wanted, else for people.
func FormOf(asJSON bool) Form {
	if asJSON {
		return JSON
	}
	return Human
}

// Options say how a log is shown.
type Options struct {
	Form    Form
	Raw     bool   // texts as the agent wrote them
	Session string // how hints call the session
}

func newScreen(con *console.Console, opt Options, typed *typing) screen {
	columns, tty := console.Terminal(con.Out)
	if opt.Form == JSON || opt.Form == Auto && !tty {
		return &jsonScreen{con.Out, tty}
	}
	live := tty && os.Getenv("TERM") != "dumb" && !opt.Raw
	if opt.Raw {
		columns = 0
	}
	s := &humanScreen{
		out: con.Out, live: live, now: con.Now(),
		opt:     terminal.Options{Columns: columns, Colour: con.Style().Colour, Raw: opt.Raw, Session: opt.Session, Keys: typed != nil},
		painter: terminal.NewPainter(con.Out), typed: typed,
	}
	s.view = terminal.NewView(s.opt)
	return s
}

// jsonScreen writes the lines of the log as the daemon wrote them; on a terminal with what could steer it escaped. A
// reset is a line too, as in the stream.
type jsonScreen struct {
	out io.Writer
	tty bool
}

func (s *jsonScreen) show(updates []client.Update) error {
	var b []byte
	for _, u := range updates {
		switch u := u.(type) {
		case client.Line:
			b = append(append(b, u.Raw...), '\n')
		case client.Overflow:
			b = append(protocol.AppendOverflow(b, &u.Overflow), '\n')
		case client.Reset:
			b = fmt.Appendf(b, `{"type":"reset","epoch":%d,"oldest":%d,"newest":%d}`+"\n", u.Epoch, u.Oldest, u.Newest)
		case client.Damage:
			b = append(protocol.AppendDamage(b, &u.Damage), '\n')
		case client.Lost:
		}
	}
	if s.tty {
		b = []byte(console.EscapeControls(string(b)))
	}
	_, err := s.out.Write(b)
	return err
}

// tick ends a following that nobody reads any more: without it a quiet log would be followed for ever, as in `tail | head -1`.
func (s *jsonScreen) tick(time.Time) error { return readerLeft(s.out) }
func (s *jsonScreen) done() error          { return nil }

// humanScreen shows a log to a person; on a terminal with a live part below.
type humanScreen struct {
	out     io.Writer
	live    bool
	opt     terminal.Options
	view    *terminal.View
	painter *terminal.Painter
	frame   int
	now     time.Time
	notice  string // about the connection
	typed   *typing
}

func (s *humanScreen) show(updates []client.Update) error {
	var lines []string
	for _, u := range updates {
		s.notice = ""
		switch u := u.(type) {
		case client.Line:
			lines = append(lines, s.view.Event(&u.Event)...)
			lines = append(lines, s.typed.event(&u.Event, s.style(), s.opt.Columns)...)
		case client.Overflow:
			lines = append(lines, s.view.Overflow(&u.Overflow)...)
		case client.Reset:
			s.typed.reset()
			s.view = terminal.NewView(s.opt)
			lines = append(lines, s.style().Warn("! the log was reset: it is shown again from its beginning"))
		case client.Damage:
			lines = append(lines, s.style().Warn("! the log ends here: "+u.Damage.String()))
		case client.Lost:
			if u.Wait > 0 {
				s.notice = "connection lost; next try in " + u.Wait.Round(100*time.Millisecond).String()
			}
		}
	}
	return s.paint(lines)
}

func (s *humanScreen) style() terminal.Style { return terminal.Style{Colour: s.opt.Colour} }

func (s *humanScreen) paint(lines []string) error {
	if !s.live {
		for _, l := range lines {
			if _, err := io.WriteString(s.out, l+"\n"); err != nil {
				return err
			}
		}
		return nil
	}
	live := s.view.Live(s.frame, s.now.UnixMilli())
	if s.notice != "" {
		live = append(live, s.style().Warn("! "+s.notice))
	}
	for _, l := range s.typed.prompt(s.style(), s.opt.Columns, s.now) {
		live = append(live, terminal.Fit(l, s.opt.Columns))
	}
	return s.painter.Paint(lines, live)
}

func (s *humanScreen) tick(now time.Time) error {
	if !s.live {
		return readerLeft(s.out)
	}
	s.frame++
	s.now = now
	if columns, ok := console.Terminal(s.out); ok && columns != s.opt.Columns {
		s.opt.Columns = columns
		s.view.Resize(columns)
	}
	return s.paint(nil)
}

func (s *humanScreen) done() error {
	if !s.live {
		return nil
	}
	return s.painter.Done()
}

// readerLeft is exit.ErrDone where the output is a pipe or a socket whose reader has closed it.
func readerLeft(w io.Writer) error {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	poll := []unix.PollFd{{Fd: int32(f.Fd())}}
	if n, err := unix.Poll(poll, 0); n > 0 && err == nil && poll[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
		return exit.ErrDone
	}
	return nil
}
