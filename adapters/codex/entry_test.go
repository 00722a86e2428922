package codex

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func newEntries() *entries { return &entries{limit: 100, items: map[string]*item{}} }

// TestSameID: ids are the model provider's, and two turns may have the same one: each finds its own item, and what is closed goes when
// the next turn begins.
func TestSameID(t *testing.T) {
	e := newEntries()
	w := &wireItem{Type: "commandExecution", ID: "i", Source: "unifiedExecStartup", Status: "inProgress"}
	var out adapters.Output
	old := e.open("1", w, nil, nil, &out)
	e.prune()
	said := e.open("2", &wireItem{Type: "agentMessage", ID: "i"}, nil, nil, &out)
	if e.find([]byte("1"), []byte("i")) != old || e.find([]byte("2"), []byte("i")) != said || e.find([]byte("3"), []byte("i")) != nil {
		t.Fatal("the wrong item is found")
	}
	if running := e.endTurn(); !slices.Equal(running, []adapters.EntryKey{old.key}) || !said.closed || old.closed {
		t.Fatalf("%v run on, %+v", running, said)
	}
	e.prune()
	if e.find([]byte("1"), []byte("i")) != old || e.find([]byte("2"), []byte("i")) != nil {
		t.Error("the command that runs on is lost, or the message is not")
	}
	e.close(old, w, nil, &out)
	if e.prune(); len(e.items) != 0 {
		t.Errorf("%v is left", e.items)
	}
}

// TestDropHalf: what the agent was saying is closed as far as it went, in the order of its beginning; tools go on.
func TestDropHalf(t *testing.T) {
	e := newEntries()
	var out adapters.Output
	for _, typ := range []string{"agentMessage", "commandExecution", "reasoning", "plan"} {
		it := e.open("1", &wireItem{Type: typ, ID: typ, Status: "inProgress"}, nil, nil, &out)
		it.grow(&delta{kind: ofMessage, text: []byte(`"` + typ + `"`)}, &out)
	}
	e.lose()
	out = adapters.Output{}
	e.dropHalf("retry", &out)
	e.dropHalf("retry", &out)
	var got []string
	for _, d := range out.Drafts {
		c := d.(adapters.EntryClosed)
		text, extra := "", []protocol.Member(nil)
		switch d := c.Data.(type) {
		case *protocol.MessageData:
			text, extra = d.Text, d.Extra
		case *protocol.ThinkingData:
			text, extra = d.Text, d.Extra
		case *protocol.PlanData:
			text, extra = d.Text, d.Extra
		default:
			t.Errorf("%T", d)
		}
		if !c.Incomplete || c.Reason != "retry" || len(extra) != 1 || extra[0].Key != "gap" {
			t.Errorf("%+v %+v", c, extra)
		}
		got = append(got, text)
	}
	if strings.Join(got, " ") != "agentMessage reasoning plan" {
		t.Errorf("closed %q", got)
	}
}

// TestRunsOn: a command outlives its turn where the agent has it run in the background, or the user let it run; not while it asks.
func TestRunsOn(t *testing.T) {
	for _, c := range []struct {
		name string
		it   item
		want bool
	}{
		{"a shell command", item{typ: "commandExecution", wire: wireItem{Source: "agent"}}, false},
		{"a terminal", item{typ: "commandExecution", wire: wireItem{Source: "unifiedExecStartup"}}, true},
		{"input of one", item{typ: "commandExecution", wire: wireItem{Source: "unifiedExecInteraction"}}, true},
		{"approved", item{typ: "commandExecution", approved: true}, true},
		{"it asks", item{typ: "commandExecution", approved: true, asking: 1}, false},
		{"a patch", item{typ: "fileChange", approved: true}, false},
	} {
		if got := c.it.runsOn(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestCalledOf: an elicitation is of the call that runs, if only one of that server's does.
func TestCalledOf(t *testing.T) {
	e := newEntries()
	var out adapters.Output
	call := func(id, server, tool string) *item {
		return e.open("1", &wireItem{Type: "mcpToolCall", ID: id, Server: server, Tool: tool}, nil, nil, &out)
	}
	a, other := call("a", "s", "x"), call("b", "r", "x")
	if e.calledOf("s", "") != a || e.calledOf("s", "x") != a || e.calledOf("r", "x") != other || e.calledOf("s", "y") != nil {
		t.Error("the wrong call, or none")
	}
	b := call("c", "s", "y")
	if e.calledOf("s", "") != nil || e.calledOf("s", "y") != b {
		t.Error("one of two was chosen")
	}
	if a.closed = true; e.calledOf("s", "") != b {
		t.Error("a call that is over counts")
	}
}
