package terminal

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Options say how a View shows.
type Options struct {
	Columns int    // of the terminal; 0: no limit
	Colour  bool   // with SGR colours
	Raw     bool   // texts as the agent wrote them, control characters included
	Session string // how the session is called in hints; empty: SESSION
}

// View turns the events of one session, in order, into lines for a person. It is pure: the same events give the same
// lines. A line that Event returned is final; what may still change is in Live. The lines hold no control character of
// an agent or user: newlines, tabs and SGR colours are the View's own.
type View struct {
	opt    Options
	style  Style
	chunks protocol.Chunks

	parts  map[string]*part
	order  []*part  // the open ones, in order of opening
	front  *part    // the text that is being shown as it comes; the others wait for its end
	behind []string // lines that wait for the end of front

	now      int64 // ts of the event at hand
	begun    bool  // a turn has begun
	status   protocol.Status
	since    int64 // ts of the last change of the state
	turn     string
	prompt   string // of the running turn, until shown
	began    int64  // ts of the running turn
	used     protocol.Usage
	requests map[string]protocol.RequestOpened
	queued   map[string]string // prompt texts
}

// part is an open entry.
type part struct {
	kind   protocol.EntryType
	id     string
	began  int64
	data   protocol.EntryData // as of its start
	text   strings.Builder    // as the agent sent it
	shown  int                // bytes of text that went into wrap
	lines  int                // lines shown of it
	waits  map[string]bool    // of a tool: its approvals that wait, by their ids
	paused int64              // ts since when any does
	waited int64              // ms in which the tool waited for an approval
	trim   bool               // something was shown in between: a space at the beginning of the rest is out of place
	clean  Cleaner
	wrap   wrapper
}

// NewView makes the view of a log that is read from its first event, or from anywhere.
func NewView(opt Options) *View {
	if opt.Session == "" {
		opt.Session = "SESSION"
	}
	return &View{
		opt:      opt,
		style:    Style{opt.Colour},
		parts:    map[string]*part{},
		requests: map[string]protocol.RequestOpened{},
		queued:   map[string]string{},
	}
}

// Resize sets the width of the lines to come.
func (v *View) Resize(columns int) {
	v.opt.Columns = columns
	for _, p := range v.order {
		p.wrap.columns = v.textColumns()
	}
}

// Event takes the next event and returns the lines that are final now.
func (v *View) Event(e *protocol.Event) []string {
	var out []string
	switch p := e.Payload.(type) {
	case *protocol.EntryStart:
		out = v.open(e, p)
	case *protocol.EntryDelta:
		out = v.change(e)
	case *protocol.EntryEnd:
		out = v.close(e, p)
	case *protocol.RequestOpened, *protocol.TurnEnd, *protocol.SessionEnd:
		out = v.interject(v.notice(e)...)
	default:
		out = v.emit(v.notice(e)...)
	}
	return out
}

// emit returns lines, or keeps them back while a text is being shown.
func (v *View) emit(lines ...string) []string {
	if v.front == nil {
		return lines
	}
	v.behind = append(v.behind, lines...)
	return nil
}

func (v *View) open(e *protocol.Event, s *protocol.EntryStart) []string {
	chunk, _ := v.chunks.Chunk(e)
	p := &part{kind: s.EntryType, id: s.EntryID, began: e.Time, data: s.Data}
	p.wrap.columns = v.textColumns()
	p.text.WriteString(chunk.Text)
	v.parts[s.EntryID] = p
	v.order = append(v.order, p)
	var out []string
	if s.EntryType != protocol.EntryUserMessage && s.EntryType != protocol.EntrySystem { // a notice may come before the agent repeats it
		out = v.emit(v.showPrompt()...)
	}
	if v.front == nil && p.streams() {
		v.front = p
	}
	if v.front == p {
		out = append(out, v.advance(p)...)
	}
	return out
}

