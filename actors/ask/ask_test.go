package ask_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
)

type message interface{ message() }

type question struct{ ask.Reply[string] }

func (*question) message() {}

func TestFirstAnswerCounts(t *testing.T) {
	r := ask.NewReply[string]()
	r.Send("one")
	r.Send("two")
	r.Fail(errors.New("three"))
	if v, err := r.Wait(t.Context()); v != "one" || err != nil {
		t.Fatalf("%q, %v", v, err)
	}
	var nobody ask.Reply[string]
	nobody.Send("dropped")
}

func TestNobodyThere(t *testing.T) {
	var nobody ask.Ref[message]
	_, err := ask.Ask(t.Context(), nobody, func(r ask.Reply[string]) message { return &question{r} })
	if !errors.Is(err, ask.ErrGone) || nobody.Valid() {
		t.Fatalf("%v", err)
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	r := ask.NewReply[string]()
	if _, err := r.Wait(ctx); !errors.Is(err, reason) {
		t.Fatalf("%v", err)
	}
	r.Send("late")
	if v, err := r.Wait(ctx); v != "late" || err != nil {
		t.Fatalf("an answer that is there counts: %q, %v", v, err)
	}
}
