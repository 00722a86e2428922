package terminal

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// The goldens: events.ndjson, and what is shown of it. lines are the final ones, "live N" what is below them after event N,
// 700 ms later.
func TestViewGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/view/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Columns: 60, Session: "@last"}
	for _, word := range strings.Fields(string(a.Comment)) {
		if word == "coloured" {
			opt.Colour = true
		}
	}
	v := NewView(opt)
	var lines []string
	live := map[string]string{}
	for _, text := range strings.Split(strings.TrimSpace(string(a.Files[0].Data)), "\n") {
		e, err := protocol.Decode([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lines = append(lines, v.Event(&e)...)
		live["live "+strconv.FormatUint(e.Seq, 10)] = block(v.Live(int(e.Seq), e.Time+700))
	}
	for i := range a.Files[1:] {
		f := &a.Files[i+1]
		got, ok := live[f.Name]
		if f.Name == "lines" {
			got, ok = block(lines), true
		}
		switch {
		case !ok:
			t.Errorf("nothing is called %q", f.Name)
		case *update:
			f.Data = []byte(got)
		case got != string(f.Data):
			t.Errorf("%s:\n%s\nwant:\n%s", f.Name, got, f.Data)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func block(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\x1b", "␛") + "\n"
}

// However the deltas are cut, the final lines are the same.
func TestViewCutsOfDeltas(t *testing.T) {
	const text = "A first line that is longer than the terminal is wide.\n\n\x1b[31mred\x1b[0m and\ttabs, 中文字 too.\r\nThe end"
	want := show(t, text, len(text))
	if !strings.Contains(want, "red and") {
		t.Fatalf("unexpected:\n%s", want)
	}
	for size := 1; size < len(text); size++ {
		if got := show(t, text, size); got != want {
			t.Fatalf("pieces of %d bytes:\n%s\nwant:\n%s", size, got, want)
		}
	}
}

func show(t *testing.T, text string, size int) string {
	t.Helper()
	v := NewView(Options{Columns: 30})
	seq := uint64(0)
	var lines []string
	send := func(p protocol.Payload) {
		seq++
		lines = append(lines, v.Event(&protocol.Event{Seq: seq, Time: 1, Payload: p})...)
	}
	send(&protocol.EntryStart{EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}})
	for from := 0; from < len(text); from += size {
		send(&protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: text[from:min(from+size, len(text))]}})
	}
	send(&protocol.EntryEnd{EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: text}})
	if live := v.Live(0, 0); len(live) > 0 {
		t.Errorf("still live: %q", live)
	}
	return block(lines)
}

// Nothing that an agent can put anywhere into an event steers the terminal.
func TestViewShowsNothingHarmful(t *testing.T) {
	for _, bad := range corpus() {
		v := NewView(Options{Columns: 40})
		check := func(lines []string) {
			for _, l := range lines {
				if err := steers(l); err != nil || strings.Contains(l, "\n") {
					t.Fatalf("%.60q: line %q: %v", bad, l, err)
				}
			}
		}
		for i, p := range everywhere(bad) {
			check(v.Event(&protocol.Event{Seq: uint64(i) + 1, Time: int64(i), Payload: p}))
			check(v.Live(i, int64(i)))
		}
	}
}

