package claude_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestLiveApproval(t *testing.T) {
	spec := newSpec(t, "70000005")
	c := start(t, spec)
	l := c.root
	l.ready()
	done := text("Done.")

	c.prompt(adapters.Prompt{Text: "Allow."}, bash("touch allowed"), done)
	r := l.request(protocol.RequestApproval)
	if q := r.Request; q.ToolName != "Bash" || q.ToolKind != protocol.ToolExecute || q.Subject != "touch allowed" || len(q.Options) != 4 {
		t.Errorf("got %+v", q)
	}
	l.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	l.call(protocol.ToolCompleted)
	l.turnEnd(protocol.TurnCompleted)

	c.prompt(adapters.Prompt{Text: "Deny."}, bash("touch denied"), done)
	l.command(adapters.Answer{Key: l.request(protocol.RequestApproval).Key, Outcome: protocol.OutcomeDenied, Message: "Not now."})
	if d := l.call(protocol.ToolError); d.Output != "Not now." {
		t.Errorf("got %+v", d)
	}
	l.turnEnd(protocol.TurnCompleted)

	c.prompt(adapters.Prompt{Text: "Stop."}, bash("touch stopped"), done)
	l.command(adapters.Answer{Key: l.request(protocol.RequestApproval).Key, Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop})
	l.call(protocol.ToolError)
	l.turnEnd(protocol.TurnInterrupted)

	// Once and for all: the second one runs without a question.
	c.prompt(adapters.Prompt{Text: "Always."}, bash("touch always"), bash("touch always"), done)
	l.command(adapters.Answer{Key: l.request(protocol.RequestApproval).Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways})
	l.call(protocol.ToolCompleted)
	l.call(protocol.ToolCompleted)
	l.turnEnd(protocol.TurnCompleted)

	file := quoted(filepath.Join(spec.Cwd, "new.txt"))
	c.prompt(adapters.Prompt{Text: "Write."}, call("Write", `{"file_path":`+file+`,"content":"one\ntwo\n"}`),
		call("Edit", `{"file_path":`+file+`,"old_string":"one\ntwo","new_string":"one\nthree"}`), done)
	for _, want := range []string{"+one\n+two\n", " one\n-two\n+three\n"} {
		r = l.request(protocol.RequestApproval)
		if q := r.Request; q.ToolKind != protocol.ToolEdit || quoted(q.Subject) != file || !strings.HasSuffix(q.Text, want) {
			t.Errorf("got %+v", q)
		}
		l.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed})
		if d := l.call(protocol.ToolCompleted); !strings.HasSuffix(d.Diff, want) {
			t.Errorf("got %+v", d)
		}
	}
	l.turnEnd(protocol.TurnCompleted)
	c.end(0)
	if !exists(spec, "allowed") || exists(spec, "denied") || exists(spec, "stopped") || !exists(spec, "always") {
		t.Error("what ran is not what was allowed")
	}
}

func TestLiveQuestion(t *testing.T) {
	c := start(t, newSpec(t, "70000006"))
	l := c.root
	l.ready()
	questions := `{"questions":[{"question":"Which cake?","header":"Cake","multiSelect":false,"options":[{"label":"Lemon","description":"Fresh."},` +
		`{"label":"Nut","description":"Dry."}]},{"question":"What with it?","header":"With","multiSelect":true,"options":[{"label":"Tea","description":"Hot."},` +
		`{"label":"Milk","description":"Cold."}]}]}`
	c.prompt(adapters.Prompt{Text: "Ask."}, call("AskUserQuestion", questions), text("Thanks."))
	r := l.request(protocol.RequestQuestion)
	if q := r.Request.Questions; len(q) != 2 || !q[1].Multiple || !q[0].FreeText || q[0].Options[1].ID != "Nut" {
		t.Errorf("got %+v", q)
	}
	l.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Plum"}, {"Tea", "Milk"}}})
	if d := l.call(protocol.ToolCompleted); !strings.Contains(d.Output, "Plum") || !strings.Contains(d.Output, "Tea, Milk") {
		t.Errorf("got %+v", d)
	}
	l.turnEnd(protocol.TurnCompleted)

	l.command(adapters.SetMode{ID: "s", Mode: "plan"})
	if a := until[adapters.SettingAnswered](l, "an answer to a setting", nil); a != (adapters.SettingAnswered{ID: "s"}) {
		t.Errorf("got %+v", a)
	}
	until(l, "the mode", func(m adapters.MetaChanged) bool { return m.Meta.Mode != nil && *m.Meta.Mode == "plan" })
	c.prompt(adapters.Prompt{Text: "Plan."}, call("ExitPlanMode", `{"plan":"# A plan\n"}`), text("I begin."))
	r = l.request(protocol.RequestApproval)
	if q := r.Request; q.Text != "# A plan\n" || q.ToolName != "ExitPlanMode" {
		t.Errorf("got %+v", q)
	}
	l.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed})
	until(l, "the mode", func(m adapters.MetaChanged) bool { return m.Meta.Mode != nil && *m.Meta.Mode == "default" })
	l.call(protocol.ToolCompleted)
	l.turnEnd(protocol.TurnCompleted)
	c.end(0)
}

