package asked

import (
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func request(kind protocol.RequestKind) protocol.RequestOpened {
	return protocol.RequestOpened{RequestID: "r1", Kind: kind, ToolName: "edit", Title: "Allow edit?", EntryID: "e1"}
}

// What is asked is shown as what it would change: the diff of the call, else that of the request, else what is to be replaced by what, else the arguments.
// The command of a shell is shown as a whole, also where its title is short.
func TestSubject(t *testing.T) {
	diff := "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-old\n+new"
	edit := `{"path":"x.go","edits":[{"oldText":"old\n","newText":"new"}]}`
	for name, c := range map[string]struct {
		text, subject string
		diff          string
		cut           int64
		kind          protocol.ToolKind
		call          *protocol.ToolCallData
		want          string
		aloud         bool
	}{
		"the call's diff":       {text: "ignored", call: &protocol.ToolCallData{Diff: diff, Arguments: edit}, want: "-old\n+new"},
		"the request's diff":    {text: diff, want: "@@ -1 +1 @@\n-old\n+new"},
		"the diff that is told": {text: "ignored", diff: diff, call: &protocol.ToolCallData{Diff: "--- a/y\n+++ b/y\n", Arguments: edit}, want: "because\nignored\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-old\n+new"},
		"a diff and a reason":   {text: "To mend it.\n\n" + diff, diff: diff, want: "because\nTo mend it.\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-old\n+new"},
		"a diff that is cut":    {text: diff, diff: diff, cut: 99, want: "+new\n… these are the first 43 of 99 bytes of the diff: the rest was too long for the log"},
		"a command with a diff": {kind: protocol.ToolExecute, subject: "rm -rf ~", diff: diff, want: "because\nrm -rf ~"},
		"edits of the call":     {call: &protocol.ToolCallData{Arguments: edit}, want: "x.go\nreplaces\n-old\n+new"},
		"edits of the text":     {text: edit, want: "x.go\nreplaces\n-old\n+new"},
		"other arguments":       {call: &protocol.ToolCallData{Arguments: `{"a":1}`}, want: "{\n  \"a\": 1\n}"},
		"a command":             {kind: protocol.ToolExecute, subject: "rm -rf build\nrm -rf dist", text: "Clean up", want: "rm -rf build\nrm -rf dist\nClean up"},
		"a command in edits":    {kind: protocol.ToolExecute, subject: "rm -rf ~", text: edit, call: &protocol.ToolCallData{Diff: diff, Arguments: edit}, want: "because\nrm -rf ~"},
		"more than edits":       {call: &protocol.ToolCallData{Arguments: `{"command":"rm -rf ~","edits":[{"oldText":"a","newText":"b"}]}`}, want: `"command": "rm -rf ~"`},
		"more in an edit":       {call: &protocol.ToolCallData{Arguments: `{"edits":[{"oldText":"a","newText":"b","run":"rm -rf ~"}]}`}, want: `"run": "rm -rf ~"`},
		"another path":          {call: &protocol.ToolCallData{Arguments: `{"path":"a","Path":"b","edits":[{"oldText":"a","newText":"b"}]}`}, want: `"path": "a"`},
		"a text":                {text: "why not", want: "why not"},
		"a diff that is read":   {text: diff, aloud: true, want: "removed: old\nadded: new"},
		"nothing is stripped":   {text: "a\x1b[2K\rb\u202e", want: `a\x1b[2K\rb\u202e`},
	} {
		a := Asked{Agent: "pi", Request: request(protocol.RequestApproval), Call: c.call, Aloud: c.aloud, Reason: "because"}
		a.Request.Text, a.Request.Subject, a.Request.ToolKind = c.text, c.subject, c.kind
		a.Request.Diff, a.Request.DiffTruncated, a.Request.DiffBytes = c.diff, c.cut > 0, c.cut
		lines, cut := a.Lines(terminal.Style{}, 80)
		got := strings.Join(lines, "\n")
		if !strings.Contains(got, c.want) || !strings.HasPrefix(got, "pi wants to use edit\nAllow edit?\nbecause") {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
		if cut != (c.cut > 0) {
			t.Errorf("%s: cut %v", name, cut)
		}
	}
}

// A subject of a million lines is cut, and says so.
func TestSubjectIsBounded(t *testing.T) {
	a := Asked{Request: request(protocol.RequestApproval)}
	a.Request.Text = strings.Repeat("x\n", 1_000_000)
	got, cut := a.Lines(terminal.Style{}, 80)
	if !cut || len(got) > maxShown+1 || !strings.Contains(got[len(got)-1], "left out") {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1])
	}
}

