package poll

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// member is one log of a poll.
type member struct {
	id      string
	feed    *feed.Feed
	epoch   uint64 // of what was read
	items   *protocol.Items
	since   uint64 // seq after which the client wants events
	reset   bool
	dropped uint64
	status  string // the last status item since the call came
	got     []sessionEvent
	growing map[string]int    // messages among got, by entry
	size    int               // of got, in bytes
	live    int               // of got: those that no later one replaces
	asks    map[string]bool   // what was asked that the caller may answer, and is open
	over    bool              // the turn of the prompt that is read of has ended
	more    bool              // there is one event more than was wanted
	cut     *protocol.Items   // the fold up to the last of got, from when the page is half full; nil: not known
	behind  []*protocol.Event // what was read behind that one: at most maxBehind and one
}

func (p *poll) member(ctx context.Context, id string) (*member, error) {
	from, err := p.in.from(id)
	if err != nil {
		return nil, err
	}
	f, err := feed.Open(ctx, p.of.door, id, "mcp")
	if err != nil {
		return nil, err
	}
	since, ok := f.After(from)
	m := &member{id: id, feed: f, epoch: f.Epoch, since: since, reset: !ok}
	if m.items, err = p.of.views.Fold(ctx, f, m.since); err != nil {
		f.Close()
		return nil, err
	}
	return m, nil
}

// from is the position after which the events of a log are wanted.
func (in *Input) from(id string) (protocol.Cursor, error) {
	start := protocol.Cursor{Epoch: 1}
	if text, ok := in.Cursors[id]; ok {
		c, err := protocol.ParseCursor(text)
		if err != nil {
			return start, problem.Invalid("A cursor of cursors is none.", "Pass cursors as the call before gave them.")
		}
		return c, nil
	}
	if id == in.SessionID && in.SinceIndex != nil {
		return protocol.Cursor{Epoch: max(in.Epoch, 1), Seq: uint64(*in.SinceIndex + 1)}, nil
	}
	return start, nil
}

// read takes what is there, up to one event more than is wanted.
func (m *member) read(ctx context.Context, p *poll) error {
	if m.feed.Lost { // the next call is told
		return nil
	}
	if n := m.feed.Head() - m.feed.At; m.got == nil && n > 0 {
		m.got = make([]sessionEvent, 0, min(uint64(p.in.MaxEvents), n))
	}
	oldest, err := m.feed.Read(ctx, func(e *protocol.Event) bool { return m.take(p, e) })
	if oldest > m.since+1 {
		m.dropped += oldest - m.since - 1
	}
	return err
}

// take takes an event and says whether further ones are wanted: behind one for which there was no room, none is.
func (m *member) take(p *poll, e *protocol.Event) bool {
	if m.more {
		return false
	}
	full := m.live == p.in.MaxEvents
	if child, ok := e.Payload.(*protocol.ChildSession); ok && p.in.IncludeChildren && p.has(child.ChildSessionID) == nil {
		p.born = append(p.born, child.ChildSessionID)
	}
	if r, ok := e.Payload.(*protocol.PromptRemoved); ok && r.PromptID == p.in.PromptID && r.Reason == protocol.RemovedCancelled {
		m.over = true // which gives no item
	}
	it, ok := m.items.Item(e)
	if m.cut != nil && len(m.behind) <= maxBehind {
		m.behind = append(m.behind, e)
	}
	if !ok {
		return true
	}
	if p.in.PromptID != "" && !m.items.Serves(&it, p.in.PromptID) {
		m.heed(p, &it) // the prompt waits for the turn that asks
		return true
	}
	ev := sessionEvent{SessionEvent: it}
	wanted := p.types[it.Type] && !p.elsewhere(&it)
	if wanted {
		ev.Brief(p.in.MaxText)
		if ev.Type == protocol.ItemCallerTool && len(ev.Arguments) > protocol.BriefMessage && !p.offers(m.id, &it) {
			ev.Arguments, ev.Truncated = "", true // who carries it out gets them
		}
		if p.in.Detail {
			ev.Event = json.RawMessage(protocol.Append(nil, e))
		}
		full = full || m.live > 0 && m.size+ev.size() > p.in.MaxBytes
	}
	if wanted && full {
		m.more = true
		return false
	}
	m.heed(p, &it)
	if it.Type == protocol.ItemStatus {
		m.status = it.Text
	}
	m.over = m.over || it.Outcome != "" && it.Type != protocol.ItemChild
	if !wanted {
		return true
	}
	if p.in.IncludeChildren {
		ev.SessionID = m.id
	}
	m.add(ev)
	m.catchUp(p.in)
	return true
}

// maxBehind is how many events are folded a second time rather than that the fold is copied.
const maxBehind = 64

// catchUp brings the fold of the page's end up to the event that was added. Which event the last one is turns out with the first that has
// no room, and that is in the fold already; without the second fold the next call would read this page anew to know what came before it.
func (m *member) catchUp(in *Input) {
	switch {
	case m.cut == nil && 2*m.live <= in.MaxEvents && 2*m.size <= in.MaxBytes: // there is much room yet
	case m.cut == nil, len(m.behind) > maxBehind:
		m.cut = m.items.Clone()
	default:
		for _, e := range m.behind {
			m.cut.Item(e)
		}
	}
	clear(m.behind)
	m.behind = m.behind[:0]
}

// offers says that the caller carries out what an item asks for.
func (p *poll) offers(sessionID string, it *protocol.SessionEvent) bool {
	return p.of.callers.OfferedBy(sessionID, strings.TrimSuffix(it.ToolName, "_"+it.Tool), p.call)
}

// heed keeps what is open of what the caller may answer: it ends the waiting.
func (m *member) heed(p *poll, it *protocol.SessionEvent) {
	mine := false
	switch it.Type {
	case protocol.ItemRequest:
		mine = form.Answerable(p.call.Who, it.Kind)
	case protocol.ItemCallerTool:
		mine = p.offers(m.id, it)
	case protocol.ItemRequestResolved:
		delete(m.asks, it.RequestID)
	default:
	}
	if mine {
		if m.asks == nil {
			m.asks = map[string]bool{}
		}
		m.asks[it.RequestID] = true
	}
}

// size is what an event counts for in max_bytes.
func (ev *sessionEvent) size() int { return ev.Size() + len(ev.Event) }

// add keeps an event. A message that grows is one thing to whoever reads it: of what came of it meanwhile the last is kept.
func (m *member) add(ev sessionEvent) {
	if ev.Type == protocol.ItemMessage {
		if i, ok := m.growing[ev.EntryID]; ok {
			old := &m.got[i]
			m.size -= old.size()
			m.live--
			old.replaced = true
		}
		if m.growing == nil {
			m.growing = map[string]int{}
		}
		m.growing[ev.EntryID] = len(m.got)
	}
	m.got = append(m.got, ev)
	m.size += ev.size()
	m.live++
}

// next is the position behind the events that the client gets, the last of them with seq last.
func (m *member) next(views *feed.Views, last uint64) protocol.Cursor {
	if m.cut != nil && len(m.got) > 0 && m.got[len(m.got)-1].Seq == last {
		views.Keep(m.id, m.epoch, last, m.cut)
	}
	return protocol.Cursor{Epoch: m.epoch, Seq: last}
}
