package core

import (
	"container/list"
	"slices"
	"time"
)

// Limits bound a register.
type Limits struct {
	Each  int           // submissions of one principal
	All   int           // of all
	Bytes int           // of all answers that are kept
	Body  int           // bytes of one; what is longer is not kept
	Keep  time.Duration // an answered one, since it was accepted
}

// Usual are the limits of a daemon (spec §7.16).
var Usual = Limits{Each: 1000, All: 10_000, Bytes: 16 << 20, Body: 64 << 10, Keep: 24 * time.Hour}

// phase is how far a submission is.
type phase uint8

const (
	accepting phase = iota // its acceptance is on its way to the disk
	running                // it is carried out
	answering              // its answer is on its way to the disk
	answered
	uncertain
)

// settled says that nothing more comes of it: it may be forgotten.
func (p phase) settled() bool { return p == answered || p == uncertain }

// entry is one submission.
type entry struct {
	Submission
	n       uint64
	at      int64 // accepted, in milliseconds
	phase   phase
	answer  Answer
	ticket  uint64   // of the first
	waiting []uint64 // tickets of repeats
	place   *list.Element
	mine    *list.Element // among those of its principal
}

// Register is what is known of submissions. It is not safe for concurrent use.
type Register struct {
	limits  Limits
	last    uint64
	bytes   int
	known   map[Key]*entry
	number  map[uint64]*entry
	order   *list.List            // of *entry, in the order of their acceptance
	of      map[string]*list.List // the same, by principal
	effects []Effect
}

// New makes an empty register.
func New(l Limits) *Register {
	return &Register{limits: l, known: map[Key]*entry{}, number: map[uint64]*entry{}, order: list.New(), of: map[string]*list.List{}}
}

// Read takes a line of an earlier daemon's file. What was accepted and has no answer is uncertain: that daemon ended before it knew one.
func (r *Register) Read(l *Line) {
	r.last = max(r.last, l.N)
	e := r.number[l.N]
	switch l.Is {
	case Accepted:
		if e != nil {
			return // no daemon writes that
		}
		if old := r.known[Key{l.By, l.Key}]; old != nil { // it was forgotten before the key came again
			r.drop(old)
		}
		r.add(&entry{
			Submission: Submission{Key: Key{l.By, l.Key}, Operation: l.Op, Session: l.Session, Sum: l.Sum, LookAt: l.LookAt},
			n:          l.N, at: l.At, phase: uncertain,
		})
		r.bound(l.By)
	case Answered:
		if e != nil {
			e.phase = answered
			r.keep(e, Answer{Status: l.Status, Type: l.Type, Location: l.Location, Body: l.Body, Secret: l.Unkept})
		}
	case Freed:
		if e != nil {
			r.drop(e)
		}
	}
}

// Lines are what a file holds that has no more than what counts.
func (r *Register) Lines() (all []Line) {
	for p := r.order.Front(); p != nil; p = p.Next() {
		e := p.Value.(*entry)
		all = append(all, e.acceptance())
		if e.phase == answered || e.phase == answering {
			all = append(all, e.outcome())
		}
	}
	return all
}

// Step takes an input, and says what is to be done, in order.
func (r *Register) Step(in Input) []Effect {
	r.effects = nil
	switch in := in.(type) {
	case *Submit:
		r.submit(in)
	case *Stored:
		r.stored(in)
	case *Ended:
		r.ended(in)
	case *Removed:
		r.removed(in.Session)
	case *Left:
		if e := r.number[in.N]; e != nil {
			e.waiting = slices.DeleteFunc(e.waiting, func(t uint64) bool { return t == in.Ticket })
		}
	}
	return r.effects
}

func (r *Register) do(e Effect) { r.effects = append(r.effects, e) }

func (r *Register) tell(ticket uint64, v Verdict) { r.do(&Tell{ticket, v}) }

