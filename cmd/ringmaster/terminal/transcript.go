package terminal

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Bounds of what a Transcript keeps: the newest of both.
const (
	maxKept  = 20_000 // events
	maxLines = 50_000
)

// Transcript is a log as lines that a screen shows a part of, also after the screen has another width. It keeps the newest events, without the deltas of
// entries that have ended. It is not safe for concurrent use.
type Transcript struct {
	opt    Options
	view   *View
	events []*protocol.Event
	lines  []string
	album  album
	Gone   int  // lines that were left out at the beginning since the last Resize
	Left   bool // earlier events are left out
}

// NewTranscript makes an empty one.
func NewTranscript(opt Options) *Transcript { return &Transcript{opt: opt, view: NewView(opt)} }

// Add takes the next events, and gives the lines that they made; these must not be changed.
func (t *Transcript) Add(events []*protocol.Event) (added []string) {
	before := len(t.lines)
	for _, e := range events {
		if end, is := e.Payload.(*protocol.EntryEnd); is {
			t.settle(end.EntryID)
		}
		t.album.add(e)
		t.events = append(t.events, e)
		t.lines = append(t.lines, t.view.Event(e)...)
	}
	added = t.lines[before:]
	if len(t.events) > maxKept {
		t.events, t.Left = append([]*protocol.Event(nil), t.events[len(t.events)-maxKept*3/4:]...), true
	}
	if len(t.lines) > maxLines {
		gone := len(t.lines) - maxLines*3/4
		t.lines, t.Left = append([]string(nil), t.lines[gone:]...), true
		t.Gone += gone
	}
	return added
}

// settle drops the deltas of an entry that ends: its end has all of it.
func (t *Transcript) settle(entry string) {
	from := len(t.events)
	for from > 0 {
		if s, is := t.events[from-1].Payload.(*protocol.EntryStart); is && s.EntryID == entry {
			break
		}
		from--
	}
	kept := t.events[:from]
	for _, e := range t.events[from:] {
		if d, is := e.Payload.(*protocol.EntryDelta); !is || d.EntryID != entry {
			kept = append(kept, e)
		}
	}
	clear(t.events[len(kept):])
	t.events = kept
}

// Resize breaks all lines anew for another width.
func (t *Transcript) Resize(columns int) {
	if columns == t.opt.Columns {
		return
	}
	t.opt.Columns = columns
	t.view, t.lines, t.Gone = NewView(t.opt), nil, 0
	for _, e := range t.events {
		t.lines = append(t.lines, t.view.Event(e)...)
	}
}

// Lines are the lines that are final; they must not be changed.
func (t *Transcript) Lines() []string { return t.lines }

// Pictures are those that the log names, the newest last; they must not be changed.
func (t *Transcript) Pictures() []Picture { return t.album.list }

// Live are the lines below them, as View.Live gives them.
func (t *Transcript) Live(frame int, nowMs int64) []string { return t.view.Live(frame, nowMs) }
