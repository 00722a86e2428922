package core

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asking is an approval with these options.
func asking(key adapters.RequestKey, subject string, options ...string) adapters.RequestOpened {
	r := askFor(key)
	r.Request.Subject, r.Request.Options = subject, nil
	for _, o := range options {
		r.Request.Options = append(r.Request.Options, protocol.Option{ID: o})
	}
	return r
}

// underPolicy has a session in a turn, with a policy.
func underPolicy(t *testing.T, p *protocol.Policy) *world {
	t.Helper()
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true, Metadata: protocol.Metadata{Cwd: cwd, Policy: p}})
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, tool(1, protocol.ToolRunning))
	w.commands = nil
	return w
}

func problemOf(t *testing.T, err error) *protocol.Problem {
	t.Helper()
	var p *protocol.Problem
	if !errors.As(err, &p) {
		t.Fatalf("%v is no problem", err)
	}
	return p
}

// TestRuleIsNamed: who reads the log learns which rule has answered.
func TestRuleIsNamed(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyDenyAll, Rules: []protocol.PolicyRule{
		{Tool: "execute", Pattern: "rm *", Action: protocol.PolicyDeny}, {Action: protocol.PolicyAllow},
	}})
	from := len(w.log)
	w.say(asking(1, "ls", protocol.AllowOnce, protocol.DenyContinue))
	if got, ok := w.log[len(w.log)-1].Payload.(*protocol.RequestResolved); !ok || got.Outcome != protocol.OutcomeAllowed || got.Rule != 2 || got.Mode != "" {
		t.Fatalf("%+v", w.log[from:])
	}
}

func TestPolicyAnswersAtOnce(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyAllowAll})
	from := len(w.log)
	r := asking(1, "ls", protocol.AllowOnce, protocol.DenyContinue)
	r.Entry, r.Within = 1, 5000
	w.say(r)
	wantTypes(t, w, from, "request_opened", "request_resolved")
	if got := w.log[from+1].Payload; !reflect.DeepEqual(got, &protocol.RequestResolved{
		RequestID: "r1", Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce, By: byPolicy, Mode: protocol.PolicyAllowAll,
	}) {
		t.Fatalf("%+v", got)
	}
	if opened := w.log[from].Payload.(*protocol.RequestOpened); opened.Deadline != 0 || opened.EntryID != "e1" {
		t.Fatalf("%+v", opened)
	}
	want := []adapters.Command{adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}}
	if !reflect.DeepEqual(w.commands, want) {
		t.Fatalf("%+v", w.commands)
	}
	late := &Resolve{RequestID: "r1", Outcome: protocol.OutcomeDenied, By: "client:a"}
	w.step(late)
	_, err := answered(t, late.Ticket)
	if p := problemOf(t, err); p.Code != protocol.CodeRequestAlreadyResolved || p.By != byPolicy {
		t.Fatalf("%+v", p)
	}
	// A question is a person's affair.
	from = len(w.log)
	w.say(adapters.RequestOpened{Key: 2, Request: protocol.RequestOpened{Kind: protocol.RequestQuestion, Title: "?", Questions: []protocol.Question{{FreeText: true}}}})
	wantTypes(t, w, from, "request_opened", "status:awaiting_input")
}

// The policy's answer is told again to an agent whose session's actor was lost behind it.
func TestPolicyAnswerIsToldAgain(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyDenyAll})
	w.say(asking(1, "ls", protocol.AllowOnce, protocol.DenyStop))
	w.replace(w.batch)
	if len(w.commands) != 1 || w.commands[0].(adapters.Answer).Option != protocol.DenyStop {
		t.Fatalf("%+v", w.commands)
	}
}

func TestDenyStopWhereTheAgentHasNone(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Rules: []protocol.PolicyRule{{Action: protocol.PolicyDenyStop}}})
	from := len(w.log)
	w.say(asking(1, "ls", protocol.AllowOnce, protocol.DenyContinue))
	wantTypes(t, w, from, "request_opened", "request_resolved", "status:interrupting")
	if len(w.commands) != 2 || w.commands[0].(adapters.Answer).Option != protocol.DenyContinue || w.commands[1] != (adapters.Interrupt{}) {
		t.Fatalf("%+v", w.commands)
	}
}

