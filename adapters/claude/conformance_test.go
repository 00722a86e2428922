package claude_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var suite = conformance.Suite{
	Agent:      claude.Agent{},
	Recordings: os.DirFS("testdata"), // recordings: the shared ones, with facts; more: what they do not show
	Facts:      facts,
	FactsOf:    func(_ string, s *replay.Session) bool { return s.Parent == nil },
	Stranger:   []byte(`{"type":"moon_phase","phase":{"name":"waxing","days":[3.50,null]},"parent_tool_use_id":null}`),
	Edits: func(path, before, _ string, hunks []diff.Hunk) []string {
		type patch struct {
			OldStart int      `json:"oldStart"`
			NewStart int      `json:"newStart"`
			Lines    []string `json:"lines"`
		}
		result := map[string]any{"filePath": path, "originalFile": before}
		var list []patch
		for _, h := range hunks {
			p := patch{OldStart: h.OldStart, NewStart: h.NewStart}
			for _, l := range h.Lines {
				if p.Lines = append(p.Lines, string(l.Sign)+l.Text); l.Open {
					p.Lines = append(p.Lines, "\\ No newline at end of file")
				}
			}
			list = append(list, p)
		}
		result["structuredPatch"] = list
		told, err := json.Marshal(result)
		if err != nil {
			panic(err) // texts and numbers
		}
		return []string{
			`{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":{}}]},"parent_tool_use_id":null}`,
			`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]},"parent_tool_use_id":null,"tool_use_result":` + string(told) + `}`,
		}
	},
	AsksEdit: func(path, before, after string, _ []diff.Hunk) []string {
		input, err := json.Marshal(map[string]any{"file_path": path, "old_string": before, "new_string": after, "replace_all": false})
		if err != nil {
			panic(err) // texts
		}
		return []string{`{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Edit","input":` + string(input) + `,"tool_use_id":"t1"}}`}
	},
	AsksMCP: func(server, tool, arguments string) []string {
		return []string{`{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"mcp__` + server + "__" + tool +
			`","mcp_server":{"name":"` + server + `","source":"dynamic"},"input":` + arguments + `,"tool_use_id":"t1"}}`}
	},
}

// Proves: 002.7.3/end, D4.2.runtime, T25/agents
func TestConformance(t *testing.T) { conformance.Run(t, suite) }

func TestGolden(t *testing.T) {
	conformance.Golden(t, suite, "testdata/golden", "plain", "plain-defaults", "plain-no-partial", "thinking", "bash-allow", "bash-deny",
		"bash-fail", "write-edit", "parallel", "plan-mode", "ask", "mcp-ask", "web-search", "subagent", "subagent-forwarded", "background",
		"steer", "queue", "interrupt-text", "interrupt-tool", "retry-500", "disconnect", "fail-401", "too-long", "max-tokens", "max-turns",
		"model-switch", "compact", "resume", "kill", "combo",
		"subagent-asks", "subagent-background", "subagent-again", "subagent-nested", "subagent-interrupted", "subagent-stopped",
		"deny-stop", "interrupt-asked", "interrupt-queue", "commands")
}

// told is one member of facts.json.
type told struct {
	Turns []struct {
		IsError  bool   `json:"is_error"`
		Terminal string `json:"terminal_reason"`
		Result   string `json:"result"`
		Usage    tokens `json:"usage"`
	} `json:"turns"`
	Entries []struct {
		Kind      protocol.EntryType `json:"kind"`
		Closed    string             `json:"closed"`
		Native    string             `json:"native"`
		Text      string             `json:"text"`
		DeltaText string             `json:"delta_text"`
		Tool      string             `json:"tool"`
		Output    string             `json:"output"`
		IsError   *bool              `json:"is_error"`
		APIError  bool               `json:"is_api_error_message"`
		Parent    string             `json:"parent_tool_use_id"`
	} `json:"entries"`
	Approvals []struct {
		Subtype string          `json:"subtype"`
		Tool    string          `json:"tool"`
		Item    string          `json:"item"`
		Answer  json.RawMessage `json:"answer"`
	} `json:"approvals"`
	Retries int               `json:"retries"`
	Final   map[string]tokens `json:"usage_final"`
	Notes   []string          `json:"notes"`
}

