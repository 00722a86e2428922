package core

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func atTool(w *world) {
	ready(w)
	w.step(prompt("one", ""))
	w.say(adapters.TurnBegan{}, tool(1, protocol.ToolRunning), adapters.RequestOpened{
		Key: 1, Entry: 1, Request: protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "?", Options: []protocol.Option{{ID: protocol.AllowOnce}}},
	})
}

func TestKilledAgentIsResumed(t *testing.T) {
	w := newWorld(t)
	atTool(w)
	from := len(w.log)
	w.exit(adapters.Exit{Code: -1, Signal: "killed", Stderr: []string{"boom"}})
	wantTypes(t, w, from, "entry_end", "request_resolved", "turn_end", "status:starting")
	end := w.log[from+2].Payload.(*protocol.TurnEnd)
	if end.Status != protocol.TurnError || !strings.Contains(end.Error, "signal killed") || !strings.Contains(end.Hint, "boom") {
		t.Fatalf("%+v", end)
	}
	s := w.started[0]
	if !s.Spec.Resume || s.Spec.NativeSessionID != "native" || s.Incarnation != 2 || s.Delay == 0 {
		t.Fatalf("%+v", s)
	}
}

// Proves: T11
func TestCrashLoopFailsWithAHint(t *testing.T) {
	w := newWorld(t)
	ready(w)
	for range testLimits().Restarts {
		w.exit(adapters.Exit{Code: 3, Stderr: []string{"no config"}})
		w.attach()
	}
	from := len(w.log)
	w.exit(adapters.Exit{Code: 3, Stderr: []string{"no config"}})
	wantTypes(t, w, from, "status:failed", "session_end")
	if e := w.log[from+1].Payload.(*protocol.SessionEnd); e.Reason != protocol.EndError || !strings.Contains(e.Hint, "no config") {
		t.Fatalf("%+v", e)
	}
	p := prompt("too late", "")
	w.step(p)
	var problem *protocol.Problem
	if _, err := answered(t, p.Ticket); !errors.As(err, &problem) || problem.Code != protocol.CodeSessionEnded {
		t.Fatalf("%v", err)
	}
}

func TestAgentThatNeverStarted(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true})
	w.attach()
	from := len(w.log)
	w.exit(adapters.Exit{Code: 1, Stderr: []string{"bad flag"}})
	wantTypes(t, w, from, "status:failed", "session_end")
}