func TestPolicyThatCannotAllowOnceAsks(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyAllowAll, Deadline: 1000, Default: protocol.PolicyAllow})
	from := len(w.log)
	w.say(asking(1, "ls", protocol.AllowAlways, protocol.DenyContinue))
	wantTypes(t, w, from, "request_opened", "status:awaiting_approval")
	w.now += 1000
	w.step(&RequestOverdue{RequestID: "r1"})
	if p := w.log[len(w.log)-2].Payload.(*protocol.RequestResolved); p.Outcome != protocol.OutcomeDenied || p.Option != protocol.DenyContinue {
		t.Fatalf("%+v", p)
	}
}

// Proves: I3/deadline
func TestDeadlineOfAPolicy(t *testing.T) {
	for name, c := range map[string]struct {
		policy  protocol.Policy
		within  int64
		after   int64 // of the look at it
		want    protocol.RequestResolved
		command adapters.Command
	}{
		"deny": {
			protocol.Policy{Deadline: 60_000},
			0, 60_000,
			protocol.RequestResolved{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue, Message: "Nobody answered in time.", By: byPolicy},
			adapters.Answer{Key: 1, Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue, Message: "Nobody answered in time."},
		},
		"allow": {
			protocol.Policy{Deadline: 60_000, Default: protocol.PolicyAllow},
			90_000, 60_000,
			protocol.RequestResolved{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce, Message: "Nobody answered in time.", By: byPolicy},
			adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce, Message: "Nobody answered in time."},
		},
		"the agent's own comes first": {
			protocol.Policy{Deadline: 60_000, Default: protocol.PolicyAllow},
			30_000, 31_000,
			protocol.RequestResolved{Outcome: protocol.OutcomeExpired, By: byDaemon},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := underPolicy(t, &c.policy)
			r := asking(1, "ls", protocol.AllowOnce, protocol.DenyContinue)
			r.Entry, r.Within = 1, c.within
			w.batch++
			watched := int64(-1)
			for _, e := range w.step(&Batch{Incarnation: w.incarnation, Number: w.batch, Drafts: []adapters.Draft{r}}) {
				if e, ok := e.(WatchRequest); ok {
					watched = e.After.Milliseconds()
				}
			}
			if watched != c.after {
				t.Fatalf("looked at after %d ms", watched)
			}
			w.replace(w.batch) // the next actor keeps it
			if !slices.Contains(w.watched, "WatchRequest") {
				t.Fatalf("%v", w.watched)
			}
			w.now += c.after
			from := len(w.log)
			w.step(&RequestOverdue{RequestID: "r1"})
			w.step(&RequestOverdue{RequestID: "r1"}) // once is enough
			c.want.RequestID = "r1"
			if got := w.log[from].Payload; !reflect.DeepEqual(got, &c.want) {
				t.Fatalf("%+v", got)
			}
			if n := count(w, from, protocol.TypeRequestResolved); n != 1 {
				t.Fatalf("resolved %d times", n)
			}
			var told []adapters.Command
			if c.command != nil {
				told = append(told, c.command)
			}
			if !reflect.DeepEqual(w.commands, told) {
				t.Fatalf("%+v", w.commands)
			}
		})
	}
}

func count(w *world, from int, typ protocol.Type) (n int) {
	for _, e := range w.log[from:] {
		if e.Payload.Type() == typ {
			n++
		}
	}
	return n
}

