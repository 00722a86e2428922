package core

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"pgregory.net/rapid"
)

const cwd = "/srv/shop"

// relatives are a root session and its sub-agents' sessions, with what is on its way between them. Each has a mailbox: what is sent to
// one arrives in order, and mailboxes know nothing of each other.
type relatives struct {
	t       interface{ Fatalf(string, ...any) }
	members map[string]*world
	parents map[string]string
	boxes   map[string][]Input
}

const rootID = "s1"

func newRelatives(t interface{ Fatalf(string, ...any) }) *relatives {
	f := &relatives{t: t, members: map[string]*world{}, parents: map[string]string{}, boxes: map[string][]Input{}}
	f.members[rootID] = newWorld(t)
	f.do(rootID, &Begin{Agent: "pi", Start: true})
	f.attach(rootID)
	f.say(rootID, adapters.Ready{NativeSessionID: "native"})
	return f
}

// do steps one member and posts what it sends.
func (f *relatives) do(id string, in Input) { f.post(id, f.members[id].step(in)) }

func (f *relatives) post(id string, effects []Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case AdoptChild:
			f.adopt(id, e)
		case ToRoot:
			root := id
			for f.parents[root] != "" {
				root = f.parents[root]
			}
			f.boxes[root] = append(f.boxes[root], e.Message)
		case PassOn:
			delete(f.members[id].asked, e.Ticket) // whoever asked is the child's to answer now
			f.boxes[e.SessionID] = append(f.boxes[e.SessionID], e.Answer)
		case ToSession:
			f.boxes[e.ID] = append(f.boxes[e.ID], e.Message)
		default:
		}
	}
}

// adopt does what the supervisor does.
func (f *relatives) adopt(parent string, e AdoptChild) {
	if w := f.members[e.ChildID]; w != nil {
		if !e.Again {
			f.do(e.ChildID, &Adopt{})
			f.attach(e.ChildID)
		}
		return
	}
	w := newWorld(f.t)
	w.core.id = e.ChildID
	f.members[e.ChildID], f.parents[e.ChildID] = w, parent
	f.do(e.ChildID, &Begin{Agent: "pi", Start: true, NativeID: e.NativeID, Metadata: protocol.Metadata{
		ParentSessionID: parent, SubAgent: true, Policy: e.Policy, Title: e.Title, Cwd: cwd,
	}})
	f.attach(e.ChildID)
}

// attach connects the adapter that a member has asked for.
func (f *relatives) attach(id string) {
	w := f.members[id]
	if n := len(w.started); n > 0 && !w.running {
		w.incarnation, w.batch, w.running = w.started[n-1].Incarnation, 0, true
		w.started = nil
		f.do(id, &AgentStarted{Incarnation: w.incarnation})
		if w.core.meta.SubAgent {
			f.say(id, adapters.Ready{})
		}
	}
}

func (f *relatives) say(id string, drafts ...adapters.Draft) {
	if w := f.members[id]; w.running {
		w.batch++
		f.do(id, &Batch{Incarnation: w.incarnation, Number: w.batch, Drafts: drafts})
	}
}

// exit ends the agent of a member, and with it the connections of its sub-agents.
func (f *relatives) exit(id string, x adapters.Exit) {
	if w := f.members[id]; w.running {
		w.batch++
		w.running = false
		f.do(id, &Batch{Incarnation: w.incarnation, Number: w.batch, Exit: &x})
	}
	for _, child := range f.ids() {
		if f.parents[child] == id {
			f.exit(child, adapters.Exit{Code: -1, Error: "the connection is gone"})
		}
	}
}

// crash loses a member's actor with its mailbox; the next one goes on from the log.
func (f *relatives) crash(id string) {
	for _, m := range f.boxes[id] {
		f.members[id].ask(m)
	}
	f.boxes[id] = nil
	w := f.members[id]
	again := New(id, testLimits())
	for i := range w.log {
		again.Replay(&w.log[i])
	}
	w.core, w.commands, w.watched = again, nil, nil
	for ticket := range w.asked {
		post(Answer{Ticket: ticket, Err: errors.New("the actor is gone")})
	}
	w.asked = map[uint64]bool{}
	if w.running {
		f.do(id, &Rejoin{Incarnation: w.incarnation, Batch: w.batch})
	} else {
		f.do(id, &Recover{Reason: "session restarted", Incarnation: w.incarnation})
		f.attach(id)
	}
}

