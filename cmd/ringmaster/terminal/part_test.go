package terminal

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestOverflow: a text is shown as it comes beyond what the log keeps of it, says what is missing, and is not shown again at its end.
func TestOverflow(t *testing.T) {
	v := NewView(Options{})
	event := func(line string) []string {
		e, err := protocol.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		return v.Event(&e)
	}
	over := func(at int64, text string) []string {
		return v.Overflow(&protocol.Overflow{EntryID: "e1", Offset: at, Delta: &protocol.TextAppend{Text: text}})
	}
	got := event(`{"seq":1,"ts":1,"type":"entry_start","turnId":"t1","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":""}}`)
	got = append(got, event(`{"seq":2,"ts":1,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"kept\nin "}}`)...)
	got = append(got, over(8, "part\nand \u001b[31mmore\nof")...)
	got = append(got, over(8, "it came already")...)
	got = append(got, v.Overflow(&protocol.Overflow{EntryID: "e2", Offset: 8, Delta: &protocol.TextAppend{Text: "of another"}})...)
	got = append(got, over(100, "it\n")...)
	got = append(got, event(`{"seq":3,"ts":2,"type":"entry_end","turnId":"t1","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":"kept\nin ","truncated":true,"bytes":2048}}`)...)
	want := "● kept\n  in part\n  and more\n  of\n  (71 bytes are not shown)\n  it\n  (the log keeps 8 bytes of 2.0 KiB)"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// A tool's time is its own: what somebody thought over before it was allowed is not in it.
func TestToolTimeWithoutItsApproval(t *testing.T) {
	v := NewView(Options{})
	var got string
	for _, line := range []string{
		`{"seq":1,"ts":1000,"type":"turn_start","turnId":"t1"}`,
		`{"seq":2,"ts":1000,"type":"entry_start","turnId":"t1","entryId":"e1","entryType":"tool_call","data":{"callId":"c","toolName":"bash","arguments":"{}","status":"running"},"round":1}`,
		`{"seq":3,"ts":1500,"type":"request_opened","requestId":"r1","kind":"approval","entryId":"e1","toolName":"bash","title":"rm"}`,
		`{"seq":4,"ts":2500,"type":"request_opened","requestId":"r2","kind":"approval","entryId":"e1","toolName":"bash","title":"rm"}`,
		`{"seq":5,"ts":61500,"type":"request_resolved","requestId":"r1","outcome":"allowed","by":"cli"}`,
		`{"seq":6,"ts":91500,"type":"request_resolved","requestId":"r2","outcome":"allowed","by":"cli"}`,
	} {
		e, err := protocol.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		v.Event(&e)
	}
	if live := strings.Join(v.Live(0, 92_000), "\n"); !strings.Contains(live, "bash  1.0 s") {
		t.Errorf("while it works: %s", live)
	}
	e, err := protocol.Decode([]byte(`{"seq":7,"ts":93000,"type":"entry_end","turnId":"t1","entryId":"e1","entryType":"tool_call",` +
		`"data":{"callId":"c","toolName":"bash","arguments":"{}","status":"completed"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got = strings.Join(v.Event(&e), "\n"); !strings.Contains(got, "bash  2.0 s") {
		t.Errorf("at its end: %s", got)
	}
}

// A request shows what is said beside its diff, the diff as a whole, and that it is cut; in its text the diff stands once more.
func TestRequestDiff(t *testing.T) {
	const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n \tkeep\n-old\x1b[2J\n+new\n"
	q := &protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval, Title: "Edit?", Text: "To mend it.\n\n" + diff, Diff: diff, DiffTruncated: true, DiffBytes: 4000}
	n := pen{opt: Options{Columns: 100, Keys: true}}
	want := "? approval  Edit?\n  To mend it.\n  --- a/x\n  +++ b/x\n  @@ -1,2 +1,2 @@\n       keep\n  -old\\x1b[2J\n  +new\n" +
		"  … these are the first 53 of 4000 bytes of the diff: the rest was too long for the log"
	if got := strings.Join(n.request(q, 0), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
