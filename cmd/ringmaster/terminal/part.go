package terminal

import (
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// part is an open entry.
type part struct {
	kind   protocol.EntryType
	began  int64
	data   protocol.EntryData // as of its start
	text   strings.Builder    // as the agent sent it
	shown  int                // bytes of text that went into wrap
	over   int64              // bytes of its text up to where it was shown beyond what the log keeps; 0: it was not
	lines  int                // lines shown of it
	waits  map[string]bool    // of a tool: its approvals that wait, by their ids
	paused int64              // ts since when any does
	waited int64              // ms in which the tool waited for an approval
	trim   bool               // something was shown in between: a space at the beginning of the rest is out of place
	clean  Cleaner
	wrap   wrapper
}

// newPart opens an entry, of which data is known.
func newPart(n *pen, e *protocol.Event, kind protocol.EntryType, data protocol.EntryData) *part {
	p := &part{kind: kind, began: e.Time, data: data}
	p.wrap.columns = n.textColumns()
	return p
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

// maxArguments bounds what is kept of streamed tool arguments for the running tool's line.
const maxArguments = 4 << 10

// change notes what a delta says of a tool's call.
func (p *part) change(d protocol.Delta) {
	t, isTool := p.data.(*protocol.ToolCallData)
	if !isTool {
		return
	}
	changed := *t
	switch d := d.(type) {
	case *protocol.StatusChange:
		changed.Status = d.Status
	case *protocol.ArgumentsAppend:
		if len(t.Arguments) >= maxArguments {
			return
		}
		changed.Arguments += d.Text
	default:
		return
	}
	p.data = &changed
}

// set changes a part's text. A text that does not go on from what was shown is shown again from its beginning.
func (p *part) set(n *pen, op protocol.ChunkOp, text string) []string {
	if op == protocol.OpAppend {
		p.text.WriteString(text)
		return nil
	}
	old := p.text.String()
	p.over = 0
	p.text.Reset()
	p.text.WriteString(text)
	if strings.HasPrefix(text, old[:min(p.shown, len(old))]) {
		return nil
	}
	var out []string
	if p.wrap.rest() != "" {
		out = append(out, p.textLine(n, p.wrap.flush()))
	}
	if p.lines > 0 || len(out) > 0 {
		out = append(out, n.style.Dim("  (replaced by:)"))
	}
	p.shown, p.lines, p.clean, p.wrap = 0, 0, Cleaner{}, wrapper{columns: n.textColumns()}
	return out
}

// advance shows what came to a text.
func (p *part) advance(n *pen) []string {
	text := p.text.String()
	more := text[p.shown:]
	if !n.opt.Raw {
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
	return p.textLines(n, p.wrap.add(more))
}

// overflow shows what follows at bytes of a text of which the log keeps less.
func (p *part) overflow(n *pen, at int64, text string) (out []string) {
	missing := at - max(p.over, int64(p.text.Len()))
	if missing < 0 {
		return nil
	}
	if missing > 0 {
		if p.wrap.rest() != "" {
			out = append(out, p.textLine(n, p.wrap.flush()))
		}
		out = append(out, n.style.Dim("  ("+strconv.FormatInt(missing, 10)+" bytes are not shown)"))
	}
	p.over = at + int64(len(text))
	if !n.opt.Raw {
		text = p.clean.Clean(text)
	}
	return append(out, p.textLines(n, p.wrap.add(text))...)
}

// end shows the rest of a text, whose whole is known now.
func (p *part) end(n *pen, text string, end *protocol.EntryEnd) []string {
	over := p.over
	out := p.set(n, protocol.OpSet, text)
	out = append(out, p.advance(n)...)
	out = append(out, p.textLines(n, p.wrap.add(p.clean.End()))...)
	if p.wrap.rest() != "" {
		out = append(out, p.textLine(n, p.wrap.flush()))
	}
	if d, is := end.Data.(*protocol.MessageData); is {
		out = append(out, n.pictures(d.Images)...)
	}
	if end.Incomplete {
		out = append(out, n.style.Dim("  (incomplete"+n.reason(end.Reason)+")"))
	}
	if c := cutOf(end.Data); over > 0 && c.Truncated {
		return append(out, n.style.Dim("  (the log keeps "+picture.Size(int64(len(text)))+" of "+picture.Size(c.Bytes)+")"))
	}
	return append(out, n.cutNote(end.Data)...)
}

// textLines shows lines of its text.
func (p *part) textLines(n *pen, lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, p.textLine(n, l))
	}
	return out
}

// textLine shows one line of a text; counted, so that the first one has the mark.
func (p *part) textLine(n *pen, line string) string {
	p.lines++
	return n.text(p.kind, line, p.lines == 1)
}

// pause notes that a tool waits for an approval: what a person thinks over is not the tool's time.
func (p *part) pause(request string, now int64) {
	if p.waits == nil {
		p.waits = map[string]bool{}
	}
	if len(p.waits) == 0 {
		p.paused = now
	}
	p.waits[request] = true
}

// resume notes that an approval waits no more; the tool goes on with its last one.
func (p *part) resume(request string, now int64) {
	if p.waits[request] {
		delete(p.waits, request)
		if len(p.waits) == 0 {
			p.waited += max(0, now-p.paused)
		}
	}
}

// took is how long a tool has worked, in ms.
func (p *part) took(now int64) int64 {
	waited := p.waited
	if len(p.waits) > 0 {
		waited += max(0, now-p.paused)
	}
	return now - p.began - waited
}
