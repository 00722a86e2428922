package terminal

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Options say how a View shows.
type Options struct {
	Columns int    // of the terminal; 0: no limit
	Colour  bool   // with SGR colours
	Raw     bool   // texts as the agent wrote them, control characters included
	Session string // how the session is called in hints; empty: SESSION
	Keys    bool   // keys answer what is asked: no command is shown that does
}

// View turns the events of one session, in order, into lines for a person. It is pure: the same events give the same
// lines. A line that Event returned is final; what may still change is in Live. The lines hold no control character of
// an agent or user: newlines, tabs and SGR colours are the View's own.
type View struct {
	pen     pen
	entries *entries
	turn    turn
	begun   bool // a turn has begun
	status  protocol.Status
	queued  map[string]string // prompt texts
	asks    asks
}

// NewView makes the view of a log that is read from its first event, or from anywhere.
func NewView(opt Options) *View {
	if opt.Session == "" {
		opt.Session = "SESSION"
	}
	return &View{pen: pen{opt, Style{opt.Colour}}, entries: &entries{parts: map[string]*part{}}, queued: map[string]string{}}
}

// Resize sets the width of the lines to come.
func (v *View) Resize(columns int) {
	v.pen.opt.Columns = columns
	v.entries.resize(&v.pen)
}

// Event takes the next event and returns the lines that are final now.
func (v *View) Event(e *protocol.Event) []string {
	if why := v.asks.settled(e); why != "" {
		return append(v.entries.interject(&v.pen, v.pen.why(why)...), v.event(e)...)
	}
	return v.event(e)
}

// Overflow takes a part of a text beyond what the log keeps of it, and returns the lines that are final now. Of the text that is being shown it is
// shown, and of no other.
func (v *View) Overflow(o *protocol.Overflow) []string { return v.entries.overflow(&v.pen, o) }

func (v *View) event(e *protocol.Event) []string {
	switch p := e.Payload.(type) {
	case *protocol.EntryStart:
		var out []string
		if p.EntryType != protocol.EntryUserMessage && p.EntryType != protocol.EntrySystem { // a notice may come before the agent repeats it
			out = v.entries.emit(v.turn.showPrompt(&v.pen)...)
		}
		return append(out, v.entries.open(&v.pen, e, p)...)
	case *protocol.EntryDelta:
		return v.entries.change(&v.pen, e, p)
	case *protocol.EntryEnd:
		out, text := v.entries.close(&v.pen, e, p)
		if p.EntryType == protocol.EntryUserMessage {
			var images []string
			if d, is := p.Data.(*protocol.MessageData); is {
				images = d.Images
			}
			out = append(out, v.entries.emit(v.turn.repeated(&v.pen, text, images)...)...)
		}
		return out
	case *protocol.RequestOpened, *protocol.TurnEnd, *protocol.SessionEnd:
		return v.entries.interject(&v.pen, v.notice(e)...)
	default:
		return v.entries.emit(v.notice(e)...)
	}
}
