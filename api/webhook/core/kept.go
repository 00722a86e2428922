package core

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// Delivery is one notice for one webhook.
type Delivery struct {
	ID      string      `json:"id"` // of the notice
	Session string      `json:"session,omitempty"`
	Kind    notice.Kind `json:"kind"`
	At      Position    `json:"at"`   // of its event
	Body    string      `json:"body"` // as it is sent
	Made    int64       `json:"made"` // Unix ms, as the times below
	Tries   int         `json:"tries,omitempty"`
	First   int64       `json:"first,omitempty"` // try of this series
	Last    int64       `json:"last,omitempty"`  // try
	Next    int64       `json:"next,omitempty"`  // try, where it waits for one
	Status  int         `json:"status,omitempty"`
	Error   string      `json:"error,omitempty"`
	Apart   bool        `json:"apart,omitempty"`   // it was sent again: it has no place in the session's order
	Request string      `json:"request,omitempty"` // that must be open still when it is sent; empty: whatever happens
	Until   int64       `json:"until,omitempty"`   // it is held

	phase phase
	saved bool // the file has it
	hook  *hook
	lane  *lane // nil: it is apart, or dead
}

// phase is what a pending delivery does.
type phase uint8

const (
	behind  phase = iota // another one of its session comes first
	held                 // until somebody answers, or for the webhook's delay
	waiting              // for its next try
	ready                // for a place among those under way
	trying
)

// hook is a webhook with all that is known of its deliveries.
type hook struct {
	Webhook
	begin  map[string]begin // by session, of those in which nothing has happened since it was made
	lanes  map[string]*lane // by session, of the others
	apart  []*Delivery      // that were sent again, and are pending
	dead   []*Delivery      // the oldest first
	done   []*Delivery      // the oldest first
	ready  []*Delivery
	trying map[string]*Delivery // by id
	hungry []*lane              // that wait for room
	made   int                  // pending ones
	under  int                  // way
	lost   int                  // dead ones that were dropped
	sent   uint64               // since the daemon's start
}

func newHook(w *Webhook) *hook {
	return &hook{Webhook: *w, begin: map[string]begin{}, lanes: map[string]*lane{}, trying: map[string]*Delivery{}}
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// session is one in which some webhook has a lane.
type session struct {
	about    notice.About
	newest   protocol.Cursor
	told     uint64
	open     []string
	reason   protocol.EndReason
	lanes    []*lane
	scanning bool
	resting  bool // it could not be read, and is looked at later
	gone     bool
	left     bool // gone means: to another node
}

// lane is one session of one webhook. What is told of it is told in order.
type lane struct {
	hook    *hook
	session string
	at      Position // up to there everything is settled
	seen    Position // up to there everything is settled or in the queue
	upTo    protocol.Cursor
	queue   []*Delivery
	ended   bool // the session, as of seen
	matched bool
	away    bool // the session has left, and was not seen here since
	unsaved bool
	hungry  bool
}

// pending is a delivery that is made and not settled, and the first of its session; nil: there is none of this id.
func (h *hook) pending(id string) *Delivery {
	for _, d := range h.apart {
		if d.ID == id {
			return d
		}
	}
	for _, l := range h.lanes {
		if len(l.queue) > 0 && l.queue[0].ID == id {
			return l.queue[0]
		}
	}
	return nil
}

func (h *hook) delivered(d *Delivery, limit int) {
	h.sent++
	done := *d
	done.Body, done.lane, done.hook = "", nil, nil
	if h.done = append(h.done, &done); len(h.done) > limit {
		h.done[0] = nil
		h.done = h.done[1:]
	}
}

// line is a line that says where a lane stands.
func (l *lane) line(is LineKind) Line {
	return Line{
		Is: is, Hook: l.hook.ID, Session: l.session, At: l.at.String(), Ended: l.ended && len(l.queue) == 0, Apart: !l.matched, Away: l.away,
	}
}

func (h *hook) line() Line {
	set := h.Webhook
	return Line{Is: LineHook, Hook: h.ID, Set: &set, Lost: h.lost}
}
