package codex

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestRequestLife: a request is shown once, also when it is asked again; its answer is repeated when it is asked again after that, until the
// server says that it is over; another request of the same id is another one.
func TestRequestLife(t *testing.T) {
	q := newRequests()
	asked := &message{method: "item/fileChange/requestApproval", id: []byte("7"), params: []byte(`{"turnId":"1","itemId":"i"}`)}
	it := &item{typ: "fileChange", key: 3}
	var out adapters.Output
	if q.again(asked, &out) {
		t.Fatal("known before it was asked")
	}
	a := (&askedPatch{}).ask(it, "", 100)
	q.wait(asked, it, a, &out)
	opened := out.Drafts[0].(adapters.RequestOpened)
	if !q.again(asked, &out) || len(out.Drafts)+len(out.Lines) != 1 || opened.Entry != 3 || it.asking != 1 {
		t.Fatalf("%+v %+v", out, it)
	}
	yes := adapters.Answer{Key: opened.Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}
	const line = `{"id":7,"result":{"decision":"accept"}}`
	if got := q.answer(yes); string(got) != line || !it.approved || it.asking != 0 {
		t.Fatalf("%s %+v", got, it)
	}
	if got := q.answer(yes); got != nil {
		t.Errorf("answered twice: %s", got)
	}
	if !q.again(asked, &out) || len(out.Lines) != 1 || string(out.Lines[0]) != line {
		t.Errorf("the answer is not repeated: %s", out.Lines)
	}
	if q.again(&message{method: asked.method, id: asked.id, params: []byte(`{"turnId":"2"}`)}, &out) {
		t.Error("another request got the answer")
	}
	if q.resolved(asked.id, &out); q.again(asked, &out) || len(out.Drafts) != 1 {
		t.Errorf("it lives on: %+v", out)
	}
}

// TestRequestsThatGo: with its entry, with its turn, and when the server has nothing more to ask. The session closes those of a turn that ends.
func TestRequestsThatGo(t *testing.T) {
	for name, c := range map[string]struct {
		ends   func(q *requests, out *adapters.Output)
		closed int
		left   int
	}{
		"entry":    {func(q *requests, out *adapters.Output) { q.drop(1, out) }, 1, 1},
		"withdraw": {func(q *requests, out *adapters.Output) { q.withdraw(out) }, 2, 0},
		"turn":     {func(q *requests, _ *adapters.Output) { q.endTurn() }, 0, 0},
	} {
		q := newRequests()
		var out adapters.Output
		for i, id := range []string{"1", "2"} {
			it := &item{typ: "commandExecution", key: adapters.EntryKey(i + 1)}
			q.wait(&message{id: []byte(id)}, it, ask{shown: protocol.RequestOpened{Kind: protocol.RequestApproval}, reply: decisions{}}, &out)
		}
		out = adapters.Output{}
		if c.ends(&q, &out); len(out.Drafts) != c.closed || len(q.open) != c.left || len(q.byKey) != c.left {
			t.Errorf("%s: %+v, %d open", name, out.Drafts, len(q.open))
		}
	}
}
