package protocol_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A client may mix pushes with polls as it likes, in any order, with pages that overlap: once it has had everything by one way or
// another, it holds the same list.
// Proves: I10.1/mixture
func TestAnyMixtureOfWaysGivesTheSameList(t *testing.T) {
	all := logs(t)
	all["random"] = randomLog(rand.New(rand.NewPCG(1, 2)))
	for name, log := range all {
		polled, pushed := ways(log)
		want := shown(polled, nil)
		for n := range uint64(200) {
			r := rand.New(rand.NewPCG(n, 7))
			var mix []protocol.SessionEvent
			for i, it := range polled { // each comes by one way at least
				byPush := slices.IndexFunc(pushed, func(p protocol.SessionEvent) bool { return p.Seq == it.Seq })
				switch x := r.IntN(3); {
				case byPush < 0 && it.Type.Pushed() && r.IntN(2) == 0: // what is pushed does not repeat it
				case byPush < 0 || x == 0:
					mix = append(mix, polled[i])
				case x == 1:
					mix = append(mix, pushed[byPush])
				default:
					mix = append(mix, polled[i], pushed[byPush])
				}
			}
			r.Shuffle(len(mix), func(i, j int) { mix[i], mix[j] = mix[j], mix[i] })
			if got := shown(mix, nil); got != want {
				t.Fatalf("%s, mixture %d: got\n%s\nwant\n%s", name, n, got, want)
			}
		}
	}
}

// Who reads deltas as well holds the same texts as who does not.
// Proves: I10.1/mixture
func TestDeltasGiveTheTextsOfMessages(t *testing.T) {
	for n := range uint64(200) {
		log := randomLog(rand.New(rand.NewPCG(n, 3)))
		var items protocol.Items
		var with, without protocol.ItemList
		for i := range log {
			it, ok := items.Item(&log[i])
			if !ok {
				continue
			}
			with.Add(it)
			if it.Type != protocol.ItemDelta {
				without.Add(it)
			}
		}
		a, b := shown(with.Items(), nil), shown(without.Items(), nil)
		if a != b {
			t.Fatalf("log %d: with deltas\n%s\nwithout\n%s", n, a, b)
		}
	}
}

// ways are the items of a log but for deltas, polled and pushed.
func ways(log []protocol.Event) (polled, pushed []protocol.SessionEvent) {
	var items protocol.Items
	push := protocol.NewPush("s")
	for i := range log {
		if it, ok := items.Item(&log[i]); ok && it.Type != protocol.ItemDelta {
			polled = append(polled, it)
		}
		if it, ok := push.Item(&log[i]); ok {
			pushed = append(pushed, it)
		}
	}
	return polled, pushed
}

// shown is the list that a client holds, without the positions at which texts were seen last.
func shown(items []protocol.SessionEvent, types []protocol.ItemType) string {
	var l protocol.ItemList
	for _, it := range items {
		l.Add(it)
	}
	var b strings.Builder
	for _, it := range l.Items() {
		if types == nil || slices.Contains(types, it.Type) {
			it.Index, it.SessionID, it.Ts = 0, "", 0
			if it.EntrySeq != 0 {
				it.Seq = 0
			}
			fmt.Fprintf(&b, "%+v\n", it)
		}
	}
	return b.String()
}

// randomLog is a turn with several messages that grow at once, by pieces and by replacement, at all paces.
func randomLog(r *rand.Rand) []protocol.Event {
	var log []protocol.Event
	now := int64(1000)
	add := func(p protocol.Payload) {
		log = append(log, protocol.Event{Seq: uint64(len(log)) + 1, Time: now, Payload: p})
		now += int64(r.IntN(3)) * int64(r.IntN(700))
	}
	add(&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}})
	add(&protocol.Status{State: protocol.StateResponding})
	texts := map[string]string{}
	for i := range 4 {
		id := protocol.EntryID(1, uint32(i+1))
		texts[id] = strings.Repeat("b", r.IntN(2))
		add(&protocol.EntryStart{TurnID: "t1", EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: texts[id]}})
	}
	for range 60 {
		id := protocol.EntryID(1, uint32(r.IntN(4)+1))
		if r.IntN(5) == 0 {
			texts[id] = strings.Repeat("s", r.IntN(4))
			add(&protocol.EntryDelta{EntryID: id, Delta: &protocol.TextSet{Text: texts[id]}})
			continue
		}
		piece := strings.Repeat("a", r.IntN(3))
		texts[id] += piece
		add(&protocol.EntryDelta{EntryID: id, Delta: &protocol.TextAppend{Text: piece}})
	}
	for i := range 4 {
		id := protocol.EntryID(1, uint32(i+1))
		if r.IntN(3) == 0 {
			texts[id] += "!"
		}
		if texts[id] == "" {
			texts[id] = "end"
		}
		add(&protocol.EntryEnd{TurnID: "t1", EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: texts[id]}})
	}
	add(&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted})
	add(&protocol.Status{State: protocol.StateIdle})
	return log
}