func (v *View) change(e *protocol.Event) []string {
	chunk, ok := v.chunks.Chunk(e)
	d, _ := e.Payload.(*protocol.EntryDelta)
	p := v.parts[d.EntryID]
	if p == nil {
		return nil
	}
	if c, isStatus := d.Delta.(*protocol.StatusChange); isStatus {
		if t, isTool := p.data.(*protocol.ToolCallData); isTool {
			t2 := *t
			t2.Status = c.Status
			p.data = &t2
		}
	}
	if a, isArgs := d.Delta.(*protocol.ArgumentsAppend); isArgs {
		if t, isTool := p.data.(*protocol.ToolCallData); isTool && len(t.Arguments) < maxArguments {
			t2 := *t
			t2.Arguments += a.Text
			p.data = &t2
		}
	}
	if !ok {
		return nil
	}
	out := v.set(p, chunk.Op, chunk.Text)
	if v.front == p {
		out = append(out, v.advance(p)...)
	}
	return out
}

// maxArguments bounds what is kept of streamed tool arguments for the running tool's line.
const maxArguments = 4 << 10

// set changes a part's text. A text that does not go on from what was shown is shown again from its beginning.
func (v *View) set(p *part, op protocol.ChunkOp, text string) []string {
	if op == protocol.OpAppend {
		p.text.WriteString(text)
		return nil
	}
	old := p.text.String()
	p.text.Reset()
	p.text.WriteString(text)
	if strings.HasPrefix(text, old[:min(p.shown, len(old))]) {
		return nil
	}
	var out []string
	if p.wrap.rest() != "" {
		out = append(out, v.textLine(p, p.wrap.flush()))
	}
	if p.lines > 0 || len(out) > 0 {
		out = append(out, v.style.Dim("  (replaced by:)"))
	}
	p.shown, p.lines, p.clean, p.wrap = 0, 0, Cleaner{}, wrapper{columns: v.textColumns()}
	return out
}

// advance shows what came to a text.
func (v *View) advance(p *part) []string {
	text := p.text.String()
	more := text[p.shown:]
	if !v.opt.Raw {
		more = p.clean.Clean(more)
	}
	if p.shown == 0 {
		more = strings.TrimLeft(more, "\n")
		if more == "" && text != "" { // only newlines yet
			return nil
		}
	}
	p.shown = len(text)
	if p.trim {
		more = strings.TrimLeft(more, " ")
		p.trim = more == ""
	}
	return v.textLines(p, p.wrap.add(more))
}

func (v *View) close(e *protocol.Event, end *protocol.EntryEnd) []string {
	chunk, _ := v.chunks.Chunk(e)
	p := v.parts[end.EntryID]
	if p == nil {
		p = &part{kind: end.EntryType, id: end.EntryID, began: e.Time}
		p.wrap.columns = v.textColumns()
	}
	delete(v.parts, end.EntryID)
	for i, o := range v.order {
		if o == p {
			v.order = append(v.order[:i], v.order[i+1:]...)
			break
		}
	}
	if !p.streams() {
		return v.emit(v.block(e, p, end)...)
	}
	if end.EntryType == protocol.EntryUserMessage && v.prompt != "" && v.prompt == chunk.Text {
		v.prompt = ""
	}
	out := v.set(p, protocol.OpSet, chunk.Text)
	out = append(out, v.advance(p)...)
	out = append(out, v.textLines(p, p.wrap.add(p.clean.End()))...)
	if p.wrap.rest() != "" {
		out = append(out, v.textLine(p, p.wrap.flush()))
	}
	if end.Incomplete {
		out = append(out, v.style.Dim("  (incomplete"+v.reason(end.Reason)+")"))
	}
	out = append(out, v.cutNote(end.Data)...)
	if v.front != p {
		return v.emit(out...)
	}
	return append(out, v.next()...)
}

// next shows what waited for the end of the front text, and chooses the next front.
func (v *View) next() []string {
	out := v.behind
	v.front, v.behind = nil, nil
	for _, p := range v.order {
		if p.streams() {
			v.front = p
			return append(out, v.advance(p)...)
		}
	}
	return out
}

// interject returns lines at once, also in the middle of a text: somebody has to act on them.
func (v *View) interject(lines ...string) []string {
	var out []string
	if p := v.front; p != nil && p.wrap.rest() != "" {
		out = append(out, v.textLine(p, p.wrap.flush()))
		p.trim = true
	}
	return append(out, lines...)
}

// streams says that a part's text is shown as it comes, not at its end.
func (p *part) streams() bool {
	switch p.kind {
	case protocol.EntryUserMessage, protocol.EntryAssistantMessage, protocol.EntryThinking:
		return true
	default:
		return false
	}
}