// What follows so many empty lines of a diff is cut as well, and it is said that it is.
func TestEmptyLinesAreBounded(t *testing.T) {
	for _, empty := range []int{maxShown - 10, maxShown, maxShown + 1, 3 * maxShown} {
		a := Asked{Request: request(protocol.RequestApproval)}
		a.Request.Text = "--- a\n+++ b\n@@ -1 +1 @@\n" + strings.Repeat("\n", empty) + strings.Repeat("+rm -rf ~\n", 20)
		got, cut := a.Lines(terminal.Style{}, 80)
		if told, _ := (&Asked{Request: protocol.RequestOpened{Diff: a.Request.Text, DiffTruncated: true}}).Lines(terminal.Style{}, 80); len(told) != maxShown+1 {
			t.Errorf("%d empty lines of a diff that is told: %d lines", empty, len(told))
		}
		if !cut || len(got) != maxShown+1 || !strings.Contains(got[maxShown], "left out") {
			t.Errorf("%d empty lines: %d lines, the last %q", empty, len(got), got[len(got)-1])
		}
	}
}

// An answer that did not count is told of its own request: the next one is not begun anew by it.
func TestWatchFailedIsOfItsRequest(t *testing.T) {
	var w Watch
	now := time.UnixMilli(1000)
	second := request(protocol.RequestApproval)
	second.RequestID = "r2"
	w.Event(&protocol.Event{Payload: &second})
	w.Next(now)
	now = now.Add(settle)
	w.Key(keys.Key{Text: "y"}, now)
	w.Failed("r1", now)
	now = now.Add(settle)
	if id, reply := w.Key(keys.Key{Text: "y"}, now); reply != nil {
		t.Errorf("%s was answered twice", id)
	}
}

// An agent's own answers are there beside the known ones, by numbers, and are asked twice: who knows what they allow.
func TestOwnOptionsAreAskedTwice(t *testing.T) {
	q := request(protocol.RequestApproval)
	q.Options = []protocol.Option{{ID: "everything", Label: "All of it"}, {ID: protocol.DenyContinue}, {ID: protocol.AllowOnce}}
	d := NewDialog(q)
	for _, k := range []string{"1", "z", "1", "A", "N", "2"} {
		if reply, _, _ := d.Key(keys.Key{Text: k}); reply != nil {
			t.Fatalf("%s answered %+v", k, reply)
		}
	}
	d.Key(keys.Key{Text: "1"})
	if reply, words, _ := d.Key(keys.Key{Text: "1"}); reply == nil || reply.Option != "everything" || words != "All of it" {
		t.Errorf("%+v, %q", reply, words)
	}
}

// Where the agent names no answers there are two.
func TestWithoutOptions(t *testing.T) {
	for key, want := range map[string]protocol.Outcome{"y": protocol.OutcomeAllowed, "n": protocol.OutcomeDenied} {
		if reply, _, _ := NewDialog(request(protocol.RequestApproval)).Key(keys.Key{Text: key}); reply == nil || reply.Outcome != want || reply.Option != "" {
			t.Errorf("%s: %+v", key, reply)
		}
	}
}