// deliver takes one message out of a mailbox.
func (f *relatives) deliver(id string) {
	if box := f.boxes[id]; len(box) > 0 {
		f.boxes[id] = box[1:]
		f.do(id, box[0])
	}
}

func (f *relatives) settle() {
	for more := true; more; {
		more = false
		for _, id := range f.ids() {
			for len(f.boxes[id]) > 0 {
				more = true
				f.deliver(id)
			}
		}
	}
}

func (f *relatives) ids() []string { return slices.Sorted(maps.Keys(f.members)) }

// open is what a member's log has open, by the name that the root's log gives it.
func (f *relatives) open(id string) []string {
	var list []string
	for _, r := range f.members[id].core.requests.list() {
		name := r.RequestID
		if id != rootID {
			name = childRequestID(name, id)
		}
		list = append(list, name)
	}
	return list
}

// agree says that root and children have the same open.
func (f *relatives) agree() {
	var want []string
	for _, id := range f.ids() {
		if id != rootID {
			want = append(want, f.open(id)...)
		}
	}
	got := slices.DeleteFunc(f.open(rootID), func(id string) bool { return !strings.Contains(id, "@") })
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		f.t.Fatalf("the root has %v open, the children %v\nroot:\n%s", got, want, f.members[rootID].text())
	}
}

func askFor(key adapters.RequestKey) adapters.RequestOpened {
	return adapters.RequestOpened{Key: key, Request: protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolName: "bash", ToolKind: protocol.ToolExecute, Subject: "ls", Title: "Run ls?",
		Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.DenyContinue}},
	}}
}

// parentOf has a root at work with one sub-agent, which works too.
func parentOf(t *testing.T, drafts ...adapters.Draft) (f *relatives, child string) {
	t.Helper()
	f = newRelatives(t)
	f.do(rootID, prompt("one", ""))
	f.say(rootID, adapters.TurnBegan{}, tool(1, protocol.ToolRunning), adapters.ChildBegan{NativeID: "n-7", Entry: 1, Title: "Research"})
	child = ChildID(rootID, "n-7")
	f.say(child, append([]adapters.Draft{adapters.TurnBegan{}}, drafts...)...)
	f.settle()
	return f, child
}

func TestChildID(t *testing.T) {
	id := ChildID("0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", "n-7")
	if !protocol.ValidSessionID(id) || id[14] != '5' || id != ChildID("0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", "n-7") {
		t.Fatal(id)
	}
	// RFC 9562, appendix A.4.
	if got := ChildID("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com"); got != "2ed6657d-e927-568b-95e1-2665a8aea6a2" {
		t.Fatal(got)
	}
	if !protocol.ValidSessionID(ChildID("s1", "x")) || ChildID("s1", "x") == ChildID("s2", "x") || ChildID("s1", "x") == ChildID("s1", "y") {
		t.Fatal("not a name of its own")
	}
}

func TestChildIsBorn(t *testing.T) {
	f, child := parentOf(t)
	c := f.members[rootID].core.family.children[child]
	if c.EntryID != "e1" || c.Title != "Research" || c.NativeSessionID != "n-7" {
		t.Fatalf("%+v", c)
	}
	s := f.members[child].core
	if sum := s.Summary(); !sum.SubAgent || sum.ParentSessionID != rootID || sum.NativeSessionID != "n-7" || sum.Title != "Research" {
		t.Fatalf("%+v", sum)
	}
	from := len(f.members[rootID].log)
	f.say(rootID, adapters.ChildBegan{NativeID: "n-7"}) // known as it is
	f.say(rootID, adapters.ChildBegan{NativeID: "n-7", Title: "Better"})
	wantTypes(t, f.members[rootID], from, "child_session")
	if c := f.members[rootID].core.family.children[child]; c.EntryID != "e1" || c.Title != "Better" {
		t.Fatalf("%+v", c)
	}
}

func TestChildSpec(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true, NativeID: "n-7", Metadata: protocol.Metadata{SubAgent: true, Cwd: cwd, Model: "m"}})
	if s := w.started[0].Spec; !s.Child || s.Resume || s.NativeSessionID != "n-7" || s.Cwd != cwd {
		t.Fatalf("%+v", s)
	}
}

