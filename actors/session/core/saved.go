package core

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// savedVersion is that of what Save writes. It grows with every change of what the log means to a state, also where no field comes or goes. Checkpoints are
// of one build, but snapshots stay: Restore is to take every version that was ever released (testdata/saved).
const (
	savedVersion = 4
	noEpochs     = 3 // told of no epoch but the newest
)

// saved is what the log has told a state, as it is kept beside the log. What only a running actor knows is not in it: a replay does not know that either.
// Payloads are kept as the log has them, since their own form keeps what later builds add to them.
type saved struct {
	Version int

	Created, Time int64
	Seq           uint64
	Epochs        protocol.Epochs `json:",omitempty"`
	Epoch         uint64          `json:",omitempty"` // the newest: noEpochs

	Begin                             payload // session_start, with what was changed since
	Policy, Own                       payload // session_meta with the policy; with the budget
	First, NativeID, AgentVersion     string
	Titled, Named                     bool
	Asked, Mode                       string
	Waiting                           map[Setting]string `json:",omitempty"`
	Status, End                       payload
	Changed                           uint64
	Total                             protocol.Spent
	Cost                              float64
	Counted                           uint64
	Marks                             []payload `json:",omitempty"`
	Turns                             int
	Turn                              *savedTurn         `json:",omitempty"`
	Last                              *protocol.LastTurn `json:",omitempty"`
	Entries                           []savedEntry       `json:",omitempty"`
	Queue                             []QueuedPrompt     `json:",omitempty"`
	Accepted                          int
	Keys                              []savedKey     `json:",omitempty"`
	Requests                          []savedRequest `json:",omitempty"`
	Resolved                          []savedVerdict `json:",omitempty"`
	Answered                          []payload      `json:",omitempty"`
	Children                          []payload      `json:",omitempty"`
	Fresh                             []string       `json:",omitempty"`
	Taken                             []string       `json:",omitempty"`
	Incarnation, Entry, Request, Call uint32
	News                              *savedNews `json:",omitempty"`
	Frame                             protocol.Frame
}

type (
	savedTurn struct {
		Start  payload
		Denied bool
	}

	savedEntry struct {
		Start      payload
		Seq        uint64
		Text, Args []byte              `json:",omitempty"`
		Tool       protocol.ToolStatus `json:",omitempty"`
		Exit       *int                `json:",omitempty"`
		Sums       []string            `json:",omitempty"`
	}

	savedKey struct {
		Key      string
		PromptID string
		Epoch    uint64
		Seq      uint64
		Sum      uint64
	}

	savedRequest struct {
		Opened payload
		Seq    uint64
		Time   int64
	}

	savedVerdict struct {
		ID      string
		Outcome protocol.Outcome
		Option  string `json:",omitempty"`
		By      string `json:",omitempty"`
	}

	savedNews struct {
		TurnID, Status, Cause, End string
		Open, Taken                [][2]string     `json:",omitempty"`
		Over                       []PromptSettled `json:",omitempty"`
		To                         []string        `json:",omitempty"`
		Answer                     string          `json:",omitempty"`
		Bytes                      int             `json:",omitempty"`
	}
)

// payload is an event's payload in the form of the log; empty: there is none.
type payload string

func keep(p protocol.Payload) payload {
	return payload(protocol.Append(nil, &protocol.Event{Seq: 1, Payload: p}))
}

// kept reads a payload of type P.
func kept[P protocol.Payload](p payload) (was P, err error) {
	e, err := protocol.Decode([]byte(p))
	if err != nil {
		return was, err
	}
	was, ok := e.Payload.(P)
	if !ok {
		return was, errSaved
	}
	return was, nil
}

var errSaved = errors.New("core: this is no state that this build has saved")

// Save gives what the log has told up to the newest event, for Restore; nil: it cannot be kept.
func (s *State) Save() []byte {
	v := saved{
		Version: savedVersion, Created: s.created, Time: s.time, Seq: s.seq, Epochs: s.epochs,
		Begin: keep(&protocol.SessionStart{SessionID: s.id, AgentBackend: s.agent, Metadata: s.meta}),
		First: s.first, NativeID: s.nativeID, AgentVersion: s.version, Titled: s.titled, Named: s.named,
		Asked: s.settings.asked, Mode: s.settings.mode, Waiting: s.settings.waiting, Status: keep(&s.status), Changed: s.changed,
		Total: s.total, Cost: s.cost, Counted: s.counted, Turns: s.turns, Last: s.last, Accepted: s.queue.count,
		Fresh: s.family.fresh, Taken: s.undone.taken,
		Incarnation: s.ids.incarnation, Entry: s.ids.entry, Request: s.ids.request, Call: s.ids.call, News: s.news.save(), Frame: s.frame,
	}
	if s.policy != nil {
		v.Policy = keep(&protocol.SessionMeta{Policy: s.policy})
	}
	if s.own != nil {
		v.Own = keep(&protocol.SessionMeta{Budget: s.own})
	}
	if s.end != nil {
		v.End = keep(s.end)
	}
	for i := range s.marks {
		v.Marks = append(v.Marks, keep(&s.marks[i]))
	}
	if t := s.turn; t != nil {
		v.Turn = &savedTurn{keep(&protocol.TurnStart{TurnID: t.id, Prompt: t.prompt}), t.denied}
	}
	for _, id := range slices.Sorted(maps.Keys(s.family.children)) {
		c := s.family.children[id]
		v.Children = append(v.Children, keep(&c))
	}
	s.entries.save(&v)
	s.queue.save(&v)
	s.requests.save(&v)
	b, err := json.Marshal(&v)
	if err != nil { // a number that is none: the log is replayed
		return nil
	}
	return b
}

func (e *entries) save(v *saved) {
	for _, o := range e.open {
		v.Entries = append(v.Entries, savedEntry{keep(o.start), o.seq, o.text, o.args, o.tool, o.exit, o.sums})
	}
	slices.SortFunc(v.Entries, func(a, b savedEntry) int { return int(a.Seq) - int(b.Seq) })
}

func (q *queue) save(v *saved) {
	for i := range q.waiting {
		p := q.waiting[i].QueuedPrompt
		p.Sent = false // to an agent that a replay does not have
		v.Queue = append(v.Queue, p)
	}
	for _, key := range q.keys.names {
		k := q.keys.byName[key]
		v.Keys = append(v.Keys, savedKey{key, k.PromptID, k.Cursor.Epoch, k.Cursor.Seq, k.sum})
	}
}

func (q *requests) save(v *saved) {
	for _, r := range q.open {
		v.Requests = append(v.Requests, savedRequest{keep(&r.RequestOpened), r.Seq, r.Time})
	}
	slices.SortFunc(v.Requests, func(a, b savedRequest) int { return strings.Compare(string(a.Opened), string(b.Opened)) })
	for _, id := range q.resolved.names {
		by := q.resolved.byName[id]
		v.Resolved = append(v.Resolved, savedVerdict{id, by.outcome, by.option, by.by})
	}
	for _, p := range q.answered {
		v.Answered = append(v.Answered, keep(p))
	}
}

func (n *news) save() *savedNews {
	if n == nil {
		return nil
	}
	v := &savedNews{
		TurnID: n.turn.turnID, Status: string(n.turn.status), Cause: string(n.turn.cause), End: string(n.turn.end),
		Over: n.over, To: n.to, Answer: n.answer, Bytes: n.bytes,
	}
	for _, p := range n.open {
		v.Open = append(v.Open, [2]string{p.prompt, p.session})
	}
	for _, p := range n.taken {
		v.Taken = append(v.Taken, [2]string{p.prompt, p.session})
	}
	return v
}