// tokens are input, read from the cache, written to it, output.
type tokens [4]int64

func (u tokens) usage() protocol.Usage {
	input := u[0] + u[1] + u[2]
	return protocol.Usage{InputTokens: input, CachedInputTokens: u[1], OutputTokens: u[3], TotalTokens: input + u[3]}
}

func plus(a, b protocol.Usage) protocol.Usage {
	a.InputTokens += b.InputTokens
	a.CachedInputTokens += b.CachedInputTokens
	a.OutputTokens += b.OutputTokens
	a.TotalTokens += b.TotalTokens
	return a
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

// facts translates facts.json.
func facts(t testing.TB, name string) (conformance.Facts, bool) {
	all, err := readFacts()
	if err != nil {
		t.Fatal(err)
	}
	told, ok := all[name]
	if !ok {
		if _, err := os.Stat("testdata/more/" + name + ".jsonl"); err != nil {
			t.Fatalf("facts.json says nothing of %s", name)
		}
		return conformance.Facts{}, false
	}
	compactions := strings.Count(strings.Join(told.Notes, " "), "compact_boundary")
	f := conformance.Facts{
		Retries: &told.Retries, Compactions: &compactions, Entries: []conformance.Entry{}, Requests: []conformance.Request{},
	}
	var turns protocol.Usage
	for _, turn := range told.Turns {
		status := protocol.TurnCompleted
		switch {
		case strings.HasPrefix(turn.Terminal, "aborted_"):
			status = protocol.TurnInterrupted
		case turn.IsError:
			status = protocol.TurnError
		}
		f.Turns = append(f.Turns, status)
		turns = plus(turns, turn.Usage.usage())
	}
	if name == "kill" || name == "term" { // what facts.json does not count as a turn
		f.Turns = []protocol.TurnStatus{f.Turns[0], conformance.Lost, f.Turns[1]}
	}
	for _, e := range told.Entries {
		if e.APIError || e.Parent != "" {
			continue
		}
		want := conformance.Entry{
			Type: e.Kind, Text: e.Text + e.Output, Tool: e.Tool, PersistentID: e.Native, Failed: e.IsError, Left: e.Closed == "none",
		}
		if e.Closed != "end" {
			want.Text = e.DeltaText
		}
		if e.Kind == protocol.EntryToolCall {
			want.CallID = e.Native
		}
		want.Text, want.Begins = beginning(want.Text)
		if strings.HasPrefix(want.Text, "[{") { // blocks, which are read as text
			want.Text = ""
		}
		f.Entries = append(f.Entries, want)
	}
	for _, a := range told.Approvals {
		if a.Subtype == "hook_callback" {
			continue
		}
		r := conformance.Request{Kind: protocol.RequestApproval, CallID: a.Item, Outcome: protocol.OutcomeAllowed}
		switch {
		case a.Subtype == "elicitation":
			r.Kind, r.Outcome = protocol.RequestElicitation, protocol.OutcomeAnswered
		case a.Tool == "AskUserQuestion":
			r.Kind, r.Outcome, r.Answers = protocol.RequestQuestion, protocol.OutcomeAnswered, [][]string{{"Chocolate"}}
		case string(a.Answer) == `"deny"`:
			r.Outcome = protocol.OutcomeDenied
		}
		f.Requests = append(f.Requests, r)
	}
	f.Total = &turns
	if _, restarted := incarnations[name]; !restarted { // then the cumulative numbers are those of the last one
		var total protocol.Usage
		for _, u := range told.Final {
			total = plus(total, u.usage())
		}
		f.Total = &total
	}
	return f, true
}

// incarnations are the recordings of several processes.
var incarnations = map[string]int{"resume": 4, "kill": 2, "term": 2}

func beginning(text string) (string, bool) {
	if end := shortened.FindStringIndex(text); end != nil {
		return text[:end[0]], true
	}
	return text, false
}