func TestEnd(t *testing.T) {
	for name, begin := range map[string]func(*world){
		"idle": ready, "at work": atTool, "not started yet": func(w *world) { w.step(&Begin{Agent: "pi", Start: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			begin(w)
			e := &End{}
			effects := w.step(e)
			var told bool
			for _, f := range effects {
				switch f.(type) {
				case StopAgent, CancelStart:
					told = true
				}
			}
			if !told {
				t.Fatalf("nobody stops the agent: %+v", effects)
			}
			if !w.running {
				w.incarnation, w.batch, w.running = 1, 0, true
			}
			w.exit(adapters.Exit{Requested: true})
			if _, err := answered(t, e.Ticket); err != nil {
				t.Fatal(err)
			}
			last := w.log[len(w.log)-1].Payload
			if s, ok := last.(*protocol.SessionEnd); !ok || s.Reason != protocol.EndTerminated {
				t.Fatalf("%+v", last)
			}
			again := &End{}
			from := len(w.log)
			w.step(again)
			if _, err := answered(t, again.Ticket); err != nil {
				t.Fatal(err)
			}
			wantTypes(t, w, from)
		})
	}
}

func TestRecoverClosesWhatWasOpen(t *testing.T) {
	w := newWorld(t)
	atTool(w)
	w.step(prompt("two", ""))
	again := New("s1", testLimits())
	for i := range w.log {
		again.Replay(&w.log[i])
	}
	w.core, w.running, w.started = again, false, nil
	from := len(w.log)
	w.step(&Recover{Reason: "daemon restarted", Resume: true, Epoch: 2})
	wantTypes(t, w, from, "epoch", "entry_end", "request_resolved", "turn_end", "status:queued")
	if end := w.log[from+3].Payload.(*protocol.TurnEnd); end.Status != protocol.TurnInterrupted {
		t.Fatalf("%+v", end)
	}
	if len(w.started) != 1 || !w.started[0].Spec.Resume {
		t.Fatalf("%+v", w.started)
	}
	w.attach()
	w.commands = nil
	w.say(adapters.Ready{NativeSessionID: "native"})
	if len(w.commands) != 1 || w.commands[0].(adapters.Prompt).Text != "two" {
		t.Fatalf("the queue was lost: %+v", w.commands)
	}
}

func TestInterruptThatIsNotHeeded(t *testing.T) {
	w := newWorld(t)
	atTool(w)
	w.step(&Interrupt{})
	w.step(&InterruptOverdue{TurnID: "t1"})
	if w.core.link.phase != linkStopping {
		t.Fatal("the agent was left alone")
	}
	w.exit(adapters.Exit{Code: -1, Signal: "killed", Requested: true})
	if len(w.started) != 1 || !w.started[0].Spec.Resume {
		t.Fatalf("not started again: %+v", w.started)
	}
}

// What an interrupted turn has put beside itself ends with it, and no other turn's.
func TestOrphansOfAnInterruptedTurn(t *testing.T) {
	for name, c := range map[string]struct {
		interrupted bool
		end         adapters.TurnEnded
		want        []time.Duration
	}{
		"interrupted":                 {true, adapters.TurnEnded{Status: protocol.TurnInterrupted}, []time.Duration{7 * time.Second}},
		"done before it was":          {true, adapters.TurnEnded{Status: protocol.TurnCompleted}, nil},
		"broken off by the agent":     {false, adapters.TurnEnded{Status: protocol.TurnInterrupted}, nil},
		"done, as nobody interrupted": {false, adapters.TurnEnded{Status: protocol.TurnCompleted}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ready(w)
			w.now += 5_000
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, text(1))
			if c.interrupted {
				w.step(&Interrupt{})
			}
			began := w.core.turn.opened
			w.now = began + 7_000
			var got []time.Duration
			w.batch++
			for _, f := range w.step(&Batch{Incarnation: w.incarnation, Number: w.batch, Drafts: []adapters.Draft{c.end}}) {
				if orphans, ok := f.(EndOrphans); ok {
					got = append(got, orphans.Turn)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
		})
	}
}

// Proves: P2/requests
func TestFirstAnswerWins(t *testing.T) {
	w := newWorld(t)
	atTool(w)
	w.commands = nil
	first := &Resolve{RequestID: "r1", Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce, By: "client:a"}
	second := &Resolve{RequestID: "r1", Outcome: protocol.OutcomeDenied, By: "client:b"}
	w.step(first)
	w.step(second)
	if _, err := answered(t, first.Ticket); err != nil {
		t.Fatal(err)
	}
	var problem *protocol.Problem
	if _, err := answered(t, second.Ticket); !errors.As(err, &problem) || problem.Code != protocol.CodeRequestAlreadyResolved || problem.By != "client:a" {
		t.Fatalf("%v", err)
	}
	if len(w.commands) != 1 || w.commands[0].(adapters.Answer).Outcome != protocol.OutcomeAllowed {
		t.Fatalf("%+v", w.commands)
	}
}

func TestLostNativeSessionIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.core.limits.Restarts = 8
	ready(w)
	w.exit(adapters.Exit{Code: -1, Signal: "killed"})
	var resumed []bool
	for range 4 {
		resumed = append(resumed, w.started[0].Spec.Resume)
		w.attach()
		w.exit(adapters.Exit{Code: 1, Stderr: []string{"no such session"}})
	}
	if want := []bool{true, true, false, false}; !slices.Equal(resumed, want) {
		t.Fatalf("resumed %v, want %v", resumed, want)
	}
	notices := 0
	for _, e := range w.log {
		s, ok := e.Payload.(*protocol.EntryStart)
		if !ok {
			continue
		}
		if d, ok := s.Data.(*protocol.SystemData); ok && d.Kind != protocol.KindAgentLost {
			notices++
		}
	}
	if notices != 1 {
		t.Fatalf("%d notices\n%s", notices, w.text())
	}
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "another"})
	w.exit(adapters.Exit{Code: -1, Signal: "killed"})
	if !w.started[0].Spec.Resume || w.started[0].Spec.NativeSessionID != "another" {
		t.Fatalf("%+v", w.started[0].Spec)
	}
}

// TestNamedSessionThatIsNotThere: a client named a session of the agent's to go on with. Where the agent has begun another one, or does not
// start with it, the session fails before a prompt reaches an agent that knows nothing of what was said. An agent that leaves its session for
// another later on is no such case.
func TestNamedSessionThatIsNotThere(t *testing.T) {
	for name, c := range map[string]struct {
		named string
		ready []string // ids, one after the other; none: the agent does not start
		want  string   // error of the session's end
	}{
		"there":                  {"n-1", []string{"n-1"}, ""},
		"not there":              {"n-1", []string{"n-2"}, "the agent does not have its session n-1"},
		"does not start":         {"n-1", nil, "agent did not start: exit status 1"},
		"another one later":      {"n-1", []string{"n-1", "n-2"}, ""},
		"nobody named one":       {"", []string{"n-2"}, ""},
		"nobody, and then later": {"", []string{"n-2", "n-3"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.step(&Begin{Agent: "pi", Start: true, NativeID: c.named, Metadata: protocol.Metadata{Cwd: cwd}})
			w.attach()
			w.step(prompt("hello", ""))
			for _, id := range c.ready {
				w.say(adapters.Ready{NativeSessionID: id})
			}
			if len(c.ready) == 0 || c.want != "" {
				w.exit(adapters.Exit{Code: 1})
			}
			got, turns := "", 0
			for i := range w.log {
				switch e := w.log[i].Payload.(type) {
				case *protocol.SessionEnd:
					got = e.Error
				case *protocol.TurnStart:
					turns++
				}
			}
			if got != c.want || (turns == 0) != (c.want != "") {
				t.Fatalf("%q, %d turns\n%s", got, turns, w.text())
			}
		})
	}
}
