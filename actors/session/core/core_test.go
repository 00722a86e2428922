package core

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"pgregory.net/rapid"
)

// world drives a core as the shell, the supervisor and an adapter would, and audits the log.
type world struct {
	t     interface{ Fatalf(string, ...any) }
	core  *State
	audit *audit.Log
	log   []protocol.Event
	now   int64

	running     bool // an adapter is attached
	incarnation uint32
	batch       uint64
	commands    []adapters.Command
	started     []StartAgent
	posted      []ToSession     // by mail
	asked       map[uint64]bool // tickets of what was asked and may not be answered yet
	announced   Summary         // the newest
	watched     []string        // what the shell was asked to look at later
	shadow      shadow
}

func testLimits() *Limits {
	return &Limits{
		Queue: 5, Restarts: 3, Remembered: 50, Resumable: true, Restartable: true, StallAfter: 5 * time.Minute,
		Capabilities: adapters.Capabilities{Images: true, Models: true, Modes: true},
	}
}

func newWorld(t interface{ Fatalf(string, ...any) }) *world {
	w := &world{t: t, core: New("s1", testLimits()), audit: audit.New(), now: 1_000_000, asked: map[uint64]bool{}}
	return w
}

func (w *world) step(in Input) []Effect {
	w.ask(in)
	events, effects := w.core.Step(w.now, w.now, in)
	for i := range events {
		w.log = append(w.log, events[i])
		if err := w.audit.Take(&events[i]); err != nil {
			w.t.Fatalf("after %T: %v\n%s", in, err, w.text())
		}
	}
	effects = append([]Effect(nil), effects...)
	w.shadow.step(w.t, w.core, in, events)
	for _, e := range effects {
		switch e := e.(type) {
		case Illegal:
			w.t.Fatalf("after %T: %s\n%s", in, e, w.text())
		case Answer:
			delete(w.asked, e.Ticket)
			post(e)
		case StartAgent:
			w.started = append(w.started, e)
		case WatchInterrupt, WatchRequest, WatchStart, WatchStall:
			w.watched = append(w.watched, strings.TrimPrefix(fmt.Sprintf("%T", e), "core."))
		case Announce:
			w.announced = w.core.Summary()
		case Tell:
			w.commands = append(w.commands, e.Command)
		}
	}
	w.told(in)
	if f := w.core.facts(); w.core.end == nil && w.core.seq > 0 && f.status() != w.core.status {
		w.t.Fatalf("I8: after %T the facts say %+v, the log %+v\n%s", in, f.status(), w.core.status, w.text())
	}
	return effects
}

// told compares what was announced with what the log says of the turn and of the prompts that are not settled.
func (w *world) told(in Input) {
	var turn string
	var taken, waiting []string
	var changed uint64
	without := func(list []string, id string) []string {
		return slices.DeleteFunc(list, func(x string) bool { return x == id })
	}
	for i := range w.log {
		changed = w.log[i].Seq
		switch p := w.log[i].Payload.(type) {
		case *protocol.PromptQueued:
			waiting = append(waiting, p.PromptID)
		case *protocol.PromptRemoved:
			if waiting = without(waiting, p.PromptID); p.Reason == protocol.RemovedDispatched {
				taken = append(without(taken, p.PromptID), p.PromptID)
			}
		case *protocol.TurnStart:
			if turn = p.TurnID; p.Prompt != nil {
				taken = append(without(taken, p.Prompt.PromptID), p.Prompt.PromptID)
			}
		case *protocol.TurnEnd:
			turn, taken = "", nil
		case *protocol.SessionEnd:
			taken = nil
		}
	}
	slices.Sort(taken)
	slices.Sort(waiting)
	want := slices.Sorted(slices.Values(append(taken, waiting...)))
	got := w.announced
	if prompts := slices.Sorted(slices.Values(got.Prompts)); got.Turn != turn || !slices.Equal(prompts, want) || got.Changed != w.core.Changed() || got.Changed > changed {
		w.t.Fatalf("after %T the summary has turn %q, prompts %v, changed %d; the log has %q, %v, %d\n%s", in, got.Turn, prompts, got.Changed, turn, want, w.core.Changed(), w.text())
	}
}

// ask gives a question a ticket.
func (w *world) ask(in Input) {
	if ticket := stub(in); ticket != 0 {
		w.asked[ticket] = true
	}
}