func (r *Register) submit(in *Submit) {
	r.expire(in.Now)
	if e := r.known[in.Key]; e != nil {
		r.repeat(e, in)
		return
	}
	if !r.room(in.By) {
		r.tell(in.Ticket, Verdict{Kind: Full})
		return
	}
	r.last++
	e := &entry{Submission: in.Submission, n: r.last, at: in.Now.UnixMilli(), ticket: in.Ticket}
	r.add(e)
	r.do(&Write{e.acceptance()})
}

func (r *Register) repeat(e *entry, in *Submit) {
	switch {
	case e.Sum != in.Sum || e.Operation != in.Operation:
		r.tell(in.Ticket, Verdict{Kind: Conflict})
	case !e.phase.settled():
		e.waiting = append(e.waiting, in.Ticket)
		r.do(&Wait{in.Ticket, e.n})
	default:
		r.tell(in.Ticket, e.verdict())
	}
}

// verdict is what a repeat of a settled submission is told.
func (e *entry) verdict() Verdict {
	switch {
	case e.phase == uncertain:
		return Verdict{Kind: Uncertain, LookAt: e.LookAt}
	case e.answer.Secret:
		return Verdict{Kind: Forgotten, LookAt: e.LookAt, Status: e.answer.Status}
	}
	return Verdict{Kind: Repeated, Answer: e.answer}
}

func (r *Register) stored(in *Stored) {
	e := r.number[in.N]
	switch {
	case e == nil:
	case e.phase == accepting && in.Err != nil: // nothing was done: the handler has not been called
		r.drop(e)
		r.settle(e, Verdict{Kind: Unkept, Err: in.Err}, Verdict{Kind: Unkept, Err: in.Err})
	case e.phase == accepting:
		e.phase = running
		r.do(&Run{e.ticket, e.n})
	case e.phase == answering: // done is done, whether the disk took it or not: a later file has it, or a later daemon is uncertain
		e.phase = answered
		r.settle(e, Verdict{Kind: Own}, e.verdict())
		r.bound(e.By)
	}
}

func (r *Register) ended(in *Ended) {
	e := r.number[in.N]
	if e == nil || e.phase != running {
		return
	}
	switch in.Outcome {
	case Done:
		e.phase = answering
		r.keep(e, in.Answer)
		r.do(&Write{e.outcome()})
	case Refused:
		r.drop(e)
		r.do(&Write{Line{Is: Freed, N: e.n}})
		r.settle(e, Verdict{Kind: Own}, Verdict{Kind: Repeated, Answer: in.Answer})
	case Unsure: // the file says so already: it has an acceptance and no answer
		e.phase = uncertain
		r.settle(e, Verdict{Kind: Own}, e.verdict())
		r.bound(e.By)
	}
}

// settle ends the tickets of a submission: that of the first, and those of its repeats.
func (r *Register) settle(e *entry, first, others Verdict) {
	r.tell(e.ticket, first)
	for _, t := range e.waiting {
		r.tell(t, others)
	}
	e.waiting = nil
}

// keep notes the answer of a submission, without what must not or cannot be kept.
func (r *Register) keep(e *entry, a Answer) {
	if a.Secret || len(a.Body) > r.limits.Body {
		a = Answer{Status: a.Status, Secret: true}
	}
	r.bytes += len(a.Body) - len(e.answer.Body)
	e.answer = a
}

// removed forgets what answers said of a session.
func (r *Register) removed(session string) {
	found := false
	for p := r.order.Front(); p != nil; p = p.Next() {
		e := p.Value.(*entry)
		if e.Session == session && (e.phase == answered || e.phase == answering) && e.answer.Body != "" {
			r.keep(e, Answer{Status: e.answer.Status, Secret: true})
			found = true
		}
	}
	if found {
		r.do(&Rewrite{})
	}
}

func (e *entry) acceptance() Line {
	return Line{Is: Accepted, N: e.n, By: e.By, Key: e.Name, Op: e.Operation, Session: e.Session, Sum: e.Sum, LookAt: e.LookAt, At: e.at}
}

func (e *entry) outcome() Line {
	a := &e.answer
	return Line{Is: Answered, N: e.n, Status: a.Status, Type: a.Type, Location: a.Location, Body: a.Body, Unkept: a.Secret}
}
