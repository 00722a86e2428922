package session

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func testLimits() Limits {
	return Limits{
		Queue: 5, Restarts: 3, Remembered: 50, Resumable: true, Restartable: true, StallAfter: 5 * time.Minute,
		Capabilities: adapters.Capabilities{Images: true, Models: true, Modes: true},
	}
}

// asks makes a question whose answer the test waits for.
func asks[T core.Value](q core.Question[T]) *Asked[T] { return &Asked[T]{ask.NewReply[T](), q} }

func prompt(text, key string) *Asked[Receipt] {
	return asks(&SendPrompt{Prompt: NewPrompt{Text: text}, IdempotencyKey: key})
}

func call(key uint64, callerID string) *Asked[ToolAnswer] {
	return asks(&CallTool{Key: key, CallerID: callerID, Tool: "select", Arguments: `{"line":1}`, Within: time.Minute})
}

func text(key adapters.EntryKey) adapters.EntryOpened {
	return adapters.EntryOpened{Key: key, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}}
}

// answered is the answer to a question, if there is one already.
func answered[T any](r ask.Reply[T]) (v T, ok bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v, err = r.Wait(ctx)
	return v, !errors.Is(err, context.Canceled), err
}

// answer is the answer to a question that has one.
func answer[T any](t *testing.T, r ask.Reply[T]) (T, error) {
	t.Helper()
	v, ok, err := answered(r)
	if !ok {
		t.Fatal("not answered")
	}
	return v, err
}

func problemOf(t *testing.T, err error) *protocol.Problem {
	t.Helper()
	p, ok := errors.AsType[*protocol.Problem](err)
	if !ok {
		t.Fatalf("%v is no problem", err)
	}
	return p
}