// Proves: I3/answers
func TestFourAnswers(t *testing.T) {
	all := []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop}
	for _, c := range []struct {
		options []string
		outcome protocol.Outcome
		option  string
		want    Resolution
		refused string // part of the problem
	}{
		{all, "", protocol.AllowOnce, Resolution{protocol.OutcomeAllowed, protocol.AllowOnce}, ""},
		{all, "", protocol.AllowAlways, Resolution{protocol.OutcomeAllowed, protocol.AllowAlways}, ""},
		{all, "", protocol.DenyContinue, Resolution{protocol.OutcomeDenied, protocol.DenyContinue}, ""},
		{all, "", protocol.DenyStop, Resolution{protocol.OutcomeDenied, protocol.DenyStop}, ""},
		{all, protocol.OutcomeAllowed, "", Resolution{protocol.OutcomeAllowed, protocol.AllowOnce}, ""},
		{all, protocol.OutcomeDenied, "", Resolution{protocol.OutcomeDenied, protocol.DenyContinue}, ""},
		{all, protocol.OutcomeAllowed, protocol.AllowAlways, Resolution{protocol.OutcomeAllowed, protocol.AllowAlways}, ""},
		{all, protocol.OutcomeDenied, protocol.DenyStop, Resolution{protocol.OutcomeDenied, protocol.DenyStop}, ""},
		{all, protocol.OutcomeCancelled, "", Resolution{protocol.OutcomeCancelled, ""}, ""},
		{[]string{protocol.AllowOnce, protocol.DenyStop}, protocol.OutcomeDenied, "", Resolution{protocol.OutcomeDenied, protocol.DenyStop}, ""},
		{[]string{protocol.AllowOnce}, protocol.OutcomeDenied, "", Resolution{protocol.OutcomeDenied, ""}, ""},
		{nil, protocol.OutcomeAllowed, "", Resolution{protocol.OutcomeAllowed, ""}, ""},
		{nil, "", protocol.AllowOnce, Resolution{protocol.OutcomeAllowed, protocol.AllowOnce}, ""},
		{[]string{"yes", "no"}, protocol.OutcomeDenied, "no", Resolution{protocol.OutcomeDenied, "no"}, ""},

		{all, protocol.OutcomeDenied, protocol.AllowOnce, Resolution{}, "means allowed, and the outcome says denied"},
		{all, protocol.OutcomeAllowed, protocol.DenyStop, Resolution{}, "means denied, and the outcome says allowed"},
		{all, protocol.OutcomeCancelled, protocol.AllowOnce, Resolution{}, "cancels nothing"},
		{all, "", "perhaps", Resolution{}, "It takes: allow_once, allow_always, deny, deny_stop."},
		{all, "", "", Resolution{}, "allowed or denied"},
		{all, protocol.OutcomeAnswered, "", Resolution{}, "allowed or denied"},
		{all, protocol.OutcomeExpired, "", Resolution{}, "allowed or denied"},
		{all, "maybe", "", Resolution{}, "allowed or denied"},
		{[]string{protocol.AllowAlways, protocol.DenyContinue}, protocol.OutcomeAllowed, "", Resolution{}, "Choose one of its options: allow_always, deny."},
		{[]string{protocol.AllowOnce}, "", protocol.AllowAlways, Resolution{}, "does not support"},
		{[]string{"yes", "no"}, "", "yes", Resolution{}, `Send "outcome" as well`},
	} {
		w := underPolicy(t, nil)
		w.say(asking(1, "ls", c.options...))
		from := len(w.log)
		r := &Resolve{RequestID: "r1", Outcome: c.outcome, Option: c.option, By: "client:a"}
		w.step(r)
		got, err := answered(t, r.Ticket)
		if c.refused != "" {
			p := problemOf(t, err)
			if p.Code != protocol.CodeInvalidRequest || p.Hint == "" || !strings.Contains(p.Detail+" "+p.Hint, c.refused) || len(w.log) > from {
				t.Errorf("%v: %q and %q: %+v", c.options, c.outcome, c.option, p)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%v: %q and %q: %+v, %v", c.options, c.outcome, c.option, got, err)
			continue
		}
		p := w.log[from].Payload.(*protocol.RequestResolved)
		told := w.commands[0].(adapters.Answer)
		if p.Outcome != got.Outcome || p.Option != got.Option || told.Outcome != got.Outcome || told.Option != got.Option {
			t.Errorf("%v: answered %+v, in the log %+v, told %+v", c.options, got, p, told)
		}
	}
}

