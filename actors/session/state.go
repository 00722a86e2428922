package session

import (
	"cmp"
	"maps"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// State is everything the core knows. What the log tells is changed by apply alone, live and in replay alike; the rest
// (link) describes the running agent and starts empty at every start.
type State struct {
	limits Limits

	id       string
	agent    string
	meta     protocol.Metadata
	model    string // as asked for at the creation
	mode     string
	nativeID string
	version  string

	created int64 // Unix ms of the first event
	time    int64 // of the newest event
	seq     uint64
	epoch   uint64

	status   protocol.Status
	end      *protocol.SessionEnd // of the running incarnation; nil: not ended
	turns    int
	turn     *turn // nil: between turns
	prompts  int   // accepted so far
	queue    []queued
	keys     map[string]keyed  // by idempotency key
	entries  map[string]*entry // open, by public id
	opened   map[string]*request
	resolved map[string]string           // who resolved a request, by public id
	order    []string                    // of resolved and keys, oldest first, for forgetting
	answered []*protocol.RequestResolved // by clients, in the running turn, newest last: told again at a rejoin
	usage    protocol.Usage
	cost     float64
	ids      ids

	link link

	now  int64
	out  []protocol.Event
	todo []Effect
}

// ids is the newest incarnation that made public ids, and how far its keys have come: a key is never used twice.
type ids struct{ incarnation, entry, request uint32 }

func (i *ids) seen(incarnation, entry, request uint32) {
	if incarnation > i.incarnation {
		*i = ids{incarnation: incarnation}
	}
	if incarnation == i.incarnation {
		i.entry, i.request = max(i.entry, entry), max(i.request, request)
	}
}

// last is how far the keys of an incarnation have come.
func (i *ids) last(incarnation uint32) (entry, request uint32) {
	if incarnation != i.incarnation {
		return 0, 0
	}
	return i.entry, i.request
}

// Limits bound what a session holds.
type Limits struct {
	Queue       int // prompts waiting
	Restarts    int // of the agent without a completed turn between
	Remembered  int // resolved requests and idempotency keys
	Resumable   bool
	Restartable bool          // false: a recording is replayed, or nobody can start agents
	StopGrace   time.Duration // for the agent to end by itself; 0: 5 s
}

// turn is the running turn.
type turn struct {
	id     string
	prompt *protocol.Prompt
	began  bool // the agent has said so
}

// queued is a prompt that waits.
type queued struct {
	QueuedPrompt
	native bool // seen in the agent's own queue
}

// entry is an open entry and what has come in so far.
type entry struct {
	start *protocol.EntryStart
	seq   uint64 // of its start
	text  []byte // of the text, or of a tool call's output
	args  []byte
	tool  protocol.ToolStatus
	exit  *int
	sums  []string
}

// request is an open request.
type request struct {
	protocol.RequestOpened
	order uint64 // seq of its opening
}

// link is the connection to the agent, as far as it is known.
type link struct {
	incarnation uint32 // of the newest adapter; 0: none yet
	phase       linkPhase
	adapter     AdapterRef
	batch       uint64 // number of the newest batch taken

	state        protocol.State // responding, retrying, compacting: what the agent says it does; empty: nothing
	retryAt      int64
	interrupting bool // the running turn was told to stop
	failures     int  // exits since the last completed turn
	stop         stopCause
	anew         bool // the agent's own session is given up: it is not resumed
	ends         []*End
	parks        []*Park
	parked       bool              // answered: the actor is about to be stopped, and takes nothing more
	rejoined     bool              // batches that made no events may be missing before the next one
	lastKey      adapters.EntryKey // of last: deltas come in long runs for one entry
	last         *entry
	dropped      uint64 // drafts that fit nothing

	canStall bool  // as of the last step
	heard    int64 // Unix ms of the agent's last batch, or of the time from which it was to say something
	stalled  bool  // it has said nothing for stallAfter
	watching bool  // StallOverdue is on its way
}

// toldAgain is how many answers of a turn a rejoin passes on again: more than can be under way at once.
const toldAgain = 32

// Who resolves a request where no client did.
const (
	byAgent  = "agent"
	byDaemon = "daemon"
)

type linkPhase int

const (
	linkNone     linkPhase = iota // no agent runs
	linkStarting                  // asked for, not ready
	linkReady
	linkStopping // asked to end
)

// stopCause says why the agent was asked to end.
type stopCause int

const (
	stopNone    stopCause = iota
	stopEnd               // the session ends
	stopPark              // the session stays, passive
	stopStuck             // it did not heed an interrupt
	stopUnready           // it did not get ready
)

// New makes the empty state, before any event.
func New(limits Limits) *State {
	limits.StopGrace = cmp.Or(limits.StopGrace, stopGrace)
	return &State{
		limits: limits, epoch: 1,
		keys: map[string]keyed{}, entries: map[string]*entry{},
		opened: map[string]*request{}, resolved: map[string]string{},
	}
}

// rest gives back the memory that only work needs.
func (s *State) rest() {
	s.out, s.todo, s.link.last = nil, nil, nil
	s.link.watching = false // the shell stops that timer
	if len(s.queue) == 0 {
		s.queue = nil
	}
	if len(s.entries) == 0 {
		s.entries = map[string]*entry{}
	}
	if len(s.opened) == 0 {
		s.opened = map[string]*request{}
	}
}

// Replay applies one event of the journal.
func (s *State) Replay(e *protocol.Event) {
	s.seq, s.time = e.Seq, e.Time
	if e.Seq == 1 {
		s.created = e.Time
	}
	s.apply(e)
}

// emit makes an event of a payload and applies it.
func (s *State) emit(p protocol.Payload) {
	s.seq++
	s.time = max(s.time, s.now)
	if s.seq == 1 {
		s.created = s.time
	}
	s.out = append(s.out, protocol.Event{Seq: s.seq, Time: s.time, Payload: p})
	s.apply(&s.out[len(s.out)-1])
}

// do adds an effect.
func (s *State) do(e Effect) { s.todo = append(s.todo, e) }

// answer adds the answer to a question.
func (s *State) answer(to ask.Undeliverable, do func()) { s.do(Answer{do, to}) }

// apply changes the state as an event says. It decides nothing and is total: a journal that another build wrote must not
// break it.
func (s *State) apply(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.SessionStart:
		s.id, s.agent, s.meta, s.model = p.SessionID, p.AgentBackend, p.Metadata, p.Metadata.Model
		s.meta.Labels = maps.Clone(p.Metadata.Labels)
	case *protocol.SessionEnd:
		s.end = p
	case *protocol.SessionMeta:
		s.applyMeta(p)
	case *protocol.Epoch:
		s.epoch = p.Epoch
	case *protocol.TurnStart:
		s.turns++
		s.turn = &turn{id: p.TurnID, prompt: p.Prompt}
		s.end = nil
	case *protocol.TurnEnd:
		s.turn, s.answered = nil, nil
	case *protocol.EntryStart:
		s.entries[p.EntryID] = openEntry(p, e.Seq)
		if inc, key, ok := protocol.ParseEntryID(p.EntryID); ok {
			s.ids.seen(inc, key, 0)
		}
	case *protocol.EntryDelta:
		if o := s.entries[p.EntryID]; o != nil {
			o.change(p.Delta)
		}
	case *protocol.EntryEnd:
		delete(s.entries, p.EntryID)
		s.link.last = nil
	case *protocol.RequestOpened:
		s.opened[p.RequestID] = &request{RequestOpened: *p, order: e.Seq}
		if inc, key, ok := protocol.ParseRequestID(p.RequestID); ok {
			s.ids.seen(inc, 0, key)
		}
	case *protocol.RequestResolved:
		delete(s.opened, p.RequestID)
		s.remember("r"+p.RequestID, func() { s.resolved[p.RequestID] = p.By })
		if p.By != byAgent && p.By != byDaemon {
			s.answered = append(s.answered[max(0, len(s.answered)-toldAgain+1):], p)
		}
	case *protocol.PromptQueued:
		s.applyQueued(p, e)
	case *protocol.PromptRemoved:
		if i := s.queuedIndex(p.PromptID); i >= 0 {
			s.queue = append(s.queue[:i], s.queue[i+1:]...)
		}
	case *protocol.TokenUsage:
		s.applyUsage(p)
	case *protocol.Status:
		s.status = *p
	case *protocol.ChildSession, *protocol.EntryMeta, *protocol.Unknown:
	}
}

