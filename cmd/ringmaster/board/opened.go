package board

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// opened is the session whose log is open.
type opened struct {
	session string
	opt     terminal.Options
	log     *terminal.Transcript
	paused  string // why nothing comes of it; empty: it goes on
	top     int    // the first line that is shown, while somebody reads above the end
	reading bool   // somebody does
	frame   int    // of the spinners
	find    finder
}

func newOpened(session string, opt terminal.Options) opened {
	return opened{session: session, opt: opt, log: terminal.NewTranscript(opt), find: finder{line: -1}}
}

// take takes the next lines of the log.
func (o *opened) take(n desk.Lines) {
	if o.session != n.Session || o.log == nil {
		return
	}
	if n.Reset {
		o.log, o.reading, o.find.line = terminal.NewTranscript(o.opt), false, -1
	}
	o.log.Left = o.log.Left || n.Left
	before := o.log.Gone
	o.log.Add(n.Events)
	if gone := o.log.Gone - before; gone > 0 { // whoever reads goes on to read the same
		o.top = max(0, o.top-gone)
		o.find.moved(gone)
	}
	o.paused = ""
}

// resize breaks the lines anew. Where somebody has read is not to be found in them.
func (o *opened) resize(columns int) {
	if o.log != nil {
		o.opt.Columns = columns
		o.log.Resize(columns)
		o.reading, o.find.line = false, -1
	}
}

// close wants the log no more.
func (o *opened) close() []desk.Wish {
	if o.session == "" {
		return nil
	}
	*o = opened{}
	return []desk.Wish{desk.Close{}}
}

// body is the log as far as it is kept, and what moves below it.
func (o *opened) body(now time.Time) []string {
	if o.log == nil {
		return nil
	}
	lines := o.log.Lines()
	return append(lines[:len(lines):len(lines)], o.log.Live(o.frame, now.UnixMilli())...)
}

// scroll moves in a log of which so many rows are shown.
func (o *opened) scroll(k keys.Key, rows int, now time.Time) {
	last := max(0, len(o.body(now))-rows)
	at := last
	if o.reading {
		at = min(o.top, last)
	}
	switch {
	case k.Is("/"):
		o.find = finder{writing: true, line: -1}
		return
	case k.Is("n", "N"):
		if o.find.active() {
			o.goTo(at+rows-1, rows, k.Is("n"))
		}
		return
	case k.Is("up", "k"):
		at--
	case k.Is("down", "j"):
		at++
	case k.Is("pgup", "b"):
		at -= max(1, rows-2)
	case k.Is("pgdown", " "):
		at += max(1, rows-2)
	case k.Is("home", "g"):
		at = 0
	case k.Is("end", "G"):
		at = last
	default:
		return
	}
	o.top = min(max(at, 0), last)
	o.reading = o.top < last
}

// search takes a key of what is looked for: it is found while it is written, the newest first.
func (o *opened) search(k keys.Key, rows int) {
	f := &o.find
	switch {
	case k.Is("enter"):
		f.writing = false
		return
	case k.Is("esc"):
		*f = finder{line: -1}
		return
	}
	if !f.text.Key(k) {
		return
	}
	f.line = -1
	if o.log == nil {
		return
	}
	o.goTo(len(o.log.Lines())-1, rows, true)
}

// goTo goes to the next place where the text is, and shows it in the middle.
func (o *opened) goTo(from, rows int, up bool) {
	if o.log == nil {
		return
	}
	lines := o.log.Lines()
	o.find.find(lines, from, up)
	if o.find.line < 0 {
		return
	}
	last := max(0, len(lines)-rows)
	o.top = min(max(0, o.find.line-rows/2), last)
	o.reading = true
}