// A request that has just appeared takes no key: it was pressed for something else. The next one begins anew.
func TestWatchSettles(t *testing.T) {
	var w Watch
	now := time.UnixMilli(1000)
	first, second := request(protocol.RequestApproval), request(protocol.RequestApproval)
	second.RequestID = "r2"
	w.Event(&protocol.Event{Payload: &first})
	w.Event(&protocol.Event{Payload: &second})
	press := func() (string, *resource.RequestAnswer) { return w.Key(keys.Key{Text: "y"}, now) }
	if w.Next(now) {
		t.Error("it rings before anybody could have read it")
	}
	if _, reply := press(); reply != nil {
		t.Fatal("a key that was pressed before answered")
	}
	now = now.Add(settle)
	if !w.Next(now) || w.Next(now) {
		t.Error("it rings once")
	}
	if id, reply := press(); id != "r1" || reply == nil {
		t.Fatalf("%s, %+v", id, reply)
	}
	if _, reply := press(); reply != nil {
		t.Fatal("it was answered twice")
	}
	w.Event(&protocol.Event{Payload: &protocol.RequestResolved{RequestID: "r1"}})
	w.Next(now)
	if id, reply := press(); reply != nil {
		t.Fatalf("%s was answered by a key for r1", id)
	}
	now = now.Add(settle)
	if id, reply := press(); id != "r2" || reply == nil {
		t.Fatalf("%s, %+v", id, reply)
	}
	w.Failed("r2", now)
	now = now.Add(settle)
	if id, reply := press(); id != "r2" || reply == nil {
		t.Fatalf("after a failure: %s, %+v", id, reply)
	}
}

// Where a request does not say what it is about, the arguments of its call do: as edits where they are nothing else, and as a whole otherwise.
func TestWatchShowsArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"x.go","edits":[{"oldText":"a","newText":"b"}]}`:        "x.go\nreplaces\n-a\n+b",
		`{"command":"rm -rf ~","edits":[{"oldText":"a","newText":"b"}]}`: `"command": "rm -rf ~"`,
	} {
		var w Watch
		w.Event(&protocol.Event{Payload: &protocol.EntryStart{EntryID: "e1", EntryType: protocol.EntryToolCall, Data: &protocol.ToolCallData{Arguments: args}}})
		q := request(protocol.RequestApproval)
		if got := strings.Join(w.Edit(&q, terminal.Style{}, 80), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s", args, got)
		}
	}
}

// Calls of tools of clients are answered by these, not by people.
func TestWatchPassesOverCallers(t *testing.T) {
	var w Watch
	q := request(protocol.RequestCallerTool)
	w.Event(&protocol.Event{Payload: &q})
	w.Next(time.UnixMilli(1))
	if got := w.Prompt(terminal.Style{}, 80); got != nil {
		t.Errorf("%q", got)
	}
}

// What was cut where it is shown is not allowed by one key: neither a diff that the log has only the beginning of, nor a call that is too long for the screen.
// It is denied by one, and allowed by the second.
func TestWatchAllowsNothingCutByOneKey(t *testing.T) {
	for name, c := range map[string]struct{ q, call string }{
		"a diff that is cut": {q: "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b"},
		"a call that is":     {call: strings.Repeat("x\n", maxShown+1)},
	} {
		for _, options := range [][]protocol.Option{nil, {{ID: protocol.AllowOnce}, {ID: protocol.DenyContinue}}} {
			begin := func() (press func(key string) *resource.RequestAnswer, w *Watch) {
				w = &Watch{}
				now := time.UnixMilli(1000)
				w.Event(&protocol.Event{Payload: &protocol.EntryStart{EntryID: "e1", EntryType: protocol.EntryToolCall, Data: &protocol.ToolCallData{Arguments: c.call}}})
				q := request(protocol.RequestApproval)
				q.Options, q.Diff, q.DiffTruncated = options, c.q, c.q != ""
				w.Event(&protocol.Event{Payload: &q})
				w.Edit(&q, terminal.Style{}, 80)
				w.Next(now)
				w.Failed("r1", now) // an answer that did not count makes it no longer
				now = now.Add(settle)
				return func(key string) *resource.RequestAnswer { _, reply := w.Key(keys.Key{Text: key}, now); return reply }, w
			}
			press, w := begin()
			if reply := press("y"); reply != nil {
				t.Errorf("%s was allowed by one key", name)
			}
			if got := strings.Join(w.Prompt(terminal.Style{}, 80), "\n"); !strings.Contains(got, "Press y again: allow once. This is the beginning of it") {
				t.Errorf("%s: %s", name, got)
			}
			if press("y") == nil {
				t.Errorf("%s was not allowed by the second key", name)
			}
			if press, _ := begin(); press("n") == nil {
				t.Errorf("%s was not denied", name)
			}
		}
	}
}