// A turn whose agent was lost has failed, however its agent counts it; one that somebody stopped says who; neither is a success.
// Proves: I10.1/lost
func TestEndsOfTurns(t *testing.T) {
	for _, c := range []struct {
		end  protocol.TurnEnd
		want string
	}{
		{protocol.TurnEnd{Status: protocol.TurnCompleted}, "completion completed  half; status running idle"},
		{protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseUser}, "completion interrupted user half; status idle idle"},
		{protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseDaemon}, "completion interrupted daemon half; status idle idle"},
		{protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseLost, Error: "agent exited: signal killed"}, "error failed lost agent exited: signal killed; status failed starting; status idle idle"},
		{protocol.TurnEnd{Status: protocol.TurnError, Cause: protocol.CauseLost, Error: "agent exited: exit status 1"}, "error failed lost agent exited: exit status 1; status failed starting; status idle idle"},
		{protocol.TurnEnd{Status: protocol.TurnInterrupted, Error: "agent exited: of a log from before causes"}, "error failed lost agent exited: of a log from before causes; status failed starting; status idle idle"},
		{protocol.TurnEnd{Status: protocol.TurnError, Cause: protocol.CauseAgent, Error: "no credit"}, "error failed agent no credit; status idle idle"},
	} {
		c.end.TurnID = "t1"
		log := []protocol.Payload{
			&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}},
			&protocol.Status{State: protocol.StateResponding},
			&protocol.EntryEnd{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: "half"}, Incomplete: true},
			&c.end,
		}
		if c.end.Lost() {
			log = append(log, &protocol.Status{State: protocol.StateStarting})
		}
		log = append(log, &protocol.Status{State: protocol.StateIdle})
		var items protocol.Items
		var got []string
		for i, p := range log {
			it, ok := items.Item(&protocol.Event{Seq: uint64(i) + 1, Payload: p})
			switch {
			case !ok || i < 3:
			case it.Type == protocol.ItemStatus:
				got = append(got, fmt.Sprintf("status %s %s", it.Text, it.State))
			default:
				if it.TurnID != "t1" || it.PromptID != "p1" {
					t.Errorf("%+v is of no prompt", it)
				}
				got = append(got, fmt.Sprintf("%s %s %s %s", it.Type, it.Outcome, it.Reason, it.Text))
			}
		}
		c.want = strings.Replace(c.want, "status running idle", "status idle idle", 1)
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%+v:\ngot  %s\nwant %s", c.end, s, c.want)
		}
	}
}

// Without a restart in between, a lost turn still fails before anything else is said.
// Proves: I10.1/lost
func TestLostAgentThatDoesNotComeBack(t *testing.T) {
	var items protocol.Items
	var got []string
	for i, p := range []protocol.Payload{
		&protocol.TurnStart{TurnID: "t1"}, &protocol.Status{State: protocol.StateRunningTool},
		&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnInterrupted, Cause: protocol.CauseLost, Error: "agent exited: signal killed"},
		&protocol.Status{State: protocol.StateIdle}, // of a sub-agent, whose connection only its parent brings back
		&protocol.Status{State: protocol.StateResponding}, &protocol.Status{State: protocol.StateIdle},
	} {
		if it, ok := items.Item(&protocol.Event{Seq: uint64(i) + 1, Payload: p}); ok && it.Type == protocol.ItemStatus {
			got = append(got, it.Text)
		}
	}
	if want := "running failed running idle"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// Of two turns that are lost one behind the other, before the agent has done anything in the second, each fails for itself.