// attach lets the adapter that was asked for last begin.
func (w *world) attach() {
	n := len(w.started)
	if n == 0 || w.running {
		return
	}
	w.incarnation, w.batch, w.running = w.started[n-1].Incarnation, 0, true
	w.started = nil
	w.step(&AgentStarted{Incarnation: w.incarnation})
}

func (w *world) say(drafts ...adapters.Draft) {
	if w.running {
		w.batch++
		w.step(&Batch{Incarnation: w.incarnation, Number: w.batch, Drafts: drafts})
	}
}

func (w *world) exit(x adapters.Exit) {
	if !w.running {
		return
	}
	w.batch++
	w.running = false
	w.step(&Batch{Incarnation: w.incarnation, Number: w.batch, Exit: &x})
	if err := w.audit.Settled(); err != nil {
		w.t.Fatalf("%v\n%s", err, w.text())
	}
}

func (w *world) text() string {
	var b []byte
	for i := range w.log {
		b = append(protocol.Append(b, &w.log[i]), '\n')
	}
	return string(b)
}

// types is the log in short, from an event on.
func (w *world) types(from int) []string {
	var list []string
	for _, e := range w.log[from:] {
		s := string(e.Payload.Type())
		if st, ok := e.Payload.(*protocol.Status); ok {
			s += ":" + string(st.State)
		}
		list = append(list, s)
	}
	return list
}

func prompt(text string, b protocol.Behavior) *SendPrompt {
	return &SendPrompt{Prompt: NewPrompt{Text: text, Behavior: b}}
}

func ready(w *world) {
	w.step(&Begin{Agent: "pi", Start: true})
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
}

func text(key adapters.EntryKey) adapters.EntryOpened {
	return adapters.EntryOpened{Key: key, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}}
}

func tool(key adapters.EntryKey, st protocol.ToolStatus) adapters.EntryOpened {
	return adapters.EntryOpened{
		Key: key, Type: protocol.EntryToolCall, Data: &protocol.ToolCallData{ToolName: "bash", CallID: fmt.Sprint(key), Status: st},
	}
}

