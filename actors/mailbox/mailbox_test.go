package mailbox_test

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
)

type question struct{ ask.Reply[int] }

func newSystem(t testing.TB) *actor.ActorSystem {
	sys := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}), actor.WithDeadLetterThrottleCount(0))
	t.Cleanup(mailbox.Reuse(sys))
	t.Cleanup(sys.Shutdown)
	return sys
}

func spawn(sys *actor.ActorSystem, receive actor.ReceiveFunc) *actor.PID {
	return sys.Root.Spawn(actor.PropsFromFunc(receive, actor.WithMailbox(mailbox.New)))
}

func TestOrderOfEachSender(t *testing.T) {
	sys := newSystem(t)
	type note struct{ from, n int }
	next := map[int]int{}
	done := make(chan struct{})
	var all int
	const senders, each = 8, 5000
	pid := spawn(sys, func(ctx actor.Context) {
		if m, ok := ctx.Message().(*note); ok {
			if next[m.from] != m.n {
				t.Errorf("sender %d: %d came in place of %d", m.from, m.n, next[m.from])
			}
			next[m.from]++
			if all++; all == senders*each {
				close(done)
			}
		}
	})
	var wg sync.WaitGroup
	for from := range senders {
		wg.Go(func() {
			for n := range each {
				sys.Root.Send(pid, &note{from, n})
			}
		})
	}
	wg.Wait()
	<-done
}

func TestNilIsRefused(t *testing.T) {
	sys := newSystem(t)
	var got atomic.Int32
	pid := spawn(sys, func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case *question:
			m.Send(int(got.Load()))
		case nil:
			got.Add(1)
		}
	})
	sys.Root.Send(pid, nil)
	q := &question{ask.NewReply[int]()}
	sys.Root.Send(pid, q)
	if n, err := q.Wait(t.Context()); err != nil || n != 0 {
		t.Fatalf("%d, %v", n, err)
	}
}

// TestQuestionsBehindAStopAreAnswered: the engine's own mailboxes forget what stands behind a stop.
func TestQuestionsBehindAStopAreAnswered(t *testing.T) {
	sys := newSystem(t)
	ask.AnswerDeadLetters(sys, nil)
	hold, entered := make(chan struct{}), make(chan struct{})
	pid := spawn(sys, func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case string:
			close(entered)
			<-hold
		case *question:
			m.Send(1)
		}
	})
	sys.Root.Send(pid, "wait")
	<-entered
	stopped := sys.Root.StopFuture(pid)
	var behind []*question
	for range 50 {
		q := &question{ask.NewReply[int]()}
		behind = append(behind, q)
		sys.Root.Send(pid, q)
	}
	close(hold)
	if err := stopped.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, q := range behind {
		if _, err := q.Wait(t.Context()); err == nil {
			t.Fatal("a stopped actor answered")
		}
	}
	late := &question{ask.NewReply[int]()}
	sys.Root.Send(pid, late)
	if _, err := late.Wait(t.Context()); err == nil {
		t.Fatal("a stopped actor answered")
	}
}

func TestFailureIsEscalated(t *testing.T) {
	sys := newSystem(t)
	failed := make(chan any, 1)
	stop := actor.NewOneForOneStrategy(0, 0, func(reason any) actor.Directive {
		failed <- reason
		return actor.StopDirective
	})
	terminated := make(chan struct{})
	parent := sys.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		switch ctx.Message().(type) {
		case *actor.Started:
			child := ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if ctx.Message() == "fail" {
					panic("as asked")
				}
			}, actor.WithMailbox(mailbox.New)))
			ctx.Send(child, "fail")
		case *actor.Terminated:
			close(terminated)
		}
	}, actor.WithMailbox(mailbox.New), actor.WithSupervisor(stop)))
	if got := <-failed; got != "as asked" {
		t.Fatalf("%v", got)
	}
	<-terminated
	if err := sys.Root.StopFuture(parent).Wait(); err != nil {
		t.Fatal(err)
	}
}
