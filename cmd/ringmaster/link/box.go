package link

import (
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// box holds news until the face takes them.
type box struct {
	ready chan struct{} // has a value while there are any

	mu     sync.Mutex
	listed map[string]resource.SessionSummary // the newest of each
	told   map[string]bool                    // the sessions that the face knows
	went   map[string]bool                    // those of them that have gone
	other  []desk.News                        // of one kind, or answers to calls: no more than calls at once
	number uint64                             // of the log that is open: a reading of an earlier one has another
	lines  desk.Lines                         // of the open log
	paused bool                               // its last word was that nothing comes of it
	room   chan struct{}                      // closed when lines were taken
	up     chan struct{}                      // closed when the list is current again
	closed bool
}

func newBox() box {
	return box{
		ready: make(chan struct{}, 1), listed: map[string]resource.SessionSummary{}, told: map[string]bool{}, went: map[string]bool{},
		room: make(chan struct{}), up: make(chan struct{}),
	}
}

func (b *box) ring() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

func (b *box) list(s resource.SessionSummary) {
	b.mu.Lock()
	b.listed[s.ID] = s
	delete(b.went, s.ID)
	b.mu.Unlock()
	b.ring()
}

func (b *box) gone(id string) {
	b.mu.Lock()
	delete(b.listed, id)
	if b.told[id] {
		b.went[id] = true
	}
	b.mu.Unlock()
	b.ring()
}

// put adds news of which the last counts: an older one of its kind goes.
func (b *box) put(n desk.News) {
	b.mu.Lock()
	defer b.ring()
	defer b.mu.Unlock()
	b.append(n)
	if c, is := n.(desk.Connection); is && c.Up {
		close(b.up)
		b.up = make(chan struct{})
	}
}

// current gives a channel that is closed when the list of sessions is current again.
func (b *box) current() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.up
}

func (b *box) append(n desk.News) {
	for i, old := range b.other {
		if replaces(n, old) {
			b.other = append(b.other[:i], b.other[i+1:]...)
			break
		}
	}
	b.other = append(b.other, n)
}

func replaces(n, old desk.News) bool {
	switch n.(type) {
	case desk.Inbox:
		_, is := old.(desk.Inbox)
		return is
	case desk.Agents:
		_, is := old.(desk.Agents)
		return is
	case desk.Connection:
		_, is := old.(desk.Connection)
		return is
	case desk.LogPaused:
		_, is := old.(desk.LogPaused)
		return is
	default:
		return false
	}
}

// open says whose lines are kept from now on, and the number of the reading that gives them: what an earlier one still says is not kept.
func (b *box) open(session string) (number uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	b.lines, b.paused = desk.Lines{Session: session}, false
	b.other = slices.DeleteFunc(b.other, func(n desk.News) bool {
		_, is := n.(desk.LogPaused)
		return is
	})
	return b.number
}

// reset says that all lines so far are void, or that earlier ones were left out.
func (b *box) reset(number uint64, void, left bool) {
	b.mu.Lock()
	if b.number == number {
		if void {
			b.lines.Events, b.lines.Reset = nil, true
		}
		b.lines.Left = b.lines.Left || left
	}
	b.mu.Unlock()
	b.ring()
}

// caught says that all lines have come that were there when the log was opened, or opened again: it goes on.
func (b *box) caught(number uint64) {
	b.mu.Lock()
	if b.number == number {
		b.lines.Caught = true
		if b.paused {
			b.append(desk.LogPaused{Session: b.lines.Session})
		}
		b.paused = false
	}
	b.mu.Unlock()
	b.ring()
}

// pause says why nothing comes of the log.
func (b *box) pause(number uint64, why string) {
	b.mu.Lock()
	if b.number == number {
		b.append(desk.LogPaused{Session: b.lines.Session, Why: why})
		b.paused = true
	}
	b.mu.Unlock()
	b.ring()
}

// add adds a line of a log, and waits while too many wait; false: nobody wants it any more.
func (b *box) add(number uint64, e *protocol.Event, done <-chan struct{}) bool {
	for {
		b.mu.Lock()
		if b.closed || b.number != number {
			b.mu.Unlock()
			return false
		}
		if len(b.lines.Events) < maxEvents {
			b.lines.Events = append(b.lines.Events, e)
			b.mu.Unlock()
			b.ring()
			return true
		}
		room := b.room
		b.mu.Unlock()
		select {
		case <-room:
		case <-done:
			return false
		}
	}
}

// take gives everything, and of the lines no more than a screen takes at once.
func (b *box) take() []desk.News {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []desk.News
	if len(b.listed) > 0 {
		l := desk.Listed{Sessions: make([]resource.SessionSummary, 0, len(b.listed))}
		for _, s := range b.listed {
			l.Sessions = append(l.Sessions, s)
			b.told[s.ID] = true
		}
		b.listed = map[string]resource.SessionSummary{}
		out = append(out, l)
	}
	for id := range b.went {
		out = append(out, desk.Gone{Session: id})
		delete(b.told, id)
	}
	clear(b.went)
	if l := b.lines; len(l.Events) > 0 || l.Reset || l.Left || l.Caught {
		n := min(len(l.Events), maxTaken)
		rest := l.Events[n:]
		l.Events = l.Events[:n:n]
		b.lines = desk.Lines{Session: l.Session, Events: rest, Caught: l.Caught && len(rest) > 0}
		l.Caught = l.Caught && len(rest) == 0
		out = append(out, l)
		close(b.room)
		b.room = make(chan struct{})
		if len(rest) > 0 {
			b.ring()
		}
	}
	out = append(out, b.other...) // behind the lines: that a log pauses is told after what it said
	b.other = nil
	return out
}

func (b *box) close() {
	b.mu.Lock()
	b.closed = true
	close(b.room)
	b.room = make(chan struct{})
	b.mu.Unlock()
}
