package codex_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var suite = conformance.Suite{
	Agent:      codex.Agent{},
	Recordings: os.DirFS("testdata/recordings"),
	Facts:      facts,
	FactsOf:    func(string, *replay.Session) bool { return true },
	Stranger:   []byte(`{"method":"moon/phase","params":{"name":"waxing","days":[3.50,null]},"emittedAtMs":1}`),
	Interleaves: "each item has an end of its own, and in code mode a script runs commands while the model writes: " +
		"an item that began says nothing of the others",
	Edits: func(path, _, _ string, hunks []diff.Hunk) []string {
		item := func(method, status string) string {
			change := map[string]any{"path": path, "kind": map[string]any{"type": "update"}, "diff": native(hunks)}
			text, err := json.Marshal(map[string]any{"method": method, "params": map[string]any{
				"turnId": "t", "item": map[string]any{"type": "fileChange", "id": "i", "status": status, "changes": []any{change}},
			}})
			if err != nil {
				panic(err) // texts
			}
			return string(text)
		}
		return []string{item("item/started", "inProgress"), item("item/completed", "completed")}
	},
	AsksEdit: func(path, _, _ string, hunks []diff.Hunk) []string {
		change, err := json.Marshal([]any{map[string]any{"path": path, "kind": map[string]any{"type": "update"}, "diff": native(hunks)}})
		if err != nil {
			panic(err) // texts
		}
		return []string{
			`{"method":"item/started","params":{"turnId":"t","item":{"type":"fileChange","id":"i","status":"inProgress","changes":` + string(change) + `}}}`,
			`{"method":"item/fileChange/requestApproval","id":0,"params":{"turnId":"t","itemId":"i","reason":"To mend it."}}`,
		}
	},
	AsksMCP: func(server, tool, arguments string) []string {
		return []string{`{"method":"mcpServer/elicitation/request","id":0,"params":{"turnId":"t","serverName":"` + server + `","mode":"form","message":"May it?",` +
			`"_meta":{"codex_approval_kind":"mcp_tool_call","tool_name":"` + tool + `","tool_params":` + arguments + `},"requestedSchema":{}}}`}
	},
}

// Proves: 002.7.2, 002.7.3/status, 002.13/2, D4.2.runtime, T25/agents
func TestConformance(t *testing.T) { conformance.Run(t, suite) }

// native are hunks as Codex has them: without the names of a file.
func native(hunks []diff.Hunk) string {
	text := diff.Format([]diff.File{{Old: "f", New: "f", Hunks: hunks}}, "")
	return text[strings.Index(text, "@@ "):]
}

// Proves: 002.7.2
func TestGolden(t *testing.T) {
	conformance.Golden(t, suite, "testdata/golden", "plain", "reasoning-raw", "shell-leftover", "interrupt-clean", "patch-update-delete",
		"approval-exec-accept", "approval-patch-decline", "mcp-approval", "mcp-ask", "user-input", "async-question", "dynamic-tool",
		"steer-text", "turn-start-while-active", "disconnect-retry", "provider-down", "failed-context", "incomplete", "plan", "plan-mode",
		"compact-auto", "model-switch", "web-search", "subagent", "resume", "kill", "ws", "exec-json", "request-errors", "queue")
}

// told is one member of facts.json.
type told struct {
	Turns []struct {
		Native string `json:"native"`
		Status string `json:"status"`
		Thread string `json:"thread"`
	} `json:"turns"`
	Entries   []toldEntry `json:"entries"`
	Approvals []struct {
		Method string `json:"method"`
		Item   string `json:"item"`
		Answer struct {
			Decision string `json:"decision"`
			Action   string `json:"action"`
		} `json:"answer"`
	} `json:"approvals"`
	Retries int `json:"retries"`
	Usage   *struct {
		Total  int64 `json:"totalTokens"`
		Input  int64 `json:"inputTokens"`
		Cached int64 `json:"cachedInputTokens"`
		Output int64 `json:"outputTokens"`
	} `json:"usage_final"`
}

type toldEntry struct {
	Closed  string             `json:"closed"` // end, late (after its turn), none
	Turn    string             `json:"turn"`   // end of its id
	Native  string             `json:"native"`
	Kind    protocol.EntryType `json:"kind"`
	Type    string             `json:"type"`
	Text    string             `json:"text"`
	Delta   string             `json:"delta_text"`
	Summary []string           `json:"summary"`
	Status  string             `json:"status"`
	Tool    string             `json:"tool"`
}

var readFacts = sync.OnceValues(func() (map[string]told, error) {
	raw, err := os.ReadFile("testdata/recordings/facts.json")
	if err != nil {
		return nil, err
	}
	var all map[string]told
	return all, json.Unmarshal(raw, &all)
})

// births are the threads of recordings with more than one, in the order in which their sessions begin.
var births = map[string][]string{
	"two-threads": {"7d0d98", "9c9311"},
	"subagent":    {"fbcaef", "a2bf23"},
	"resume":      {"3cc0f3", "34d0ad"},
}

// plans says behind how many entries the plan of a turn stands, which facts.json leaves out: it is no item.
var plans = map[string]int{"plan": 1, "combo": 4}

// otherTotals are recordings whose usage is not what the thread's total says at the end.
var otherTotals = map[string]*protocol.Usage{
	"failed-context": {}, // the total is that of the context window
	"subagent":       {InputTokens: 4350 + 1500, OutputTokens: 50 + 10, TotalTokens: 4400 + 1510},
	"two-threads":    {InputTokens: 2 * 1000, OutputTokens: 2 * 30, TotalTokens: 2 * 1030},
	"resume":         {InputTokens: 4450 + 1200 + 1050, OutputTokens: 50 + 10 + 10, TotalTokens: 4500 + 1210 + 1060}, // the total fell
}

