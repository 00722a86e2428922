package core

import (
	"reflect"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func call(key uint64, callerID string) *CallTool {
	return &CallTool{
		Key: key, CallerID: callerID, Tool: "select", Arguments: `{"line":1}`, Within: time.Minute,
	}
}

// calling has a session whose agent calls a tool of the caller "editor".
func calling(t *testing.T) (*world, *CallTool) {
	t.Helper()
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyAllowAll, Deadline: 1000})
	c := call(1, "editor")
	w.step(c)
	return w, c
}

func TestCallIsARequestOfTheLog(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyDenyAll, Deadline: 1000})
	from := len(w.log)
	c := call(1, "editor")
	effects := w.step(c)
	wantTypes(t, w, from, "request_opened") // and no status: the tool runs
	if got := w.log[from].Payload; !reflect.DeepEqual(got, &protocol.RequestOpened{
		RequestID: "c1", Kind: protocol.RequestCallerTool, TurnID: "t1", ToolName: "editor_select", CallerID: "editor",
		Title: "The agent calls select, a tool of editor.", Arguments: `{"line":1}`, Deadline: w.now + 60_000,
	}) {
		t.Fatalf("%+v", got)
	}
	if len(effects) != 2 || effects[0] != (WatchRequest{RequestID: "c1", After: time.Minute}) || effects[1] != (Announce{}) {
		t.Fatalf("%+v", effects)
	}
	w.step(call(2, "editor"))
	if got := w.log[from+1].Payload.(*protocol.RequestOpened).RequestID; got != "c2" {
		t.Fatal(got)
	}
}

// TestCallsEnd is the matrix of scenario T30: however a call ends, the log says it once and the agent hears the same.
// Proves: D4.2.callers/ends, T30
func TestCallsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		end    func(w *world)
		want   ToolAnswer
		logged protocol.RequestResolved
	}{
		"answered": {
			func(w *world) { w.step(&Resolve{RequestID: "c1", Result: []byte(`{"text":"x"}`), By: "client:editor"}) },
			ToolAnswer{Outcome: protocol.OutcomeAnswered, Result: []byte(`{"text":"x"}`)},
			protocol.RequestResolved{Outcome: protocol.OutcomeAnswered, By: "client:editor"},
		},
		"failed": {
			func(w *world) {
				w.step(&Resolve{RequestID: "c1", Outcome: protocol.OutcomeFailed, Message: "no window", By: "client:editor"})
			},
			ToolAnswer{Outcome: protocol.OutcomeFailed, Message: "no window"},
			protocol.RequestResolved{Outcome: protocol.OutcomeFailed, Message: "no window", By: "client:editor"},
		},
		"given up by its client": {
			func(w *world) {
				w.step(&Resolve{RequestID: "c1", Outcome: protocol.OutcomeCancelled, By: "client:editor"})
			},
			ToolAnswer{Outcome: protocol.OutcomeCancelled},
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: "client:editor"},
		},
		"overdue": {
			func(w *world) { w.now += 60_000; w.step(&RequestOverdue{RequestID: "c1"}) },
			ToolAnswer{Outcome: protocol.OutcomeExpired},
			protocol.RequestResolved{Outcome: protocol.OutcomeExpired, By: byDaemon},
		},
		"caller gone": {
			func(w *world) { w.step(&CancelCall{Key: 1, Failure: "The caller is not connected."}) },
			ToolAnswer{Outcome: protocol.OutcomeFailed, Message: "The caller is not connected."},
			protocol.RequestResolved{Outcome: protocol.OutcomeFailed, Message: "The caller is not connected.", By: byDaemon},
		},
		"agent gives up": {
			func(w *world) { w.step(&CancelCall{Key: 2}); w.step(&CancelCall{Key: 1}) },
			ToolAnswer{Outcome: protocol.OutcomeCancelled},
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byAgent},
		},
		"turn ends": {
			func(w *world) { w.say(adapters.TurnEnded{Status: protocol.TurnCompleted}) },
			ToolAnswer{Outcome: protocol.OutcomeCancelled},
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byAgent},
		},
		"agent dies": {
			func(w *world) { w.exit(adapters.Exit{Code: 1}) },
			ToolAnswer{Outcome: protocol.OutcomeCancelled},
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon},
		},
		"session ends": {
			func(w *world) { w.step(&End{}); w.exit(adapters.Exit{Requested: true}) },
			ToolAnswer{Outcome: protocol.OutcomeCancelled},
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, asked := calling(t)
			from := len(w.log)
			c.end(w)
			got, err := answered(t, asked.Ticket)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Fatalf("the agent hears %+v, %v", got, err)
			}
			c.logged.RequestID = "c1"
			if n := count(w, from, protocol.TypeRequestResolved); n != 1 {
				t.Fatalf("resolved %d times", n)
			}
			for _, e := range w.log[from:] {
				if p, ok := e.Payload.(*protocol.RequestResolved); ok && !reflect.DeepEqual(p, &c.logged) {
					t.Fatalf("in the log: %+v", p)
				}
			}
			if len(w.commands) > 0 && name != "session ends" {
				t.Fatalf("the agent was told on its own lines: %+v", w.commands)
			}
			late := &Resolve{RequestID: "c1", Result: []byte("1"), By: "client:late"}
			w.step(late)
			_, err = answered(t, late.Ticket)
			if p := problemOf(t, err); p.Code != protocol.CodeRequestAlreadyResolved || p.By != c.logged.By {
				t.Fatalf("a late answer: %+v", p)
			}
		})
	}
}