func TestAnswersToQuestions(t *testing.T) {
	questions := []protocol.Question{
		{Text: "a", Options: []protocol.Option{{ID: "x"}, {ID: "y"}}}, {Text: "b", FreeText: true, Multiple: true},
	}
	for _, c := range []struct {
		outcome protocol.Outcome
		answers [][]string
		ok      bool
	}{
		{protocol.OutcomeAnswered, [][]string{{"x"}, {"one", "two"}}, true},
		{"", [][]string{{"y"}, {"one"}}, true},
		{protocol.OutcomeCancelled, nil, true},
		{"", nil, false},
		{protocol.OutcomeAllowed, [][]string{{"x"}, {"one"}}, false},
		{"", [][]string{{"x"}}, false},
		{"", [][]string{{"z"}, {"one"}}, false},
		{"", [][]string{{"x", "y"}, {"one"}}, false},
		{"", [][]string{{"x"}, {}}, false},
	} {
		w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyAllowAll})
		w.say(adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{Kind: protocol.RequestQuestion, Title: "?", Questions: questions}})
		r := &Resolve{RequestID: "r1", Outcome: c.outcome, Answers: c.answers, By: "client:a"}
		w.step(r)
		if _, err := answered(t, r.Ticket); (err == nil) != c.ok {
			t.Errorf("%q %v: %v", c.outcome, c.answers, err)
		}
	}
}

// A policy that is set in mid turn counts from then on.
func TestPolicyIsChanged(t *testing.T) {
	w := underPolicy(t, nil)
	w.say(asking(1, "ls", protocol.AllowOnce))
	set := func(p *PolicyPatch) error {
		c := &Change{Policy: p}
		w.step(c)
		_, err := answered(t, c.Ticket)
		return err
	}
	from := len(w.log)
	if err := set(&PolicyPatch{Mode: new(protocol.PolicyAllowAll)}); err != nil {
		t.Fatal(err)
	}
	wantTypes(t, w, from, "session_meta")
	if len(w.core.requests.open) != 1 {
		t.Fatal("what was open was answered")
	}
	from = len(w.log)
	w.say(asking(2, "ls", protocol.AllowOnce))
	wantTypes(t, w, from, "request_opened", "request_resolved")
	if err := set(&PolicyPatch{Mode: new(protocol.PolicyAllowAll)}); err != nil || len(w.log) != from+2 {
		t.Fatalf("%v, and %d events of no change", err, len(w.log)-from-2)
	}
	if err := set(&PolicyPatch{Default: new(protocol.PolicyDeny)}); err == nil || len(w.log) != from+2 {
		t.Fatal("a default without a deadline")
	}
	if err := set(&PolicyPatch{Clear: true}); err != nil || !reflect.DeepEqual(w.core.policy, &protocol.Policy{}) {
		t.Fatalf("%v %+v", err, w.core.policy)
	}
}

// The item of a call comes before that of the request about it, also where the agent asks before it runs the call, and where the policy
// answers at once.
// Proves: I10.1/requests
func TestToolCallComesBeforeItsRequest(t *testing.T) {
	for name, mode := range map[string]protocol.PolicyMode{"somebody is asked": protocol.PolicyAsk, "the policy allows": protocol.PolicyAllowAll} {
		w := newWorld(t)
		ready(w)
		w.step(&Change{Policy: &PolicyPatch{Mode: &mode}})
		send(t, w, "one", "", "")
		w.say(adapters.TurnBegan{}, tool(1, protocol.ToolPending), adapters.RequestOpened{
			Key: 1, Entry: 1, Request: protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "?", Options: []protocol.Option{{ID: protocol.AllowOnce}}},
		})
		var items protocol.Items
		var got []protocol.ItemType
		for i := range w.log {
			if it, ok := items.Item(&w.log[i]); ok && it.EntryID != "" {
				got = append(got, it.Type)
			}
		}
		if len(got) < 2 || got[0] != protocol.ItemToolCall || got[1] != protocol.ItemRequest {
			t.Errorf("%s: %v\n%s", name, got, w.text())
		}
	}
}