// shortened is how facts.json ends a long text: with the length of the whole.
var shortened = regexp.MustCompile(`\.\.\.\(\d+ characters\)$`)

var yes, no = true, false

// facts translates facts.json.
func facts(t testing.TB, name string) (conformance.Facts, bool) {
	all, err := readFacts()
	if err != nil {
		t.Fatal(err)
	}
	if name == "exec-json" {
		return execFacts, true
	}
	told, ok := all[name]
	if !ok {
		t.Fatalf("facts.json says nothing of %s", name)
	}
	if name == "ws" { // while its connection is lost
		told.Retries++
	}
	compactions := 0
	f := conformance.Facts{
		Retries: &told.Retries, Compactions: &compactions, Entries: []conformance.Entry{}, Requests: told.requests(),
		Turns: []protocol.TurnStatus{},
	}
	for _, thread := range told.threads(name) {
		for _, turn := range told.Turns {
			if turn.Thread != thread {
				continue
			}
			f.Turns = append(f.Turns, status(turn.Status))
			for i, e := range told.Entries {
				switch {
				case !strings.HasSuffix(turn.Native, e.Turn):
				case e.Kind == protocol.EntryCompaction:
					compactions++
				case e.Kind != protocol.EntrySystem:
					f.Entries = append(f.Entries, told.entry(i))
				}
			}
		}
	}
	if at := plans[name]; at > 0 {
		f.Entries = slices.Insert(f.Entries, at, conformance.Entry{Type: protocol.EntryPlan})
	}
	switch u := told.Usage; {
	case otherTotals[name] != nil:
		f.Total = otherTotals[name]
	case u != nil:
		f.Total = &protocol.Usage{InputTokens: u.Input, CachedInputTokens: u.Cached, OutputTokens: u.Output, TotalTokens: u.Total}
	default:
		f.Usage = []protocol.Usage{}
	}
	return f, true
}

func status(s string) protocol.TurnStatus {
	switch s {
	case "failed":
		return protocol.TurnError
	case "open":
		return conformance.Lost
	}
	return protocol.TurnStatus(s)
}

func (f *told) threads(name string) []string {
	if list := births[name]; list != nil {
		return list
	}
	if len(f.Turns) == 0 {
		return nil
	}
	return []string{f.Turns[0].Thread}
}

func (f *told) entry(i int) conformance.Entry {
	e := f.Entries[i]
	want := conformance.Entry{Type: e.Kind, Text: e.Text, PersistentID: e.Native}
	if e.Text == "" {
		want.Text = e.Delta
	}
	if end := shortened.FindStringIndex(want.Text); end != nil {
		want.Text, want.Begins = strings.TrimSuffix(want.Text[:end[0]], " "), true
	}
	if e.Kind == protocol.EntryThinking {
		want.Text = strings.Join(append([]string{want.Text}, e.Summary...), "\n")
	}
	if e.Kind == protocol.EntryToolCall {
		want.CallID, want.Tool = e.Native, e.Tool
		switch e.Status {
		case "completed":
			want.Failed = &no
		case "failed", "declined":
			want.Failed = &yes
		}
		switch e.Type {
		case "commandExecution":
			want.Tool = "shell"
		case "fileChange":
			want.Tool = "file_edit"
		}
	}
	if e.Closed == "none" {
		want.Begins = true
		want.Left = !slices.ContainsFunc(f.Entries[i+1:], func(later toldEntry) bool { return later.Turn == e.Turn })
		if e.Kind == protocol.EntryToolCall { // runs on until the agent ends
			want.Left = true
		}
	}
	return want
}

func (f *told) requests() []conformance.Request {
	list := []conformance.Request{}
	for _, a := range f.Approvals {
		r := conformance.Request{Kind: protocol.RequestApproval, Outcome: protocol.OutcomeDenied, CallID: a.Item}
		switch {
		case a.Method == "item/tool/call": // a tool of the recorder's own: answered by a program
			continue
		case a.Method == "item/tool/requestUserInput":
			r = conformance.Request{Kind: protocol.RequestQuestion, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Chocolate"}}}
		case a.Answer.Decision == "accept":
			r.Outcome = protocol.OutcomeAllowed
		case a.Answer.Action == "accept" && strings.Contains(f.Entries[1].Tool, "ask"):
			r = conformance.Request{
				Kind: protocol.RequestElicitation, Outcome: protocol.OutcomeAnswered, CallID: "call_fake_0002", Answers: [][]string{{"green"}, {"true"}},
			}
		case a.Answer.Action == "accept":
			r.Outcome, r.CallID = protocol.OutcomeAllowed, "call_fake_0004"
		}
		list = append(list, r)
	}
	return list
}

// execFacts are the facts of the other format, which facts.json leaves out.
var execFacts = conformance.Facts{
	Turns: []protocol.TurnStatus{protocol.TurnCompleted},
	Entries: []conformance.Entry{
		{Type: protocol.EntryThinking, Text: "\n**Small step**"},
		{Type: protocol.EntryToolCall, Tool: "shell", CallID: "item_1", Text: "hi\n", Failed: &no},
		{Type: protocol.EntryToolCall, Tool: "file_edit", CallID: "item_2", Failed: &no},
		{Type: protocol.EntryAssistantMessage, Text: "Done under codex exec."},
	},
	Usage: []protocol.Usage{{InputTokens: 4350, CachedInputTokens: 2424, OutputTokens: 52, ReasoningOutputTokens: 5, TotalTokens: 4402}},
}
