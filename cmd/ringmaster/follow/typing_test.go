package follow

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// An answer that did not count is told below its own request, and not below the next one; nor does it take the next one's answer back.
func TestFailedAnswerIsOfItsRequest(t *testing.T) {
	var answers []string
	now := time.UnixMilli(1000)
	y := &typing{keyboard: &tty.Keyboard{}, done: make(chan given, 1)}
	y.answer = func(_ context.Context, request string, _ resource.RequestAnswer) error {
		answers = append(answers, request)
		return errors.New("somebody was faster")
	}
	event := func(p protocol.Payload) { y.event(&protocol.Event{Payload: p}, terminal.Style{}, 80) }
	fails := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	settled := func() { // the request is on the screen for a while, and somebody was told
		y.watch.Next(now)
		now = now.Add(time.Second)
		y.watch.Next(now)
	}
	answer := func() given {
		if err := y.keys(t.Context(), []keys.Key{{Text: "y"}}, true, now); err != nil {
			t.Fatal(err)
		}
		y.calls.Wait()
		return <-y.done
	}
	shown := func() string { return strings.Join(y.prompt(terminal.Style{}, 80, now), "\n") }
	for _, id := range []string{"r1", "r2"} {
		event(&protocol.RequestOpened{RequestID: id, Kind: protocol.RequestApproval, ToolName: "edit"})
	}
	settled()
	first := answer()
	fails(y.told(first, now))
	settled()
	if got := shown(); !strings.Contains(got, "not answered: somebody was faster") {
		t.Errorf("nothing says why:\n%s", got)
	}
	event(&protocol.RequestResolved{RequestID: "r1"})
	settled()
	if got := shown(); strings.Contains(got, "not answered") {
		t.Errorf("it is told of another request:\n%s", got)
	}
	answer()
	fails(y.told(first, now)) // late
	now = now.Add(time.Second)
	if err := y.keys(t.Context(), []keys.Key{{Text: "y"}}, true, now); err != nil {
		t.Fatal(err)
	}
	y.calls.Wait()
	if got := strings.Join(answers, " "); got != "r1 r2" {
		t.Errorf("answered were %s", got)
	}
}

// A panic on the way of an answer ends the following in order, so that the terminal is given back.
func TestPanicOfAnAnswerIsTold(t *testing.T) {
	y := &typing{keyboard: &tty.Keyboard{}, done: make(chan given, 1)}
	y.answer = func(context.Context, string, resource.RequestAnswer) error { panic("a mistake") }
	now := time.UnixMilli(1000)
	y.event(&protocol.Event{Payload: &protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval}}, terminal.Style{}, 80)
	y.watch.Next(now)
	now = now.Add(time.Second)
	if err := y.keys(t.Context(), []keys.Key{{Text: "y"}}, true, now); err != nil {
		t.Fatal(err)
	}
	if err := y.told(<-y.done, now); err == nil || !strings.Contains(err.Error(), "a mistake") {
		t.Errorf("%v", err)
	}
}
