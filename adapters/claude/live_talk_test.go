package claude_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestLiveTurns(t *testing.T) {
	spec := newSpec(t, "70000001")
	c := start(t, spec)
	l := c.root
	if r := l.ready(); r.Version != spec.Version || r.NativeSessionID != "" || r.Mode != "default" {
		t.Errorf("got %+v", r)
	}
	if o := until[adapters.Offered](l, "Offered", nil); len(o.Models) == 0 || len(o.Modes) < 4 {
		t.Errorf("got %+v", o)
	}

	id := c.prompt(adapters.Prompt{Text: "Say hello."}, text("Hello there."))
	l.answered(adapters.PromptStarted, id)
	if m := until[adapters.MetaChanged](l, "the session's id", nil).Meta; m.NativeSessionID == nil || *m.NativeSessionID != spec.SessionID {
		t.Errorf("got %+v", m)
	}
	until(l, "the answer", func(e adapters.EntryClosed) bool {
		m, ok := e.Data.(*protocol.MessageData)
		return ok && m.Text == "Hello there."
	})
	if u := until[adapters.Used](l, "usage", nil).Usage; u.SessionTotal == nil || u.Model != spec.Model {
		t.Errorf("got %+v", u)
	}
	l.turnEnd(protocol.TurnCompleted)

	data, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		t.Fatal(err)
	}
	c.prompt(adapters.Prompt{Text: "Look.", Images: []adapters.Image{{Ref: "sha256:0;image/png", MediaType: "image/png", Data: data}}}, text("A dot."))
	until(l, "the prompt with its image", func(e adapters.EntryClosed) bool {
		m, ok := e.Data.(*protocol.MessageData)
		return ok && len(m.Images) == 1
	})
	l.turnEnd(protocol.TurnCompleted)

	// A message during a tool joins the turn; one that comes too late makes a turn of its own.
	c.prompt(adapters.Prompt{Text: "Wait."}, bash("touch seen"), text("Seen."))
	c.root.command(adapters.SetMode{ID: "none"}) // refused: it is no mode
	if a := until[adapters.SettingAnswered](l, "an answer to a setting", nil); a.ID != "none" || a.Result != adapters.SettingRefused {
		t.Errorf("got %+v", a)
	}
	l.command(adapters.Answer{Key: l.request(protocol.RequestApproval).Key, Outcome: protocol.OutcomeAllowed})
	l.turnEnd(protocol.TurnCompleted)

	c.prompt(adapters.Prompt{Text: "Wait."}, bash("sleep 2; echo slept > slept"), text("Steered."))
	l.command(adapters.Answer{Key: l.request(protocol.RequestApproval).Key, Outcome: protocol.OutcomeAllowed})
	steer := c.prompt(adapters.Prompt{Text: "And this.", Steer: true})
	l.answered(adapters.PromptQueued, steer)
	l.answered(adapters.PromptHandled, steer) // before its entry, which is in the turn
	until(l, "the steering prompt", userText("And this."))
	l.turnEnd(protocol.TurnCompleted)

	late := c.prompt(adapters.Prompt{Text: "Too late.", Steer: true}, text("A turn."))
	until[adapters.TurnBegan](l, "another turn", nil)
	l.answered(adapters.PromptStarted, late)
	l.turnEnd(protocol.TurnCompleted)

	l.command(adapters.SetModel{ID: "m", Model: "opus"})
	if a := until[adapters.SettingAnswered](l, "an answer to a setting", nil); a != (adapters.SettingAnswered{ID: "m"}) {
		t.Errorf("got %+v", a)
	}
	model := until(l, "the model", func(m adapters.MetaChanged) bool { return m.Meta.Model != nil }).Meta.Model
	c.prompt(adapters.Prompt{Text: "Who?"}, text("Me."))
	if u := until[adapters.Used](l, "usage", nil).Usage; u.Model != *model || !strings.Contains(u.Model, "opus") {
		t.Errorf("the model is %q, it was %s that answered", *model, u.Model)
	}
	l.turnEnd(protocol.TurnCompleted)

	failure := `{"type":"http_error","status":500,"message":"out of order"}`
	c.prompt(adapters.Prompt{Text: "Fail."}, failure, failure, failure, failure)
	until(l, "another attempt", func(p adapters.PhaseChanged) bool { return p.State == protocol.StateRetrying && p.RetryAt > 0 })
	if end := l.turnEnd(protocol.TurnError); !strings.Contains(end.Error, "500") {
		t.Errorf("got %+v", end)
	}
	c.end(1)
}