func TestChildAsksAtTheRoot(t *testing.T) {
	f, child := parentOf(t)
	from := len(f.members[rootID].log)
	f.say(child, askFor(1))
	f.settle()
	root := f.members[rootID]
	wantTypes(t, root, from, "request_opened", "status:awaiting_approval")
	opened := root.log[from].Payload.(*protocol.RequestOpened)
	want := protocol.RequestOpened{
		RequestID: "r1@" + child, Kind: protocol.RequestApproval, TurnID: "t1", EntryID: "e1", SessionID: child, ToolName: "bash",
		ToolKind: protocol.ToolExecute, Subject: "ls", Title: "Run ls?", Options: opened.Options,
	}
	if !reflect.DeepEqual(*opened, want) {
		t.Fatalf("%+v", opened)
	}

	first := &Resolve{RequestID: "r1@" + child, Outcome: protocol.OutcomeAllowed, By: "client:a"}
	late := &Resolve{RequestID: "r1@" + child, Outcome: protocol.OutcomeDenied, By: "client:b"}
	there := &Resolve{RequestID: "r1", Outcome: protocol.OutcomeDenied, By: "client:c"}
	from = len(root.log)
	f.do(rootID, first)
	f.do(rootID, late) // before the child has said anything
	f.settle()
	f.do(child, there)
	if r, err := answered(t, first.Ticket); err != nil || r != (Resolution{protocol.OutcomeAllowed, protocol.AllowOnce}) {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, r := range []*Resolve{late, there} {
		_, err := answered(t, r.Ticket)
		if p, ok := err.(*protocol.Problem); !ok || p.Code != protocol.CodeRequestAlreadyResolved || p.By != "client:a" {
			t.Fatalf("%v", err)
		}
	}
	wantTypes(t, root, from, "request_resolved", "status:running_tool")
	if p := root.log[from].Payload.(*protocol.RequestResolved); p.RequestID != "r1@"+child || p.By != "client:a" || p.Option != protocol.AllowOnce {
		t.Fatalf("%+v", p)
	}
	if got := f.members[child].commands; len(got) != 1 || got[0].(adapters.Answer).Option != protocol.AllowOnce {
		t.Fatalf("%+v", got)
	}
	if len(root.commands) != 1 { // the prompt
		t.Fatalf("the root's agent was told: %+v", root.commands)
	}
}

// Whatever closes a child's request closes it at the root.
func TestChildRequestsCloseAtTheRoot(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(f *relatives, child string)
		want protocol.RequestResolved // in the root's log
	}{
		"withdrawn": {func(f *relatives, child string) {
			f.say(child, adapters.RequestClosed{Key: 1, Outcome: protocol.OutcomeCancelled})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byAgent}},
		"turn ended": {func(f *relatives, child string) {
			f.say(child, adapters.TurnEnded{Status: protocol.TurnCompleted})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byAgent}},
		"child done": {func(f *relatives, child string) {
			f.exit(child, adapters.Exit{})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon}},
		"connection lost": {func(f *relatives, child string) {
			f.exit(child, adapters.Exit{Code: -1, Error: "gone"})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon}},
		"child ended": {func(f *relatives, child string) {
			f.do(child, &End{})
			f.exit(child, adapters.Exit{Requested: true})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon}},
		"child gone": {func(f *relatives, child string) {
			delete(f.members, child)
			f.do(rootID, &ChildGone{ChildID: child})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon}},
		"root's agent gone": {func(f *relatives, _ string) {
			f.exit(rootID, adapters.Exit{Code: 1})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon}},
		"daemon restarted": {func(f *relatives, child string) {
			f.members[rootID].running, f.members[child].running = false, false
			f.crash(rootID)
			f.crash(child)
		}, protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: byDaemon}},
		"answered at the child": {func(f *relatives, child string) {
			f.do(child, &Resolve{RequestID: "r1", Option: protocol.DenyContinue, By: "client:a", Message: "no"})
		}, protocol.RequestResolved{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue, By: "client:a", Message: "no"}},
		"answered at the child, and its word lost": {func(f *relatives, child string) {
			f.do(child, &Resolve{RequestID: "r1", Option: protocol.DenyContinue, By: "client:a"})
			f.crash(rootID)
		}, protocol.RequestResolved{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue, By: "client:a"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, child := parentOf(t, askFor(1))
			f.agree()
			if len(f.open(rootID)) != 1 {
				t.Fatal("the root does not have it")
			}
			c.end(f, child)
			f.settle()
			f.agree()
			var got *protocol.RequestResolved
			for _, e := range f.members[rootID].log {
				if p, ok := e.Payload.(*protocol.RequestResolved); ok {
					got = p
				}
			}
			c.want.RequestID = "r1@" + child
			if got == nil || !reflect.DeepEqual(*got, c.want) {
				t.Fatalf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// The root's turn does not end what its sub-agents wait for.
func TestChildRequestOutlivesTheRootsTurn(t *testing.T) {
	f, child := parentOf(t, askFor(1))
	from := len(f.members[rootID].log)
	f.say(rootID, adapters.EntryClosed{Key: 1}, adapters.TurnEnded{Status: protocol.TurnCompleted})
	wantTypes(t, f.members[rootID], from, "entry_end", "turn_end")
	if st := f.members[rootID].core.status.State; st != protocol.StateAwaitingApproval {
		t.Fatal(st)
	}
	p := &Park{}
	f.do(rootID, p)
	if a, err := answered(t, p.Ticket); err != nil || a.Parked {
		t.Fatalf("%+v, %v", a, err)
	}
	f.do(child, &Resolve{RequestID: "r1", Outcome: protocol.OutcomeAllowed, By: "client:a"})
	f.settle()
	if st := f.members[rootID].core.status.State; st != protocol.StateIdle {
		t.Fatal(st)
	}
}

// What a policy answers at once is no news for the root; what its deadline answers is.
func TestChildInheritsThePolicy(t *testing.T) {
	f := newRelatives(t)
	f.do(rootID, &Change{Policy: &PolicyPatch{
		Rules:    &[]protocol.PolicyRule{{Pattern: "ls", Action: protocol.PolicyAllow}},
		Deadline: new(int64(60_000)), Default: new(protocol.PolicyDeny),
	}})
	f.do(rootID, prompt("one", ""))
	f.say(rootID, adapters.TurnBegan{}, adapters.ChildBegan{NativeID: "n-7"})
	child := ChildID(rootID, "n-7")
	from := len(f.members[rootID].log)
	f.say(child, adapters.TurnBegan{}, askFor(1))
	f.settle()
	wantTypes(t, f.members[rootID], from)
	other := askFor(2)
	other.Request.Subject = "rm x"
	f.say(child, other)
	f.settle()
	wantTypes(t, f.members[rootID], from, "request_opened", "status:awaiting_approval")
	if r := f.members[rootID].log[from].Payload.(*protocol.RequestOpened); r.Deadline != f.members[child].now+60_000 || r.Default != protocol.PolicyDeny {
		t.Fatalf("%+v", r)
	}
	f.do(rootID, &RequestOverdue{RequestID: "r2@" + child}) // not the root's affair
	f.do(child, &RequestOverdue{RequestID: "r2"})
	f.settle()
	wantTypes(t, f.members[rootID], from, "request_opened", "status:awaiting_approval", "request_resolved", "status:responding")
	if p := f.members[rootID].log[from+2].Payload.(*protocol.RequestResolved); p.By != byPolicy || p.Outcome != protocol.OutcomeDenied {
		t.Fatalf("%+v", p)
	}
}

func TestChildLife(t *testing.T) {
	for name, c := range map[string]struct {
		exit  adapters.Exit
		types []string
	}{
		"done":            {adapters.Exit{}, []string{"turn_end", "status:completed", "session_end"}},
		"connection lost": {adapters.Exit{Code: -1, Error: "gone"}, []string{"turn_end", "status:idle"}},
		"parent stopped":  {adapters.Exit{Requested: true}, []string{"turn_end", "status:idle"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, child := parentOf(t)
			w := f.members[child]
			f.do(child, prompt("for later", ""))
			from := len(w.log)
			f.exit(child, c.exit)
			wantTypes(t, w, from, append([]string{c.types[0], "prompt_removed"}, c.types[1:]...)...)
			if len(w.started) > 0 {
				t.Fatal("it is started again")
			}
			p := prompt("too late", "")
			f.do(child, p)
			_, err := answered(t, p.Ticket)
			problem, ok := err.(*protocol.Problem)
			if want := map[bool]protocol.Code{true: protocol.CodeSessionEnded, false: protocol.CodeConflict}[name == "done"]; !ok || problem.Code != want {
				t.Fatalf("%v", err)
			}
			m := &Choose{Setting: SettingModel, Value: "m"}
			f.do(child, m)
			if _, err := answered(t, m.Ticket); err == nil {
				t.Fatal("a model was chosen for nobody")
			}

			// The agent takes up the same sub-agent again.
			from = len(w.log)
			f.say(rootID, adapters.ChildBegan{NativeID: "n-7"})
			f.say(child, adapters.TurnBegan{}, text(1))
			wantTypes(t, w, from, "status:starting", "status:idle", "turn_start", "status:queued", "status:responding", "entry_start")
			if id := w.log[len(w.log)-1].Payload.(*protocol.EntryStart).EntryID; id != "e2.1" {
				t.Fatal(id)
			}
			f.crash(child) // the log says that it lives
			if w.core.end != nil || w.core.Summary().SubAgent == false {
				t.Fatalf("%+v", w.core.Summary())
			}
		})
	}
}

// A connected sub-agent is not put away: nobody could bring it back.
func TestChildIsNotParked(t *testing.T) {
	f, child := parentOf(t)
	f.say(child, adapters.TurnEnded{Status: protocol.TurnCompleted})
	parked := func() bool {
		p := &Park{}
		f.do(child, p)
		a, err := answered(t, p.Ticket)
		if err != nil {
			t.Fatal(err)
		}
		return a.Parked
	}
	if parked() {
		t.Fatal("it was put away")
	}
	f.exit(child, adapters.Exit{Code: -1, Error: "gone"})
	if !parked() {
		t.Fatal("it is not put away")
	}
}

// What the parent's lost actor may not have come to is done again.
func TestChildIsAdoptedAgain(t *testing.T) {
	f, child := parentOf(t)
	adopted := func() (list []AdoptChild) {
		for _, e := range f.members[rootID].step(&Rejoin{Incarnation: 1, Batch: f.members[rootID].batch}) {
			if a, ok := e.(AdoptChild); ok {
				list = append(list, a)
			}
		}
		return list
	}
	if got := adopted(); len(got) != 1 || !got[0].Again || got[0].ChildID != child || got[0].NativeID != "n-7" {
		t.Fatalf("%+v", got)
	}
	f.say(rootID, adapters.TurnEnded{Status: protocol.TurnCompleted}, adapters.TurnBegan{})
	if got := adopted(); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// TestChildRequestsProperty: sub-agents three generations deep ask, are answered at either place, work, end and are lost, actors
// fail, and messages take their time. Every request is opened once and resolved once in each log that has it, the logs agree, and
// nobody who answers is left without an answer.
// Proves: I3/root
func TestChildRequestsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newRelatives(t)
		f.do(rootID, prompt("one", ""))
		f.say(rootID, adapters.TurnBegan{})
		f.do(rootID, &Change{Policy: &PolicyPatch{Rules: &[]protocol.PolicyRule{{Pattern: "quiet", Action: protocol.PolicyAllow}}, Deadline: new(int64(5000))}})
		var asked []*Resolve
		keys := map[string]adapters.RequestKey{}
		someone := func() string { return rapid.SampledFrom(f.ids()).Draw(t, "who") }
		moves := []func(){
			func() {
				parent := someone()
				f.say(parent, adapters.ChildBegan{NativeID: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "native")})
			},
			func() { f.say(someone(), adapters.TurnBegan{}) },
			func() {
				id := someone()
				incarnation := fmt.Sprint(id, f.members[id].incarnation)
				keys[incarnation]++
				r := askFor(keys[incarnation])
				r.Request.Subject = rapid.SampledFrom([]string{"quiet", "ls", "rm"}).Draw(t, "subject")
				f.say(id, r)
			},
			func() {
				id := someone()
				open := f.members[id].core.requests.list()
				name := "r9"
				if len(open) > 0 {
					name = open[rapid.IntRange(0, len(open)-1).Draw(t, "open")].RequestID
				}
				r := &Resolve{RequestID: name, Outcome: protocol.OutcomeAllowed, By: fmt.Sprintf("client:%d", len(asked))}
				asked = append(asked, r)
				f.do(id, r)
			},
			func() {
				id := someone()
				for _, r := range f.members[id].core.requests.list() {
					f.do(id, &RequestOverdue{RequestID: r.RequestID})
				}
			},
			func() {
				f.say(someone(), adapters.RequestClosed{Key: adapters.RequestKey(rapid.Uint32Range(1, 4).Draw(t, "key")), Outcome: protocol.OutcomeCancelled})
			},
			func() { f.say(someone(), adapters.TurnEnded{Status: protocol.TurnCompleted}) },
			func() {
				if id := someone(); id != rootID {
					f.exit(id, adapters.Exit{Code: rapid.IntRange(0, 1).Draw(t, "code")})
				}
			},
			func() {
				if rapid.IntRange(0, 9).Draw(t, "all") == 0 {
					f.exit(rootID, adapters.Exit{Code: 1})
					f.attach(rootID)
					f.say(rootID, adapters.Ready{})
				}
			},
			func() { f.crash(someone()) },
			func() { f.deliver(someone()) },
			func() { f.deliver(someone()) },
			func() { f.do(someone(), &Interrupt{}) },
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			rapid.SampledFrom(moves).Draw(t, "move")()
		}
		f.settle()
		f.agree()
		for _, r := range asked {
			if err := answeredBy(r); err != "" {
				t.Fatalf("%s: %s", r.RequestID, err)
			}
		}
		f.exit(rootID, adapters.Exit{Code: 1})
		f.settle()
		f.agree()
		for _, id := range f.ids() {
			if err := f.members[id].audit.Settled(); err != nil {
				t.Fatalf("%s: %v\n%s", id, err, f.members[id].text())
			}
		}
		f.sameOutcomes()
	})
}

// answeredBy says what is wrong with the answer to whoever answered.
func answeredBy(r *Resolve) string {
	if _, told := over(r.Ticket); !told {
		return "nobody told the client"
	}
	return ""
}

// sameOutcomes compares what the root's log says of children's requests with what theirs say. The root may have given one up when
// its own agent, or its own actor, was lost.
func (f *relatives) sameOutcomes() {
	resolved := func(id string) map[string]*protocol.RequestResolved {
		all := map[string]*protocol.RequestResolved{}
		for _, e := range f.members[id].log {
			if p, ok := e.Payload.(*protocol.RequestResolved); ok {
				all[p.RequestID] = p
			}
		}
		return all
	}
	for name, at := range resolved(rootID) {
		id, child, ok := strings.Cut(name, "@")
		if !ok {
			continue
		}
		there := resolved(child)[id]
		switch {
		case there == nil:
			f.t.Fatalf("%s is resolved at the root alone: %+v", name, at)
		case at.Outcome == there.Outcome && at.By == there.By && at.Option == there.Option:
		case at.Outcome == protocol.OutcomeCancelled && at.By == byDaemon:
		default:
			f.t.Fatalf("%s: the root says %+v, the child %+v", name, at, there)
		}
	}
}

// A session that an agent made over MCP: shown once in the parent's log; what it asks is asked there too, stays open when the
// parent's agent goes, and is closed when the parent ends.
func TestSpawnedChild(t *testing.T) {
	w := newWorld(t)
	ready(w)
	for range 2 {
		w.step(&ChildSpawned{ChildID: "c1", Title: "worker"})
	}
	asked := protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval, ToolName: "bash", Title: "Run ls?"}
	w.step(&ChildAsks{ChildID: "c1", Request: asked, Apart: true})
	if w.core.requests.open["r1@c1"] == nil {
		t.Fatalf("the child's request is not open:\n%s", w.text())
	}
	w.exit(adapters.Exit{Signal: "killed"})
	if w.core.requests.open["r1@c1"] == nil {
		t.Errorf("the child's request was closed with the parent's agent:\n%s", w.text())
	}
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	w.step(&End{})
	w.exit(adapters.Exit{Requested: true})
	if len(w.core.requests.open) > 0 {
		t.Errorf("requests are open after the end: %v\n%s", w.core.requests.open, w.text())
	}
	if n := strings.Count(w.text(), `"type":"child_session"`); n != 1 {
		t.Errorf("%d child_session events, want 1\n%s", n, w.text())
	}
	from := len(w.log)
	if w.step(&ChildSpawned{ChildID: "c2"}); len(w.log) != from {
		t.Errorf("an ended session noted a child: %v", w.types(from))
	}
}

// A session that was recovered asks those whose requests it shows whether they still wait.
func TestSpawnedChildIsAskedAfterRecovery(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.step(&ChildSpawned{ChildID: "c1"})
	w.step(&ChildAsks{ChildID: "c1", Request: protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval, Title: "?"}, Apart: true})
	asks := 0
	for _, e := range w.step(&Recover{Reason: "session restarted"}) {
		if to, ok := e.(ToSession); ok && to.ID == "c1" {
			if tell, is := to.Message.(*TellRoot); is && tell.Wake {
				asks++
			}
		}
	}
	if asks != 1 || w.core.requests.open["r1@c1"] == nil {
		t.Errorf("the child was asked %d times, want once\n%s", asks, w.text())
	}
	w.step(&ChildGone{ChildID: "c1"})
	if len(w.core.requests.open) > 0 {
		t.Errorf("still open: %v", w.core.requests.open)
	}
}
