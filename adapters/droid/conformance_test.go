package droid_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var suite = conformance.Suite{
	Agent:      droid.Agent{},
	Recordings: os.DirFS("testdata/recordings"),
	Facts:      facts,
	Stranger: []byte(`{"jsonrpc":"2.0","type":"notification","factoryApiVersion":"1.0.0","method":"droid.session_notification",` +
		`"params":{"notification":{"type":"moon_phase","phase":{"name":"waxing","days":[3.50,null]}}}}`),
	Edits: func(path, before, after string, hunks []diff.Hunk) []string {
		if before != "" && !strings.HasSuffix(before, "\n") || after != "" && !strings.HasSuffix(after, "\n") {
			return nil // it does not tell of the end of a file
		}
		type number struct {
			Old int `json:"old,omitempty"`
			New int `json:"new,omitempty"`
		}
		type line struct {
			Type    string `json:"type"`
			Content string `json:"content"`
			Number  number `json:"lineNumber"`
		}
		var lines []line
		for _, h := range hunks {
			was, now := h.OldStart, h.NewStart
			if h.OldStart == 0 { // a side without lines
				was = 1
			}
			if h.NewStart == 0 {
				now = 1
			}
			for _, l := range h.Lines {
				n := line{Type: map[byte]string{' ': "unchanged", '-': "removed", '+': "added"}[l.Sign], Content: l.Text}
				if l.Sign != '+' {
					n.Number.Old = was
					was++
				}
				if l.Sign != '-' {
					n.Number.New = now
					now++
				}
				lines = append(lines, n)
			}
		}
		result, err := json.Marshal(map[string]any{"success": true, "file_path": path, "diffLines": lines})
		if err != nil {
			panic(err) // texts and numbers
		}
		content, err := json.Marshal(string(result))
		if err != nil {
			panic(err)
		}
		event := func(n string) string {
			return `{"jsonrpc":"2.0","type":"notification","method":"droid.session_notification","params":{"sessionId":"S","notification":` + n + `}}`
		}
		return []string{
			event(`{"type":"droid_working_state_changed","newState":"streaming_assistant_message"}`),
			event(`{"type":"tool_call","toolUse":{"type":"tool_use","id":"t","name":"Edit","input":{}}}`),
			event(`{"type":"tool_result","toolUseId":"t","content":` + string(content) + `,"isError":false}`),
		}
	},
	AsksEdit: func(path, before, after string, _ []diff.Hunk) []string {
		details, err := json.Marshal(map[string]any{"type": "edit", "filePath": path, "oldContent": before, "newContent": after})
		if err != nil {
			panic(err) // texts
		}
		return []string{request("q", "droid.request_permission", `{"toolUses":[{"toolUse":{"type":"tool_use","id":"t1","name":"Edit","input":{}},`+
			`"confirmationType":"edit","details":`+string(details)+`}],"options":`+execOptions+`}`)}
	},
	AsksMCP: func(server, tool, arguments string) []string {
		name := server + "___" + tool
		return []string{request("q", "droid.request_permission", `{"toolUses":[{"toolUse":{"type":"tool_use","id":"t1","name":"`+name+`","input":`+arguments+`},`+
			`"confirmationType":"mcp_tool","details":{"type":"mcp_tool","toolName":"`+name+`","serverName":"`+server+`","actualToolName":"`+tool+`"}}],`+
			`"options":`+execOptions+`}`)}
	},
}

// Proves: D4.2.runtime, T25/agents
func TestConformance(t *testing.T) { conformance.Run(t, suite) }

func TestGolden(t *testing.T) {
	conformance.Golden(t, suite, "testdata/golden", "plain", "thinking", "degenerate", "execute", "execute-fail", "files", "parallel", "todo",
		"permission-always", "permission-cancel", "interrupt-permission", "ask", "spec", "mcp", "steer", "queue", "interrupt-text",
		"interrupt-tool", "retry-500", "disconnect", "fail-401", "fail-500", "provider-down", "max-tokens", "model-switch", "compact",
		"compact-load", "resume", "kill", "term", "no-login", "stream-json", "stream-json-denied", "json")
}

// told is one member of facts.json.
type told struct {
	Turns []struct {
		Status string `json:"status"`
		Usage  used   `json:"usage"`
	} `json:"turns"`
	Entries []struct {
		Kind      protocol.EntryType `json:"kind"`
		Native    string             `json:"native"`
		Closed    string             `json:"closed"` // end, none, retracted
		Text      string             `json:"text"`
		DeltaText string             `json:"delta_text"`
		Tool      string             `json:"tool"`
		Input     string             `json:"input"`
		Output    string             `json:"output"`
		IsError   *bool              `json:"is_error"`
	} `json:"entries"`
	Approvals []struct {
		Method string   `json:"method"`
		Items  []string `json:"items"`
		Answer *struct {
			SelectedOption string `json:"selectedOption"`
			Cancelled      bool   `json:"cancelled"`
			Answers        []struct {
				Answer string `json:"answer"`
			} `json:"answers"`
		} `json:"answer"`
	} `json:"approvals"`
	Retries    int   `json:"retries"`
	UsageFinal *used `json:"usage_final"`
}

type used struct {
	Input      int64 `json:"inputTokens"`
	Output     int64 `json:"outputTokens"`
	CacheWrite int64 `json:"cacheCreationTokens"`
	CacheRead  int64 `json:"cacheReadTokens"`
	Thinking   int64 `json:"thinkingTokens"`
}

