package ask_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

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

type hearer struct{ name string }

func (h *hearer) Receive(c actor.Context) {
	if m, is := c.Message().(*question); is {
		m.Send("heard")
	}
}

// An address that is kept for long reaches its actor, and keeps nothing of one that has ended.
func TestLooseKeepsNothing(t *testing.T) {
	root := actor.NewActorSystem().Root
	freed := make(chan bool)
	ref := func() ask.Ref[message] {
		pid := root.Spawn(actor.PropsFromProducer(func() actor.Actor {
			h := &hearer{"an actor"}
			runtime.AddCleanup(h, func(done chan bool) { close(done) }, freed)
			return h
		}))
		tight := ask.NewRef[message](root, pid)
		loose := tight.Loose()
		for _, r := range []ask.Ref[message]{tight, tight.Loose()} {
			if v, err := ask.Ask(t.Context(), r, func(r ask.Reply[string]) message { return &question{r} }); v != "heard" || err != nil {
				t.Fatalf("%q, %v", v, err)
			}
		}
		if err := root.StopFuture(pid).Wait(); err != nil {
			t.Fatal(err)
		}
		return loose
	}()
	for range 200 {
		runtime.GC()
		runtime.Gosched()
		select {
		case <-freed:
			runtime.KeepAlive(ref)
			return
		default:
		}
	}
	runtime.KeepAlive(ref)
	t.Error("an actor that has ended is kept by its address")
}
