package core

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Tests give each question of theirs a ticket that no other one has, and find its answer by that.
var (
	tickets atomic.Uint64
	answers sync.Map // Answer, by ticket
)

// stub gives a question a ticket, where it has none; 0: it is no question.
func stub(in Input) uint64 {
	switch in := in.(type) {
	case *SendPrompt:
		return stubbed(&in.Ticket)
	case *MovePrompt:
		return stubbed(&in.Ticket)
	case *CancelPrompt:
		return stubbed(&in.Ticket)
	case *Choose:
		return stubbed(&in.Ticket)
	case *Interrupt:
		return stubbed(&in.Ticket)
	case *Resolve:
		return stubbed(&in.Ticket)
	case *Change:
		return stubbed(&in.Ticket)
	case *End:
		return stubbed(&in.Ticket)
	case *CallTool:
		return stubbed(&in.Ticket)
	case *Park:
		return stubbed(&in.Ticket)
	default:
		return 0
	}
}

func stubbed[T Value](t *Ticket[T]) uint64 {
	if *t == 0 {
		t.Stub(Ticket[T](tickets.Add(1)))
	}
	return uint64(*t)
}

// post keeps an answer. The first one counts.
func post(e Answer) { answers.LoadOrStore(e.Ticket, e) }

// given is the answer to a question; ok is false where there is none yet.
func given[T Value](to Ticket[T]) (v T, ok bool, err error) {
	a, ok := answers.Load(uint64(to))
	if !ok {
		return v, false, nil
	}
	e, _ := a.(Answer)
	if e.Err == nil {
		v, _ = e.Value.(T)
	}
	return v, true, e.Err
}

// answered is the answer to a question that has one.
func answered[T Value](t *testing.T, to Ticket[T]) (T, error) {
	t.Helper()
	v, ok, err := given(to)
	if !ok {
		t.Fatal("not answered")
	}
	return v, err
}

// over is the answer to a question, if there is one already.
func over[T Value](to Ticket[T]) (T, bool) {
	v, ok, _ := given(to)
	return v, ok
}
