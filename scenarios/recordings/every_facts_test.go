package recordings

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// plainFacts are what the facts.json of all agents but Pi have in common: what was said, and what was asked. The agents' own
// tests compare the rest.
type plainFacts struct {
	Turns   []json.RawMessage `json:"turns"`
	Entries []struct {
		Kind   protocol.EntryType `json:"kind"`
		Closed string             `json:"closed"` // "end": the agent ended it
		Text   string             `json:"text"`
	} `json:"entries"`
	Approvals []json.RawMessage `json:"approvals"`
	Requests  []json.RawMessage `json:"requests"`
}

// shortenedText is how the facts end a long text.
var shortenedText = regexp.MustCompile(`\.\.\.\(\d+ characters\)$|…\(\d+\)$`)

// other says where a log rightly tells something else than the facts count.
type other struct {
	turns    int    // more or fewer than the facts have
	requests int    // likewise
	unsaid   string // beginning of a text that is no message of a person or a model
	because  string
}

var others = map[string]other{
	"claude/fail-401":            {unsaid: "Invalid API key", because: "it is the turn's error"},
	"claude/fail-429":            {unsaid: "API Error", because: "it is the turn's error"},
	"claude/fail-500":            {unsaid: "API Error", because: "it is the turn's error"},
	"claude/too-long":            {unsaid: "Prompt is too long", because: "it is the turn's error"},
	"claude/hooks":               {requests: -2, because: "the calls of hooks ask nobody"},
	"claude/kill":                {turns: 1, because: "the facts leave out the turn that was lost"},
	"claude/term":                {turns: 1, because: "the facts leave out the turn that was lost"},
	"claude/subagent":            {turns: 1, because: "the sub-agent has a turn in its own log"},
	"claude/subagent-forwarded":  {turns: 1, because: "the sub-agent has a turn in its own log"},
	"codex/dynamic-tool":         {requests: -1, because: "the call of a tool of the client's asks nobody"},
	"codex/exec-json":            {turns: 1, because: "the facts do not read this format"},
	"droid/json":                 {turns: 1, because: "the facts do not read this format"},
	"droid/stream-json":          {turns: 1, because: "the facts do not read this format"},
	"droid/stream-json-denied":   {turns: 1, because: "the facts do not read this format"},
	"droid/kill":                 {turns: 1, because: "the facts leave out the turn that was lost"},
	"opencode/compaction_auto":   {unsaid: "Continue if you have", because: "the agent says it to itself"},
	"opencode/permission_stale":  {requests: -1, because: "one answer was to a request that there never was"},
	"opencode/shell":             {unsaid: "The following tool", because: "the agent says it to itself"},
	"opencode/v2_interrupt_kill": {turns: 4, because: "the facts do not count turns of this interface"},
	"opencode/v2_permission":     {turns: 1, because: "the facts do not count turns of this interface"},
	"opencode/v2_text":           {turns: 1, because: "the facts do not count turns of this interface"},
	"opencode/v2_tool_queue":     {turns: 2, because: "the facts do not count turns of this interface"},
}

// TestFactsOfEveryAgent: what people and models said, once each, in its final form; and no approval is lost on the way.
func TestFactsOfEveryAgent(t *testing.T) {
	all := map[string]map[string]plainFacts{}
	for _, agent := range agents {
		if agent.Name() == "pi" { // TestFacts reads its facts, which have a form of their own
			continue
		}
		file := "adapters/" + agent.Name() + "/testdata/recordings/facts.json"
		raw, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Errorf("%s says what was said and asked in each recording, and is missing: %v", file, err)
			continue
		}
		var facts map[string]plainFacts
		if err := json.Unmarshal(raw, &facts); err != nil {
			t.Fatal(err)
		}
		all[agent.Name()] = facts
	}
	checked := 0
	for _, f := range every(t) {
		agent, name, _ := strings.Cut(f.name, "/")
		facts, ok := all[agent][name]
		if !ok {
			continue
		}
		checked++
		t.Run(f.name, func(t *testing.T) { facts.check(t, f.convert(t, f.raw), others[f.name]) })
	}
	if checked < 180 {
		t.Errorf("the facts of %d recordings were compared", checked)
	}
}

func (f *plainFacts) check(t *testing.T, logs []*log, but other) {
	t.Helper()
	turns, requests := 0, 0
	type said struct {
		kind protocol.EntryType
		text string
	}
	var list []said
	for _, l := range logs {
		turns += len(l.state.Turns)
		for _, x := range l.state.Entries {
			if m, ok := x.Data.(*protocol.MessageData); ok {
				list = append(list, said{x.EntryType, m.Text})
			}
		}
		for _, r := range l.state.Requests {
			if r.SessionID == "" {
				requests++
			}
		}
	}
	if want := len(f.Turns) + but.turns; turns != want {
		t.Errorf("%d turns, want %d", turns, want)
	}
	if want := len(f.Approvals) + len(f.Requests) + but.requests; requests != want {
		t.Errorf("%d requests, want %d", requests, want)
	}
	for _, e := range f.Entries {
		if e.Text == "" || e.Closed != "end" || e.Kind != protocol.EntryUserMessage && e.Kind != protocol.EntryAssistantMessage {
			continue
		}
		want, part := e.Text, false
		if at := shortenedText.FindStringIndex(want); at != nil {
			want, part = want[:at[0]], true
		}
		found := false
		for i, s := range list {
			if s.kind == e.Kind && (s.text == want || part && strings.HasPrefix(s.text, want)) {
				list, found = append(list[:i], list[i+1:]...), true
				break
			}
		}
		if !found && (but.unsaid == "" || !strings.HasPrefix(want, but.unsaid)) {
			t.Errorf("%s %q is not in the log", e.Kind, e.Text)
		}
	}
}
