package pi_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var suite = conformance.Suite{
	Agent:      pi.Agent{},
	Recordings: os.DirFS("testdata/recordings"),
	Facts:      facts,
	Stranger:   []byte(`{"type":"moon_phase","phase":{"name":"waxing","days":[3.50,null]}}`),
	Edits: func(path, _, _ string, hunks []diff.Hunk) []string {
		text := diff.Format([]diff.File{{Old: "f", New: "f", Hunks: hunks}}, "")
		patch, err := json.Marshal("--- " + path + "\n+++ " + path + "\n" + text[strings.Index(text, "@@ "):])
		if err != nil {
			panic(err) // a text
		}
		return []string{
			`{"type":"agent_start"}`, `{"type":"tool_execution_start","toolCallId":"c","toolName":"edit","args":{}}`,
			`{"type":"tool_execution_end","toolCallId":"c","toolName":"edit","result":{"content":[],"details":{"patch":` + string(patch) + `}},"isError":false}`,
		}
	},
	AsksEdit: func(path, before, after string, _ []diff.Hunk) []string {
		input, err := json.Marshal(map[string]any{"toolName": "edit", "input": map[string]any{"path": path, "edits": []any{map[string]any{"oldText": before, "newText": after}}}})
		if err != nil {
			panic(err) // texts
		}
		call, err := json.Marshal(string(input))
		if err != nil {
			panic(err) // a string
		}
		return []string{`{"type":"extension_ui_request","id":"u1","method":"confirm","title":"approve:c1","message":` + string(call) + `}`}
	},
	AsksMCP: func(server, tool, arguments string) []string {
		call, err := json.Marshal(`{"toolName":"mcp__` + server + "__" + tool + `","input":` + arguments + `}`)
		if err != nil {
			panic(err) // a string
		}
		return []string{`{"type":"extension_ui_request","id":"u1","method":"confirm","title":"approve:c1","message":` + string(call) + `}`}
	},
}

// Proves: 002.5.2, 002.7.1/table, 002.7.3/usage, 002.7.3/status, 002.13/1, D4.2.runtime, T24
func TestConformance(t *testing.T) { conformance.Run(t, suite) }

func TestGolden(t *testing.T) {
	conformance.Golden(t, suite, "testdata/golden", "text_short", "tool_bash", "tool_parallel", "tool_edit", "approval_allow",
		"approval_abort", "question", "abort_text", "provider_disconnect", "provider_500_final", "compaction_overflow", "compaction_manual",
		"steer_then_abort", "busy_prompt", "user_bash", "model_switch", "malformed_tool_args", "sigkill_mid_tool", "resume_restart",
		"reasoning_responses", "session_ops", "bad_input", "old073_abort_retry", "old073_text_tool")
}

// told is one member of facts.json.
type told struct {
	Runs []struct {
		Outcome string `json:"outcome"`
	} `json:"runs"`
	Entries []struct {
		Kind      protocol.EntryType `json:"kind"`
		Closed    string             `json:"closed"`
		Text      string             `json:"text"`
		Partial   string             `json:"partial"`
		CallID    string             `json:"callId"`
		Tool      string             `json:"tool"`
		Args      json.RawMessage    `json:"args"`
		Output    string             `json:"output"`
		IsError   *bool              `json:"isError"`
		Timestamp int64              `json:"timestamp"`
		Message   int64              `json:"message_timestamp"`
	} `json:"entries"`
	Dialogs []struct {
		Method string `json:"method"`
		Title  string `json:"title"`
		Answer struct {
			Confirmed *bool   `json:"confirmed"`
			Value     *string `json:"value"`
		} `json:"answer"`
	} `json:"dialogs"`
	Queue       [][2][]string `json:"queue"`
	Retries     int           `json:"retries"`
	Compactions []struct {
		OK bool `json:"ok"`
	} `json:"compactions"`
	Usage []struct {
		Input, Output, CacheRead, CacheWrite, Reasoning, Total int64
	} `json:"usage"`
	Session struct {
		Tokens struct{ Input, Output, CacheRead, CacheWrite, Total int64 } `json:"tokens"`
	} `json:"session"`
	Stored map[string]struct {
		Role      string `json:"role"`
		Timestamp int64  `json:"timestamp"`
	} `json:"session_entries"`
}

var readFacts = sync.OnceValues(func() (map[string]told, error) {
	raw, err := os.ReadFile("testdata/recordings/facts.json")
	if err != nil {
		return nil, err
	}
	var all map[string]told
	return all, json.Unmarshal(raw, &all)
})

// shortened is how facts.json ends a long text: with the length of the whole.
var shortened = regexp.MustCompile(`…\(\d+\)$`)