// Proves: I10.1/lost
func TestLostTwice(t *testing.T) {
	var items protocol.Items
	var got []string
	lost := &protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnInterrupted, Cause: protocol.CauseLost, Error: "agent exited: signal killed"}
	for i, p := range []protocol.Payload{
		&protocol.TurnStart{TurnID: "t1"}, &protocol.Status{State: protocol.StateResponding}, lost,
		&protocol.Status{State: protocol.StateQueued}, &protocol.TurnStart{TurnID: "t2"}, // with the prompt that has waited
		&protocol.TurnEnd{TurnID: "t2", Status: lost.Status, Cause: lost.Cause, Error: lost.Error},
		&protocol.Status{State: protocol.StateStarting}, &protocol.Status{State: protocol.StateIdle},
	} {
		if it, ok := items.Item(&protocol.Event{Seq: uint64(i) + 1, Payload: p}); ok {
			got = append(got, fmt.Sprintf("%s %s", it.Type, it.Text))
		}
	}
	if want := "status running, error agent exited: signal killed, status failed, error agent exited: signal killed, status failed, status idle"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// A prompt that went into a running turn is told as itself, also where another one made no message, as a command does, or the message that the
// turn began with comes late; what nobody here has asked is of the turn.
// Proves: I10.1/placed
func TestSteersAreToldAsThemselves(t *testing.T) {
	queued := func(id, text string) []protocol.Payload {
		return []protocol.Payload{&protocol.PromptQueued{PromptID: id, Text: text}, &protocol.PromptRemoved{PromptID: id, Reason: protocol.RemovedDispatched}}
	}
	steer := func(id string) []protocol.Payload { return queued(id, "text of "+id) }
	heard := func(text string) []protocol.Payload {
		return []protocol.Payload{&protocol.EntryEnd{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryUserMessage, Data: &protocol.MessageData{Role: "user", Text: text}}}
	}
	for name, c := range map[string]struct {
		log  [][]protocol.Payload
		want string
	}{
		"one behind the other":         {[][]protocol.Payload{heard("text of p1"), steer("p2"), heard("text of p2"), steer("p3"), heard("text of p3")}, "p1 p2 p3"},
		"both at once":                 {[][]protocol.Payload{heard("text of p1"), steer("p2"), steer("p3"), heard("text of p2"), heard("text of p3")}, "p1 p2 p3"},
		"before the turn's own":        {[][]protocol.Payload{steer("p2"), heard("text of p1"), heard("text of p2")}, "p1 p2"},
		"one without a message":        {[][]protocol.Payload{heard("text of p1"), steer("p2"), steer("p3"), heard("text of p3")}, "p1 p3"},
		"the same words":               {[][]protocol.Payload{heard("text of p1"), queued("p2", "text of p1"), queued("p3", "text of p1"), heard("text of p1"), heard("text of p1")}, "p1 p2 p3"},
		"in the agent's words":         {[][]protocol.Payload{heard("expanded"), steer("p2"), heard("expanded as well")}, "p1 p2"},
		"of nobody here, after a turn": {[][]protocol.Payload{heard("text of p1"), heard("typed at the agent")}, "p1 p1"},
	} {
		log := append(queued("p1", "text of p1"), &protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1", Text: "text of p1"}})
		for _, part := range c.log {
			log = append(log, part...)
		}
		var items protocol.Items
		var got []string
		for i, p := range log {
			items = *items.Clone()
			if it, ok := items.Item(&protocol.Event{Seq: uint64(i) + 1, Payload: p}); ok {
				got = append(got, it.PromptID)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", name, got, c.want)
		}
	}
}

// Three calls of one tool at once are three items, each with its own call and what it is called with, also where the arguments are
// written after the call has begun: then the item waits for them.
// Proves: I10.1/placed
func TestParallelToolCalls(t *testing.T) {
	var items protocol.Items
	seen := map[string]string{}
	seq := uint64(0)
	take := func(p protocol.Payload) (protocol.SessionEvent, bool) {
		seq++
		return items.Item(&protocol.Event{Seq: seq, Payload: p})
	}
	take(&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}})
	for i := range 3 {
		if it, ok := take(&protocol.EntryStart{
			TurnID: "t1", EntryID: protocol.EntryID(1, uint32(i)+1), EntryType: protocol.EntryToolCall,
			Data: &protocol.ToolCallData{ToolName: "read", CallID: fmt.Sprint("c", i), Status: protocol.ToolPending},
		}); ok {
			t.Errorf("%+v before its arguments", it)
		}
		take(&protocol.EntryDelta{EntryID: protocol.EntryID(1, uint32(i)+1), Delta: &protocol.ArgumentsAppend{Text: fmt.Sprintf("{\"path\":\n  \"f %d\"}", i)}})
	}
	for i := range 3 {
		it, _ := take(&protocol.EntryDelta{EntryID: protocol.EntryID(1, uint32(i)+1), Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
		if it.Type != protocol.ItemToolCall || it.EntryID == "" || it.TurnID != "t1" || it.PromptID != "p1" {
			t.Errorf("%+v", it)
		}
		seen[it.CallID+string(it.Arguments)] = it.EntryID
	}
	if len(seen) != 3 || seen[`c1"{\"path\":\"f 1\"}"`] == "" {
		t.Errorf("%v", seen)
	}
	for i := range 3 {
		it, _ := take(&protocol.EntryEnd{
			TurnID: "t1", EntryID: protocol.EntryID(1, uint32(i)+1), EntryType: protocol.EntryToolCall,
			Data: &protocol.ToolCallData{ToolName: "read", CallID: fmt.Sprint("c", i), Arguments: fmt.Sprintf(`{"path":"f %d"}`, i), Status: []protocol.ToolStatus{protocol.ToolCompleted, protocol.ToolError}[i%2]},
		})
		if it.Type != protocol.ItemToolResult || seen[it.CallID+string(it.Arguments)] != it.EntryID || it.IsError != (i%2 == 1) {
			t.Errorf("%+v", it)
		}
	}
}

// Whoever is pushed to has all that an answer needs.
// Proves: I10.1/requests
func TestRequestItemsCanBeAnswered(t *testing.T) {
	push := protocol.NewPush("s")
	opened := &protocol.RequestOpened{
		RequestID: "r1", Kind: protocol.RequestApproval, TurnID: "t1", EntryID: "e4", ToolName: "bash", ToolKind: protocol.ToolExecute,
		Subject: "rm -r build", Title: "Run it?", Text: "It removes build.", Options: []protocol.Option{{ID: "allow_once"}, {ID: "deny"}}, Deadline: 99,
	}
	push.Item(&protocol.Event{Seq: 1, Payload: &protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}}})
	push.Item(&protocol.Event{Seq: 2, Payload: &protocol.Status{State: protocol.StateRunningTool}})
	it, ok := push.Item(&protocol.Event{Seq: 3, Payload: opened})
	if !ok || it.Type != protocol.ItemRequest || it.RequestID != "r1" || it.Kind != protocol.RequestApproval || it.Subject != "rm -r build" ||
		it.Text != "Run it?\nIt removes build." || len(it.Options) != 2 || it.EntryID != "e4" || it.PromptID != "p1" || it.ToolName != "bash" || it.Deadline != 99 {
		t.Errorf("%t %+v", ok, it)
	}
	it, ok = push.Item(&protocol.Event{Seq: 4, Payload: &protocol.Status{State: protocol.StateAwaitingApproval}})
	if !ok || it.Text != "running" || it.State != protocol.StateAwaitingApproval {
		t.Errorf("%t %+v", ok, it)
	}
	it, ok = push.Item(&protocol.Event{Seq: 5, Payload: &protocol.RequestResolved{RequestID: "r1", Outcome: protocol.OutcomeDenied, By: "client:x"}})
	if !ok || it.Type != protocol.ItemRequestResolved || it.RequestID != "r1" || it.Text != "denied" || it.EntryID != "e4" || it.By != "client:x" {
		t.Errorf("%t %+v", ok, it)
	}
	it, ok = push.Item(&protocol.Event{Seq: 6, Payload: &protocol.Status{State: protocol.StateRunningTool}})
	if !ok || it.State != protocol.StateRunningTool {
		t.Errorf("%t %+v", ok, it)
	}
}