// helper makes a script of a session that lets a sub-agent run a command, and that of the sub-agent.
func helper(t *testing.T, name, command, background string) []string {
	t.Helper()
	script(t, name, []string{text("I try.") + "," + bash(command), text("Tried.")})
	return []string{
		call("Task", `{"description":"Try it","prompt":"Try it. [[scn:`+name+`]]","subagent_type":"general-purpose","run_in_background":`+background+`}`),
		text("It was tried."), text("More."),
	}
}

func (l *lane) child() *lane {
	l.c.t.Helper()
	began := until[adapters.ChildBegan](l, "a sub-agent", nil)
	if began.Title != "Try it" || began.Entry == 0 {
		l.c.t.Errorf("got %+v", began)
	}
	for _, c := range l.c.lanes {
		if c.spec.Child && c.spec.NativeSessionID == began.NativeID {
			return c
		}
	}
	l.c.t.Fatalf("%s has no lane", began.NativeID)
	return nil
}

func TestLiveSubAgent(t *testing.T) {
	spec := newSpec(t, "70000007")
	c := start(t, spec)
	l := c.root
	l.ready()

	c.prompt(adapters.Prompt{Text: "Let it."}, helper(t, "helper-1", "touch by-helper", "false")...)
	child := l.child()
	if began := until[adapters.TurnBegan](child, "its turn", nil); began.Prompt == nil || !strings.HasPrefix(began.Prompt.Text, "Try it.") {
		t.Errorf("got %+v", began)
	}
	r := child.request(protocol.RequestApproval)
	if r.Request.Subject != "touch by-helper" {
		t.Errorf("got %+v", r)
	}
	child.command(adapters.Prompt{ID: "x", Text: "No."})
	child.answered(adapters.PromptRefused, "x")
	child.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed})
	child.call(protocol.ToolCompleted)
	until(child, "its last words", func(e adapters.EntryClosed) bool {
		m, ok := e.Data.(*protocol.MessageData)
		return ok && m.Text == "Tried."
	})
	child.turnEnd(protocol.TurnCompleted)
	l.call(protocol.ToolCompleted)
	l.turnEnd(protocol.TurnCompleted)
	if !child.over {
		t.Error("its lane is not over")
	}
	if _, err := os.Stat(filepath.Join(spec.Cwd, "by-helper")); err != nil {
		t.Error(err)
	}

	// Stopped by itself: the session goes on.
	c.prompt(adapters.Prompt{Text: "Let it."}, helper(t, "helper-2", "touch never", "false")...)
	child = l.child()
	child.request(protocol.RequestApproval)
	child.command(adapters.Interrupt{})
	until(child, "the withdrawal", func(x adapters.RequestClosed) bool { return x.Outcome == protocol.OutcomeCancelled })
	child.turnEnd(protocol.TurnInterrupted)
	l.turnEnd(protocol.TurnCompleted)

	// In the background: it outlives the turn, and its end begins another one.
	c.prompt(adapters.Prompt{Text: "Let it."}, helper(t, "helper-3", "touch later", "true")...)
	child = l.child()
	r = child.request(protocol.RequestApproval)
	l.turnEnd(protocol.TurnCompleted)
	child.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed})
	child.turnEnd(protocol.TurnCompleted)
	if began := until[adapters.TurnBegan](l, "a turn that nobody asked for", nil); began.Prompt != nil {
		t.Errorf("got %+v", began)
	}
	l.turnEnd(protocol.TurnCompleted)
	c.end(0)
}
