package terminal

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries are the open entries. The text of one of them is shown as it comes, and what follows it waits for its end.
type entries struct {
	chunks protocol.Chunks
	parts  map[string]*part // by the entries' ids
	order  []*part          // in order of opening
	front  *part            // the text that is being shown; nil: none is
	behind []string         // lines that wait for the end of front
}

func (t *entries) resize(n *pen) {
	for _, p := range t.order {
		p.wrap.columns = n.textColumns()
	}
}

// emit returns lines, or keeps them back while a text is being shown.
func (t *entries) emit(lines ...string) []string {
	if t.front == nil {
		return lines
	}
	t.behind = append(t.behind, lines...)
	return nil
}

// interject returns lines at once, also in the middle of a text: somebody has to act on them.
func (t *entries) interject(n *pen, lines ...string) []string {
	var out []string
	if p := t.front; p != nil && p.wrap.rest() != "" {
		out = append(out, p.textLine(n, p.wrap.flush()))
		p.trim = true
	}
	return append(out, lines...)
}

func (t *entries) open(n *pen, e *protocol.Event, s *protocol.EntryStart) []string {
	chunk, _ := t.chunks.Chunk(e)
	p := newPart(n, e, s.EntryType, s.Data)
	p.text.WriteString(chunk.Text)
	t.parts[s.EntryID] = p
	t.order = append(t.order, p)
	if t.front == nil && p.streams() {
		t.front = p
	}
	if t.front == p {
		return p.advance(n)
	}
	return nil
}

func (t *entries) change(n *pen, e *protocol.Event, d *protocol.EntryDelta) []string {
	chunk, ok := t.chunks.Chunk(e)
	p := t.parts[d.EntryID]
	if p == nil {
		return nil
	}
	p.change(d.Delta)
	if !ok {
		return nil
	}
	out := p.set(n, chunk.Op, chunk.Text)
	if t.front == p {
		out = append(out, p.advance(n)...)
	}
	return out
}

func (t *entries) overflow(n *pen, o *protocol.Overflow) []string {
	p, d := t.parts[o.EntryID], o.Delta
	if text, is := d.(*protocol.TextAppend); is && p != nil && t.front == p {
		return p.overflow(n, o.Offset, text.Text)
	}
	return nil
}

// close shows the end of an entry, and gives its whole text.
func (t *entries) close(n *pen, e *protocol.Event, end *protocol.EntryEnd) (out []string, text string) {
	chunk, _ := t.chunks.Chunk(e)
	p := t.parts[end.EntryID]
	if p == nil {
		p = newPart(n, e, end.EntryType, nil)
	}
	delete(t.parts, end.EntryID)
	t.order = slices.DeleteFunc(t.order, func(o *part) bool { return o == p })
	if !p.streams() {
		return t.emit(n.block(p.took(e.Time), end)...), chunk.Text
	}
	out = p.end(n, chunk.Text, end)
	if t.front != p {
		return t.emit(out...), chunk.Text
	}
	return append(out, t.next(n)...), chunk.Text
}

// next shows what waited for the end of the front text, and chooses the next front.
func (t *entries) next(n *pen) []string {
	out := t.behind
	t.front, t.behind = nil, nil
	for _, p := range t.order {
		if p.streams() {
			t.front = p
			return append(out, p.advance(n)...)
		}
	}
	return out
}

// opened notes that a tool waits for an approval, resolved that it waits for it no more.
func (t *entries) opened(r *protocol.RequestOpened, now int64) {
	if p := t.parts[r.EntryID]; p != nil && r.Kind == protocol.RequestApproval {
		p.pause(r.RequestID, now)
	}
}

func (t *entries) resolved(request string, now int64) {
	for _, p := range t.order {
		p.resume(request, now)
	}
}