// TestAnything throws random inputs, in any order, at the core: every log is well formed, every status agrees with the
// facts, and a core that is replayed from the log, or restored from what
// was saved, knows what the first one knew.
// Proves: 002.3.3/seq, C14, P2/open, P3/transitions, I15.1/restored
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.step(&Begin{Agent: "pi", Start: true})
		calls := map[*CallTool]uint32{} // taken: the number of calls before it
		key := func() adapters.EntryKey { return adapters.EntryKey(rapid.Uint32Range(1, 6).Draw(t, "key")) }
		req := func() adapters.RequestKey { return adapters.RequestKey(rapid.Uint32Range(1, 3).Draw(t, "request")) }
		flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
		moves := []func(){
			w.attach,
			func() { w.say(adapters.Ready{NativeSessionID: "n"}) },
			func() { w.say(adapters.TurnBegan{Prompt: &protocol.Prompt{Text: "seen"}}) },
			func() {
				w.say(adapters.TurnEnded{Status: rapid.SampledFrom([]protocol.TurnStatus{
					protocol.TurnCompleted, protocol.TurnInterrupted, protocol.TurnError,
				}).Draw(t, "status"), Running: []adapters.EntryKey{key(), key()}})
			},
			func() { w.say(text(key())) },
			func() { w.say(tool(key(), protocol.ToolPending), tool(key(), protocol.ToolRunning)) },
			func() { w.say(adapters.EntryChanged{Key: key(), Delta: &protocol.TextAppend{Text: "x"}}) },
			func() {
				w.say(adapters.EntryChanged{Key: key(), Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
			},
			func() { w.say(adapters.EntryClosed{Key: key()}, adapters.EntryBound{Key: key(), PersistentID: "p"}) },
			func() {
				w.say(adapters.RequestOpened{Key: req(), Entry: key(), Request: protocol.RequestOpened{
					Kind: protocol.RequestApproval, Title: "?", Options: []protocol.Option{{ID: protocol.AllowOnce}},
				}})
			},
			func() { w.say(adapters.RequestClosed{Key: req(), Outcome: protocol.OutcomeExpired}) },
			func() {
				w.say(adapters.PhaseChanged{State: rapid.SampledFrom([]protocol.State{
					protocol.StateRetrying, protocol.StateCompacting, protocol.StateResponding, protocol.StateIdle,
				}).Draw(t, "phase"), RetryAt: 5})
			},
			func() {
				n := adapters.NativeQueue{Cleared: flag("cleared")}
				n.Steering = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 3).Draw(t, "steering")
				n.FollowUp = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 2).Draw(t, "followUp")
				w.say(n)
			},
			func() {
				w.say(adapters.PromptAnswered{
					ID:     fmt.Sprintf("p%d", rapid.IntRange(1, 6).Draw(t, "prompt")),
					Result: adapters.PromptResult(rapid.IntRange(0, 3).Draw(t, "result")), Error: "no",
				})
			},
			func() { w.say(adapters.Notice{Text: "n"}, adapters.Native{Kind: "k", Raw: []byte("{}")}) },
			func() {
				w.exit(adapters.Exit{Code: rapid.IntRange(0, 1).Draw(t, "code"), Requested: flag("requested")})
			},
			func() {
				w.step(prompt(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "text"),
					rapid.SampledFrom([]protocol.Behavior{"", protocol.Steer, protocol.FollowUp}).Draw(t, "behavior")))
			},
			func() { w.step(&CancelPrompt{PromptID: fmt.Sprintf("p%d", rapid.IntRange(1, 6).Draw(t, "prompt"))}) },
			func() {
				w.step(&MovePrompt{
					PromptID: fmt.Sprintf("p%d", rapid.IntRange(1, 6).Draw(t, "prompt")),
					Before:   rapid.SampledFrom([]string{"", "p1", "p2", "p3", "p4"}).Draw(t, "before"), Position: rapid.IntRange(0, 4).Draw(t, "position"),
				})
			},
			func() {
				w.step(&Choose{
					Setting: rapid.SampledFrom([]Setting{SettingModel, SettingMode}).Draw(t, "setting"),
					Value:   rapid.SampledFrom([]string{"a", "b"}).Draw(t, "value"), When: rapid.SampledFrom([]When{WhenNow, WhenIdle}).Draw(t, "when"),
				})
			},
			func() {
				if n := len(w.commands); n > 0 {
					var id string
					switch c := w.commands[n-1].(type) {
					case adapters.SetModel:
						id = c.ID
					case adapters.SetMode:
						id = c.ID
					default:
					}
					w.say(adapters.SettingAnswered{ID: id, Result: adapters.SettingResult(rapid.IntRange(0, 2).Draw(t, "result")), Error: "no"})
					w.step(&SettingOverdue{ID: id})
				}
			},
			func() {
				model := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model")
				w.say(adapters.MetaChanged{Meta: protocol.SessionMeta{Model: &model}}, adapters.Ready{Mode: model})
			},
			func() { w.say(adapters.Offered{Models: []adapters.Choice{{ID: "a"}}, AllModels: flag("all")}) },
			func() {
				w.step(&Change{Policy: &PolicyPatch{
					Mode:  new(rapid.SampledFrom([]protocol.PolicyMode{protocol.PolicyAsk, protocol.PolicyAllowAll, protocol.PolicyDenyAll}).Draw(t, "policy")),
					Rules: &[]protocol.PolicyRule{{Tool: "edit", Action: protocol.PolicyDenyStop}}, Deadline: new(int64(5000)),
				}})
			},
			func() {
				w.say(adapters.ChildBegan{NativeID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "child"), Entry: key()})
			},
			func() {
				r := askFor(req())
				r.Request.RequestID = fmt.Sprintf("r%d", r.Key)
				w.step(&ChildAsks{ChildID: ChildID("s1", "a"), Request: r.Request})
			},
			func() {
				w.step(&ChildResolved{ChildID: ChildID("s1", "a"), Resolved: protocol.RequestResolved{
					RequestID: fmt.Sprintf("r%d", req()), Outcome: protocol.OutcomeDenied, By: "client:c",
				}})
			},
			func() { w.step(&ChildReport{ChildID: ChildID("s1", "a")}) },
			func() { w.step(&TellRoot{}); w.step(&Adopt{}); w.step(&ChildGone{ChildID: "nobody"}) },
			func() { w.step(&Interrupt{}) },
			func() { w.step(&InterruptOverdue{TurnID: w.core.turn.ID()}) },
			func() {
				w.step(&Resolve{RequestID: protocol.RequestID(max(1, w.incarnation), uint32(req())), Outcome: protocol.OutcomeAllowed, By: "client:x"})
			},
			func() {
				c := call(uint64(len(calls)+1), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "caller"))
				calls[c] = w.core.ids.call
				w.step(c)
				if w.core.ids.call == calls[c] {
					delete(calls, c) // refused
				}
			},
			func() {
				w.step(&CancelCall{Key: rapid.Uint64Range(1, 6).Draw(t, "call"), Failure: rapid.SampledFrom([]string{"", "gone"}).Draw(t, "failure")})
			},
			func() {
				w.step(&Resolve{RequestID: protocol.CallID(rapid.Uint32Range(1, 6).Draw(t, "call")), Result: []byte("1"), By: "client:x"})
				w.step(&RequestOverdue{RequestID: protocol.CallID(w.core.ids.call)})
			},
			func() { w.step(&Park{Drain: flag("drain")}) },
			func() { w.step(&RequestOverdue{RequestID: protocol.RequestID(max(1, w.incarnation), uint32(req()))}) },
			func() {
				title := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "title")
				w.step(&Change{Title: &title, Labels: map[string]*string{"a": &title}})
			},
			func() { w.step(&Change{Labels: map[string]*string{"a": nil}}) },
			func() { w.step(&StallOverdue{}) },
			func() { w.step(&StartOverdue{Incarnation: w.incarnation}) },
			func() { // the actor fails, the agent does not
				if w.running {
					w.replace(w.batch)
					clear(calls) // the shell fails them
				}
			},
			func() { w.now += rapid.Int64Range(-1000, 400_000).Draw(t, "clock") },
			func() { w.step(&Batch{Incarnation: w.incarnation + 7, Number: 1, Drafts: []adapters.Draft{text(1)}}) },
			func() { w.step(&Batch{Incarnation: w.incarnation, Number: w.batch, Drafts: []adapters.Draft{text(1)}}) },
			func() {
				if rapid.IntRange(0, 20).Draw(t, "end") == 0 {
					w.step(&End{})
				}
			},
		}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			rapid.SampledFrom(moves).Draw(t, "move")()
		}
		for c, before := range calls {
			open := w.core.requests.open[protocol.CallID(before+1)] != nil
			if _, answered := over(c.Ticket); answered == open {
				t.Fatalf("call %d is open: %v, and answered: %v\n%s", before+1, open, answered, w.text())
			}
		}
		again := New("s1", testLimits())
		var folded protocol.SessionState
		for i := range w.log {
			again.Replay(&w.log[i])
			folded.Apply(&w.log[i])
		}
		if spent := folded.Spent; spent == nil && w.core.total != (protocol.Spent{}) || spent != nil && *spent != w.core.total {
			t.Fatalf("clients count %+v, and the session %+v\n%s", spent, w.core.total, w.text())
		}
		sameState(t, w, again)
		restored := New("s1", testLimits())
		if err := restored.Restore(w.core.Save()); err != nil {
			t.Fatalf("%v\n%s", err, w.text())
		}
		sameState(t, w, restored)
		if flag("restored") {
			again = restored
		}
		w.core, w.running = again, false
		w.step(&Recover{Reason: "daemon restarted"})
		if err := w.audit.Settled(); err != nil {
			t.Fatalf("after recovery: %v\n%s", err, w.text())
		}
	})
}

// sameState compares what the log tells.
func sameState(t *rapid.T, w *world, again *State) {
	fields := func(s *State) []any {
		return []any{
			s.Summary(), len(s.entries.open), s.requests.list(), s.queue.count, s.turn.ID(), s.queue.keys, s.requests.resolved,
			s.family, s.settings.waiting, s.policy, s.settings.asked, s.ids,
		}
	}
	if got, want := fields(again), fields(w.core); !reflect.DeepEqual(got, want) {
		t.Fatalf("replayed:\n%+v\nlived:\n%+v\n%s", got, want, w.text())
	}
	if got, want := (&world{core: again}).order(), w.order(); got != want {
		t.Fatalf("the queue is %s, and was %s\n%s", got, want, w.text())
	}
	for id, o := range w.core.entries.open {
		if r := again.entries.open[id]; r == nil || !reflect.DeepEqual(r.data(), o.data()) {
			t.Fatalf("entry %s differs after a replay", id)
		}
	}
}