func (s *State) applyMeta(p *protocol.SessionMeta) {
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&s.meta.Title, p.Title)
	set(&s.meta.Model, p.Model)
	set(&s.mode, p.Mode)
	set(&s.nativeID, p.NativeSessionID)
	set(&s.version, p.AgentVersion)
	if p.Labels != nil {
		s.meta.Labels = maps.Clone(p.Labels)
	}
}

func (s *State) applyQueued(p *protocol.PromptQueued, e *protocol.Event) {
	s.prompts++
	s.queue = append(s.queue, queued{QueuedPrompt: QueuedPrompt{
		ID: p.PromptID, Text: p.Text, Images: p.Images, Behavior: p.StreamingBehavior, ClientID: p.ClientID,
		Queued: at(e.Time), Origin: p.Origin,
	}})
	if p.IdempotencyKey != "" {
		r := Receipt{PromptID: p.PromptID, Cursor: protocol.Cursor{Epoch: s.epoch, Seq: e.Seq - 1}}
		k := keyed{r, promptSum(p.Text, p.Images, p.StreamingBehavior)}
		s.remember("k"+p.IdempotencyKey, func() { s.keys[p.IdempotencyKey] = k })
	}
}

func (s *State) applyUsage(p *protocol.TokenUsage) {
	s.usage.InputTokens += p.Usage.InputTokens
	s.usage.CachedInputTokens += p.Usage.CachedInputTokens
	s.usage.OutputTokens += p.Usage.OutputTokens
	s.usage.ReasoningOutputTokens += p.Usage.ReasoningOutputTokens
	s.usage.TotalTokens += p.Usage.TotalTokens
	if p.Cost != nil {
		s.cost += p.Cost.Total
	}
}

// remember keeps the newest Remembered resolved requests and idempotency keys.
func (s *State) remember(name string, set func()) {
	set()
	s.order = append(s.order, name)
	if len(s.order) <= s.limits.Remembered {
		return
	}
	oldest := s.order[0]
	s.order = s.order[1:]
	if oldest[0] == 'r' {
		delete(s.resolved, oldest[1:])
	} else {
		delete(s.keys, oldest[1:])
	}
}

func (s *State) queuedIndex(id string) int {
	for i := range s.queue {
		if s.queue[i].ID == id {
			return i
		}
	}
	return -1
}