// The actor or the daemon is replaced: nobody is there any more who would hear the answer.
// Proves: T30
func TestCallsEndWithTheActor(t *testing.T) {
	for name, replace := range map[string]func(w *world){
		"actor": func(w *world) { w.replace(w.batch) },
		"daemon": func(w *world) {
			again := New("s1", testLimits())
			for i := range w.log {
				again.Replay(&w.log[i])
			}
			w.core, w.running = again, false
			w.step(&Recover{Reason: "daemon restarted", Resume: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := calling(t)
			w.say(asking(1, "ls", protocol.AllowAlways)) // what the agent asks on its own lines stays open at a rejoin
			from := len(w.log)
			replace(w)
			var p *protocol.RequestResolved
			for _, e := range w.log[from:] {
				if r, ok := e.Payload.(*protocol.RequestResolved); ok && r.RequestID == "c1" {
					p = r
				}
			}
			if !reflect.DeepEqual(p, &protocol.RequestResolved{RequestID: "c1", Outcome: protocol.OutcomeCancelled, By: byDaemon}) {
				t.Fatalf("%+v", p)
			}
			if open := w.core.requests.open["r1"] != nil; open != (name == "actor") {
				t.Fatalf("the approval is open: %v", open)
			}
			w.attach()
			w.step(call(9, "editor"))
			if w.core.requests.open["c2"] == nil {
				t.Fatalf("a number is used again\n%s", w.text())
			}
		})
	}
}

func TestAnswersToCalls(t *testing.T) {
	for _, c := range []struct {
		in      Resolve
		outcome protocol.Outcome // empty: refused
	}{
		{Resolve{Result: []byte("null")}, protocol.OutcomeAnswered},
		{Resolve{Result: []byte("null"), Outcome: protocol.OutcomeAnswered}, protocol.OutcomeAnswered},
		{Resolve{Outcome: protocol.OutcomeFailed, Message: "no"}, protocol.OutcomeFailed},
		{Resolve{Outcome: protocol.OutcomeCancelled}, protocol.OutcomeCancelled},
		{Resolve{}, ""},
		{Resolve{Outcome: protocol.OutcomeAnswered}, ""},
		{Resolve{Outcome: protocol.OutcomeFailed}, ""},
		{Resolve{Outcome: protocol.OutcomeFailed, Message: "no", Result: []byte("1")}, ""},
		{Resolve{Outcome: protocol.OutcomeCancelled, Result: []byte("1")}, ""},
		{Resolve{Outcome: protocol.OutcomeAllowed, Result: []byte("1")}, ""},
		{Resolve{Outcome: protocol.OutcomeExpired}, ""},
		{Resolve{Option: protocol.AllowOnce}, ""},
		{Resolve{Answers: [][]string{{"x"}}, Result: []byte("1")}, ""},
	} {
		w, asked := calling(t)
		c.in.RequestID, c.in.By = "c1", "client:editor"
		w.step(&c.in)
		got, err := answered(t, c.in.Ticket)
		if c.outcome == "" {
			if p := problemOf(t, err); p.Code != protocol.CodeInvalidRequest || p.Hint == "" {
				t.Errorf("%+v: %+v", c.in, p)
			}
			if _, over := over(asked.Ticket); over {
				t.Errorf("%+v ended the call", c.in)
			}
		} else if err != nil || got.Outcome != c.outcome {
			t.Errorf("%+v: %+v, %v", c.in, got, err)
		}
	}
	// And what only a call takes is refused of others.
	w := underPolicy(t, nil)
	w.say(asking(1, "ls", protocol.AllowOnce))
	for _, in := range []Resolve{{Result: []byte("1")}, {Outcome: protocol.OutcomeFailed, Message: "no"}} {
		in.RequestID = "r1"
		w.step(&in)
		_, err := answered(t, in.Ticket)
		if p := problemOf(t, err); p.Code != protocol.CodeInvalidRequest {
			t.Errorf("%+v", p)
		}
	}
}

func TestCallsThatAreRefused(t *testing.T) {
	refused := func(w *world, code protocol.Code) {
		t.Helper()
		from := len(w.log)
		c := call(99, "editor")
		w.step(c)
		_, err := answered(t, c.Ticket)
		if p := problemOf(t, err); p.Code != code || p.Hint == "" || len(w.log) > from {
			t.Fatalf("%+v", p)
		}
	}
	w, _ := calling(t)
	for i := range maxCalls - 1 {
		w.step(call(uint64(i+2), "editor"))
	}
	refused(w, protocol.CodeOverloaded)
	w.step(&CancelCall{Key: 5})
	w.step(call(100, "editor"))
	if n := len(w.core.requests.open); n != maxCalls {
		t.Fatalf("%d are open", n)
	}
	w.exit(adapters.Exit{Requested: true})
	refused(w, protocol.CodeConflict)
	w.step(&End{})
	refused(w, protocol.CodeSessionEnded)
}

// A session that works for another asks there what people answer; what its callers answer it does not.
func TestCallsAreNotAskedAtTheRoot(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true, Metadata: protocol.Metadata{ParentSessionID: "s0", Spawned: true}})
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	effects := append(w.step(call(1, "editor")), w.step(&TellRoot{})...)
	effects = append(effects, w.step(&CancelCall{Key: 1})...)
	for _, e := range effects {
		to, ok := e.(ToRoot)
		if !ok {
			continue
		}
		if report, is := to.Message.(*ChildReport); !is || len(report.Open) > 0 {
			t.Fatalf("%+v", to.Message)
		}
	}
}

// A session with an open call is not stalled and not put away, and says what the agent itself does.
func TestCallsAndTheState(t *testing.T) {
	w, _ := calling(t)
	if st := w.core.status; st.State != protocol.StateRunningTool || st.ToolName != "bash" {
		t.Fatalf("%+v", st)
	}
	w.now += time.Hour.Milliseconds()
	w.step(&StallOverdue{})
	if w.core.status.Stalled {
		t.Fatal("stalled")
	}
	w.say(asking(1, "ls", protocol.AllowAlways))
	if st := w.core.status; st.State != protocol.StateAwaitingApproval {
		t.Fatalf("%+v", st)
	}
	w.say(adapters.RequestClosed{Key: 1, Outcome: protocol.OutcomeDenied}, adapters.TurnEnded{Status: protocol.TurnCompleted})
	w.step(call(2, "editor")) // between turns
	p := &Park{}
	w.step(p)
	if a, err := answered(t, p.Ticket); err != nil || a.Parked || w.core.status.State != protocol.StateIdle {
		t.Fatalf("%+v, %v, %+v", a, err, w.core.status)
	}
}