func (u used) canonical() protocol.Usage {
	input := u.Input + u.CacheRead + u.CacheWrite
	return protocol.Usage{
		InputTokens: input, CachedInputTokens: u.CacheRead, OutputTokens: u.Output, ReasoningOutputTokens: u.Thinking,
		TotalTokens: input + u.Output,
	}
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
var shortened = regexp.MustCompile(`\.\.\.\(\d+ characters\)$`)

// printed are the recordings of other formats, of whose lines facts.json makes no turns: see printedFacts.
var printed = map[string]bool{"stream-json": true, "stream-json-denied": true, "json": true, "no-login": true}

// facts translates facts.json.
func facts(t testing.TB, name string) (conformance.Facts, bool) {
	if printed[name] {
		return printedFacts[name], true
	}
	all, err := readFacts()
	if err != nil {
		t.Fatal(err)
	}
	told, ok := all[name]
	if !ok {
		t.Fatalf("facts.json says nothing of %s", name)
	}
	compactions := 0
	if name == "compact-load" {
		compactions = 1
	}
	f := conformance.Facts{
		Retries: &told.Retries, Compactions: &compactions,
		Entries: []conformance.Entry{}, Requests: []conformance.Request{}, Usage: []protocol.Usage{},
	}
	for i, turn := range told.Turns {
		if name == "kill" && i == 1 { // the turn that the process did not live to end
			f.Turns = append(f.Turns, conformance.Lost)
		}
		f.Turns = append(f.Turns, status(turn.Status))
		if u := turn.Usage.canonical(); u.TotalTokens > 0 {
			f.Usage = append(f.Usage, u)
		}
		if (name == "compact" || name == "compact-load") && i == 1 { // what the compaction used, in no turn
			f.Usage = append(f.Usage, used{Input: 1000, Output: 4}.canonical())
		}
	}
	for i, e := range told.Entries {
		want := conformance.Entry{
			Type: e.Kind, Text: e.Text + e.Output, Tool: e.Tool, Failed: e.IsError, Left: e.Closed == "none", PersistentID: e.Native,
		}
		if i+1 < len(told.Entries) && told.Entries[i+1].Native == e.Native { // another block of the message followed: this one was over
			want.Left = false
		}
		if e.Closed != "end" {
			want.Text = e.DeltaText
		}
		if e.Kind == protocol.EntryToolCall {
			want.CallID, want.PersistentID, want.Arguments = e.Native, "", unspaced(e.Input)
		}
		if end := shortened.FindStringIndex(want.Text); end != nil {
			want.Text, want.Begins = want.Text[:end[0]], true
		}
		f.Entries = append(f.Entries, want)
	}
	for _, a := range told.Approvals {
		r := conformance.Request{Kind: protocol.RequestApproval, CallID: a.Items[0], Outcome: protocol.OutcomeAllowed}
		switch {
		case a.Answer == nil:
			r.Outcome = protocol.OutcomeCancelled
		case a.Method == "droid.ask_user":
			r.Kind, r.Outcome = protocol.RequestQuestion, protocol.OutcomeAnswered
			for _, x := range a.Answer.Answers {
				r.Answers = append(r.Answers, []string{x.Answer})
			}
		case a.Answer.SelectedOption == "cancel":
			r.Outcome = protocol.OutcomeDenied
		}
		f.Requests = append(f.Requests, r)
	}
	return f, true
}

func status(reason string) protocol.TurnStatus {
	switch reason {
	case "completed":
		return protocol.TurnCompleted
	case "cancelled", "process_exit":
		return protocol.TurnInterrupted
	}
	return protocol.TurnError
}

// unspaced is JSON without white space; "" where facts.json has shortened it.
func unspaced(text string) string {
	if shortened.MatchString(text) {
		return ""
	}
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return ""
	}
	return b.String()
}

var yes, no = true, false

// printedFacts are the facts of the other formats, and of the program without a login.
var printedFacts = map[string]conformance.Facts{
	"stream-json": {
		Turns: []protocol.TurnStatus{protocol.TurnCompleted},
		Entries: []conformance.Entry{
			{Type: protocol.EntryUserMessage, Text: "Look around."},
			{Type: protocol.EntryThinking, Text: "Small step."},
			{Type: protocol.EntryAssistantMessage, Text: "I will list the folder."},
			{Type: protocol.EntryToolCall, Tool: "Execute", CallID: "toolu_fake_0002", Text: "notes.txt\ntodo.txt\n\n\n[Process exited with code 0]", Failed: &no},
			{Type: protocol.EntryToolCall, Tool: "Read", CallID: "toolu_fake_0004", Text: "first\nsecond\nthird\n", Failed: &no},
			{Type: protocol.EntryAssistantMessage, Text: "Done under droid exec."},
		},
		Usage: []protocol.Usage{used{Input: 4350, Output: 52, CacheRead: 2424, Thinking: 3}.canonical()},
	},
	"stream-json-denied": {
		Turns: []protocol.TurnStatus{protocol.TurnError},
		Entries: []conformance.Entry{
			{Type: protocol.EntryUserMessage, Text: "Make a file."},
			{Type: protocol.EntryAssistantMessage, Text: "I will make a file."},
			{Type: protocol.EntryToolCall, Tool: "Execute", CallID: "toolu_fake_0002", Text: "Error: Exec ended early: ", Begins: true, Failed: &yes},
			{Type: protocol.EntryAssistantMessage, Text: "Exec ended early: ", Begins: true},
		},
		Usage: []protocol.Usage{},
	},
	"json": {
		Turns:   []protocol.TurnStatus{protocol.TurnCompleted},
		Entries: []conformance.Entry{{Type: protocol.EntryAssistantMessage, Text: "Done under droid exec."}},
		Usage:   []protocol.Usage{used{Input: 4350, Output: 52, CacheRead: 2424, Thinking: 3}.canonical()},
	},
	"no-login": {Turns: []protocol.TurnStatus{}, Entries: []conformance.Entry{}, Requests: []conformance.Request{}, Usage: []protocol.Usage{}},
}