// facts translates facts.json.
func facts(t testing.TB, name string) (conformance.Facts, bool) {
	all, err := readFacts()
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := oldFacts[name]; ok {
		return f, true
	}
	told, ok := all[name]
	if !ok {
		t.Fatalf("facts.json says nothing of %s", name)
	}
	compactions := 0
	for _, c := range told.Compactions {
		if c.OK {
			compactions++
		}
	}
	f := conformance.Facts{
		Retries: &told.Retries, Compactions: &compactions,
		Entries: []conformance.Entry{}, Requests: []conformance.Request{}, Queue: []adapters.NativeQueue{},
	}
	for _, r := range told.Runs {
		f.Turns = append(f.Turns, protocol.TurnStatus(r.Outcome))
	}
	f.Entries = append(f.Entries, shellEntries[name]...)
	for _, e := range told.Entries {
		want := conformance.Entry{
			Type: e.Kind, Text: e.Text + e.Partial + e.Output, Tool: e.Tool, CallID: e.CallID, Failed: e.IsError,
			Left: e.Closed == "none", Begins: e.Closed == "none",
		}
		if end := shortened.FindStringIndex(want.Text); end != nil {
			want.Text, want.Begins = want.Text[:end[0]], true
		}
		if string(e.Args) != "{}" { // else they were no JSON
			want.Arguments = unspaced(e.Args)
		}
		want.PersistentID = told.stored(e.Kind, e.Timestamp+e.Message)
		f.Entries = append(f.Entries, want)
	}
	for _, d := range told.Dialogs {
		r := conformance.Request{Kind: protocol.RequestQuestion, Outcome: protocol.OutcomeAnswered}
		switch {
		case d.Method == "confirm" && *d.Answer.Confirmed:
			r.Kind, r.Outcome, r.CallID = protocol.RequestApproval, protocol.OutcomeAllowed, d.Title[len("approve:"):]
		case d.Method == "confirm":
			r.Kind, r.Outcome, r.CallID = protocol.RequestApproval, protocol.OutcomeDenied, d.Title[len("approve:"):]
		default:
			r.Answers = [][]string{{*d.Answer.Value}}
		}
		f.Requests = append(f.Requests, r)
	}
	for _, q := range told.Queue {
		f.Queue = append(f.Queue, adapters.NativeQueue{Steering: q[0], FollowUp: q[1]})
	}
	if compactions > 0 { // what a compaction used is only in the sum
		u := told.Session.Tokens
		f.Total = &protocol.Usage{
			InputTokens: u.Input + u.CacheRead + u.CacheWrite, CachedInputTokens: u.CacheRead,
			OutputTokens: u.Output, TotalTokens: u.Total,
		}
	} else {
		f.Usage = []protocol.Usage{}
		for _, u := range told.Usage {
			if u.Total > 0 {
				f.Usage = append(f.Usage, protocol.Usage{
					InputTokens: u.Input + u.CacheRead + u.CacheWrite, CachedInputTokens: u.CacheRead,
					OutputTokens: u.Output, ReasoningOutputTokens: u.Reasoning, TotalTokens: u.Total,
				})
			}
		}
	}
	return f, true
}

// stored is the agent's id of a message, where time and role name only one.
func (f *told) stored(kind protocol.EntryType, time int64) string {
	role := "assistant"
	if kind == protocol.EntryUserMessage {
		role = "user"
	}
	var ids []string
	for id, s := range f.Stored {
		if s.Role == role && s.Timestamp == time {
			ids = append(ids, id)
		}
	}
	if len(ids) != 1 {
		return ""
	}
	return ids[0]
}

func unspaced(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err.Error()
	}
	return b.String()
}

var yes, no = true, false

// shellEntries are the commands that the user ran in user_bash, which facts.json leaves out.
var shellEntries = map[string][]conformance.Entry{"user_bash": {
	{Type: protocol.EntryToolCall, Tool: "bash", CallID: "c1", Text: "from the user\nend\n", Failed: &no},
	{Type: protocol.EntryToolCall, Tool: "bash", CallID: "c2", Text: "hidden\n", Failed: &no},
	{Type: protocol.EntryToolCall, Tool: "bash", CallID: "c3", Text: "n 1\nn 2\nn 3\n", Failed: &yes},
}}

// oldFacts are the facts of Pi 0.73, which facts.json leaves out.
var oldFacts = map[string]conformance.Facts{
	"old073_text_tool": {
		Turns: []protocol.TurnStatus{protocol.TurnCompleted, protocol.TurnCompleted},
		Entries: []conformance.Entry{
			{Type: protocol.EntryUserMessage, Text: "What is here?"},
			{Type: protocol.EntryAssistantMessage, Text: "The project has one source file."},
			{Type: protocol.EntryUserMessage, Text: "List the files."},
			{Type: protocol.EntryThinking, Text: "A list is wanted."},
			{Type: protocol.EntryAssistantMessage, Text: "Listing."},
			{Type: protocol.EntryToolCall, Tool: "bash", CallID: "call_old_1", Arguments: `{"command":"ls"}`, Text: "README.md\nnotes.md\nsrc\n", Failed: &no},
			{Type: protocol.EntryAssistantMessage, Text: "Listed."},
		},
	},
	"old073_abort_retry": {
		Turns: []protocol.TurnStatus{protocol.TurnInterrupted, protocol.TurnCompleted, protocol.TurnCompleted},
		Entries: []conformance.Entry{
			{Type: protocol.EntryUserMessage, Text: "A long story."},
			{Type: protocol.EntryAssistantMessage, Begins: true, Text: "under basin inlet pebble"},
			{Type: protocol.EntryUserMessage, Text: "Hello?"},
			{Type: protocol.EntryAssistantMessage, Text: "Fine now."},
			{Type: protocol.EntryUserMessage, Text: "A slow job."},
			{Type: protocol.EntryToolCall, Tool: "bash", CallID: "call_old_2", Text: "ok\n", Failed: &no},
			{Type: protocol.EntryUserMessage, Text: "Also hi."},
			{Type: protocol.EntryAssistantMessage, Text: "Steer seen."},
		},
		Queue: []adapters.NativeQueue{{Steering: []string{"Also hi."}}, {}},
	},
}