// everywhere makes events with a text in every member that an agent or a user fills.
func everywhere(s string) []protocol.Payload {
	option := []protocol.Option{{ID: s, Label: s, Description: s}}
	list := []protocol.Payload{
		&protocol.SessionStart{SessionID: s, AgentBackend: s, Metadata: protocol.Metadata{Cwd: s, Policy: &protocol.Policy{
			Mode: protocol.PolicyMode(s), Rules: []protocol.PolicyRule{{Tool: "*" + s, Pattern: s, Action: protocol.PolicyAllow}},
		}}},
		&protocol.RequestOpened{RequestID: "by rule", Kind: protocol.RequestApproval, ToolName: s, Title: s},
		&protocol.RequestResolved{RequestID: "by rule", Outcome: protocol.OutcomeAllowed, By: "policy"},
		&protocol.SessionMeta{Policy: &protocol.Policy{Mode: protocol.PolicyMode(s)}},
		&protocol.RequestOpened{RequestID: "by nobody", Kind: protocol.RequestApproval, ToolName: s, Title: s},
		&protocol.Status{State: protocol.StateAwaitingApproval, ToolName: s},
		&protocol.PromptQueued{PromptID: s, Text: s},
		&protocol.TurnStart{TurnID: "t", Prompt: &protocol.Prompt{Text: s, Images: []string{s, "sha256:" + strings.Repeat("0a", 32) + ";" + s}}},
		&protocol.PromptQueued{PromptID: "p", Text: s},
		&protocol.PromptRemoved{PromptID: "p", Reason: protocol.RemovedCancelled, Error: s},
		&protocol.Status{State: protocol.StateRunningTool, ToolName: s},
		&protocol.ChildSession{ChildSessionID: s, Title: s},
		&protocol.ChildSession{
			ChildSessionID: s, Title: s, TurnID: s, TurnStatus: protocol.TurnStatus(s), Cause: protocol.TurnCause(s), Ended: protocol.EndReason(s),
		},
		&protocol.RequestOpened{
			RequestID: s, Kind: protocol.RequestKind("question"), ToolName: s, Title: s, Text: s, Diff: s, DiffTruncated: true, DiffBytes: 9, Options: option,
			Questions: []protocol.Question{{Text: s, Header: s, Options: option, Prefill: s}},
		},
		&protocol.RequestResolved{RequestID: s, Outcome: protocol.OutcomeAnswered, Option: s, Answers: [][]string{{s}}, By: s},
		&protocol.Epoch{Epoch: 2, Reason: s},
	}
	entry := func(id string, t protocol.EntryType, d protocol.EntryData) {
		list = append(list,
			&protocol.EntryStart{EntryID: id, EntryType: t, Data: d},
			&protocol.EntryDelta{EntryID: id, Delta: &protocol.TextAppend{Text: s}},
			&protocol.EntryDelta{EntryID: id, Delta: &protocol.ArgumentsAppend{Text: s}},
			&protocol.EntryDelta{EntryID: id, Delta: &protocol.TextSet{Text: s}},
			&protocol.EntryEnd{EntryID: id, EntryType: t, Data: d, Incomplete: true, Reason: s})
	}
	entry("1", protocol.EntryUserMessage, &protocol.MessageData{Role: s, Text: s, Images: []string{s}})
	entry("2", protocol.EntryAssistantMessage, &protocol.MessageData{Role: s, Text: s})
	entry("3", protocol.EntryThinking, &protocol.ThinkingData{Text: s, Summary: []string{s}})
	entry("4", protocol.EntryToolCall, &protocol.ToolCallData{ToolName: s, CallID: s, Arguments: s, Command: s, Output: s, Cwd: s})
	entry("5", protocol.EntryToolCall, &protocol.ToolCallData{ToolName: s, CallID: s, Arguments: `{"path":` + strconv.Quote(s) + `}`, Diff: s})
	entry("6", protocol.EntryToolResult, &protocol.ToolResultData{CallID: s, Output: s})
	entry("7", protocol.EntryPlan, &protocol.PlanData{Text: s, Steps: []protocol.PlanStep{{Text: s, Status: s}}})
	entry("8", protocol.EntryCompaction, &protocol.CompactionData{Summary: s, Trigger: s})
	entry("9", protocol.EntrySystem, &protocol.SystemData{Text: s, Level: s, Kind: s, Raw: []byte(s)})
	return append(list,
		&protocol.TurnEnd{TurnID: "t", Status: protocol.TurnStatus(s), Error: s, Hint: s},
		&protocol.SessionEnd{Reason: protocol.EndReason(s), Error: s, Hint: s},
		&protocol.SessionEnd{Reason: protocol.EndError, Error: s, Hint: s})
}