func TestLiveInterrupt(t *testing.T) {
	c := start(t, newSpec(t, "70000002"))
	l := c.root
	l.ready()
	long := slow(strings.Repeat("A long story. ", 40))

	c.prompt(adapters.Prompt{Text: "Tell."}, long)
	until[adapters.EntryChanged](l, "a part of the story", nil)
	late := c.prompt(adapters.Prompt{Text: "Queued.", Steer: true})
	l.answered(adapters.PromptQueued, late)
	l.command(adapters.Interrupt{})
	l.answered(adapters.PromptRefused, late) // the interrupt empties the agent's queue
	until(l, "the abandoned story", func(e adapters.EntryClosed) bool { return e.Incomplete && e.Reason == "interrupted" })
	l.turnEnd(protocol.TurnInterrupted)

	c.prompt(adapters.Prompt{Text: "Sleep."}, bash("sleep 30"), text("No."))
	until(l, "a running tool", running)
	l.command(adapters.Interrupt{})
	l.call(protocol.ToolError)
	l.turnEnd(protocol.TurnInterrupted)

	c.prompt(adapters.Prompt{Text: "Ask."}, bash("touch never"), text("No."))
	r := l.request(protocol.RequestApproval)
	l.command(adapters.Interrupt{})
	until(l, "the withdrawal", func(x adapters.RequestClosed) bool { return x.Key == r.Key && x.Outcome == protocol.OutcomeCancelled })
	l.turnEnd(protocol.TurnInterrupted)

	// An interrupt right behind its prompt.
	c.prompt(adapters.Prompt{Text: "Nothing."}, long)
	l.command(adapters.Interrupt{})
	until[adapters.TurnBegan](l, "a turn", nil)
	l.turnEnd(protocol.TurnInterrupted)

	c.prompt(adapters.Prompt{Text: "Well?"}, text("Fine."))
	l.turnEnd(protocol.TurnCompleted)
	c.end(0)
}

func TestLiveResume(t *testing.T) {
	spec := newSpec(t, "70000003")
	c := start(t, spec)
	c.root.ready()
	c.prompt(adapters.Prompt{Text: "One."}, text("First."))
	c.root.turnEnd(protocol.TurnCompleted)
	c.prompt(adapters.Prompt{Text: "Two."}, slow(strings.Repeat("Second. ", 50)))
	until[adapters.EntryChanged](c.root, "a part of the answer", nil)
	c.kill()

	spec.Resume, spec.NativeSessionID, spec.Model = true, spec.SessionID, ""
	c = start(t, spec)
	if r := c.root.ready(); r.NativeSessionID != spec.SessionID {
		t.Errorf("got %+v", r)
	}
	c.n = 2
	c.prompt(adapters.Prompt{Text: "Three."}, bash("sleep 30"), text("Third."))
	until(c.root, "a running tool", running)
	c.kill()

	c = start(t, spec)
	c.root.ready()
	c.n = 3
	c.prompt(adapters.Prompt{Text: "Four."}, text("Fourth."))
	until(c.root, "the model of before", func(m adapters.MetaChanged) bool { return m.Meta.Model != nil && *m.Meta.Model == "claude-sonnet-4-5" })
	c.root.turnEnd(protocol.TurnCompleted)
	c.end(0)

	spec.NativeSessionID = "70000004-0000-4000-8000-000000000000"
	c = start(t, spec)
	n := until[adapters.Notice](c.root, "the news that it cannot go on", nil)
	if n.Kind != "resume_failed" || !strings.Contains(n.Text, "No conversation found") {
		t.Errorf("got %+v", n)
	}
	c.end(1)

	// Given up: it begins anew, under an id that the program chooses.
	spec.Resume = false
	c = start(t, spec)
	c.root.ready()
	c.prompt(adapters.Prompt{Text: "Anew."}, text("Hello."))
	if m := until[adapters.MetaChanged](c.root, "the session's id", nil).Meta; m.NativeSessionID == nil || *m.NativeSessionID == spec.NativeSessionID {
		t.Errorf("got %+v", m)
	}
	c.root.turnEnd(protocol.TurnCompleted)
	c.end(0)
}

func exists(spec adapters.Spec, name string) bool {
	_, err := os.Stat(filepath.Join(spec.Cwd, name))
	return err == nil
}
