package opencode_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var suite = conformance.Suite{
	Agent:      opencode.Agent{},
	Recordings: os.DirFS("testdata/recordings"),
	Facts:      facts,
	FactsOf:    func(string, *replay.Session) bool { return true },
	StrangerOf: stranger,
	Edits: func(path, _, _ string, hunks []diff.Hunk) []string {
		event := func(kind string, properties map[string]any) string {
			properties["sessionID"] = "s"
			text, err := json.Marshal(map[string]any{"type": kind, "properties": properties})
			if err != nil {
				panic(err) // texts
			}
			return string(text)
		}
		head := "Index: " + path + "\n" + strings.Repeat("=", 67) + "\n--- " + path + "\t\n+++ " + path + "\t\n"
		text := diff.Format([]diff.File{{Old: "f", New: "f", Hunks: hunks}}, "")
		return []string{
			`{"http":"answer","n":1,"status":200,"body":{"id":"s"}}`,
			event("session.status", map[string]any{"status": map[string]any{"type": "busy"}}),
			event("message.updated", map[string]any{"info": map[string]any{"id": "m", "role": "assistant", "sessionID": "s"}}),
			event("message.part.updated", map[string]any{"part": map[string]any{
				"id": "p", "messageID": "m", "sessionID": "s", "type": "tool", "tool": "edit", "callID": "c", "state": map[string]any{
					"status": "completed", "input": map[string]any{}, "output": "", "metadata": map[string]any{"diff": head + text[strings.Index(text, "@@ "):]},
				},
			}}),
		}
	},
	AsksEdit: func(path, _, _ string, hunks []diff.Hunk) []string {
		text := diff.Format([]diff.File{{Old: "f", New: "f", Hunks: hunks}}, "")
		metadata, err := json.Marshal(map[string]any{"filepath": path, "diff": "Index: " + path + "\n--- " + path + "\n+++ " + path + "\n" + text[strings.Index(text, "@@ "):]})
		if err != nil {
			panic(err) // texts
		}
		return []string{
			`{"http":"answer","n":1,"status":200,"body":{"id":"s"}}`,
			`{"type":"session.status","properties":{"sessionID":"s","status":{"type":"busy"}}}`,
			`{"type":"permission.asked","properties":{"sessionID":"s","id":"per_1","permission":"edit","patterns":["x"],"always":["*"],"metadata":` + string(metadata) + `}}`,
		}
	},
	AsksMCP: func(server, tool, arguments string) []string {
		event := func(kind, properties string) string {
			return `{"type":"` + kind + `","properties":{"sessionID":"s",` + properties + `}}`
		}
		name := server + "_" + tool
		return []string{
			`{"http":"answer","n":1,"status":200,"body":{"id":"s"}}`,
			`{"http":"answer","n":4,"status":200,"body":{"` + adapters.MCPServerName + `":{"status":"connected"},"` + server + `":{"status":"connected"}}}`,
			event("session.status", `"status":{"type":"busy"}`),
			event("message.updated", `"info":{"id":"m","role":"assistant","sessionID":"s"}`),
			event("message.part.updated", `"part":{"id":"p","messageID":"m","sessionID":"s","type":"tool","tool":"`+name+`","callID":"c",`+
				`"state":{"status":"running","input":`+arguments+`}}`),
			event("permission.asked", `"id":"per_1","tool":{"messageID":"m","callID":"c"},"permission":"`+name+`","patterns":["*"],"always":["*"],"metadata":{}`),
		}
	},
}

// Proves: 001.types/text, 001.types/reasoning, 001.types/others, O7, D4.2.runtime, C39, T21
func TestConformance(t *testing.T) { conformance.Run(t, suite) }

// Proves: 001.sequence
func TestGolden(t *testing.T) {
	conformance.Golden(t, suite, "testdata/golden", "text_short", "reasoning_text", "tool_bash", "tool_edit", "tool_parallel", "tool_error",
		"permission_once", "permission_reject", "permission_reject_message", "permission_stale", "question", "abort_text", "abort_tool",
		"provider_500_retry", "provider_400", "retry_abort", "malformed_tool_args", "malformed_stream", "provider_disconnect", "busy_prompt",
		"compaction_manual", "compaction_auto", "compaction_overflow", "subagent_task", "subagent_permission", "bad_model", "sigkill_mid_text",
		"sigkill_mid_tool", "sse_drop_resync", "sse_drop_over_end", "concurrent_sessions", "shell", "session_ops", "dispose",
		"old1165_abort_text", "old1165_reasoning_text", "v2_tool_queue", "v2_permission", "v2_interrupt_kill")
}

// stranger is an event of an unknown type of the session that a line is about.
func stranger(line []byte) []byte {
	if httpline.Is(line) {
		return nil
	}
	var e struct {
		Payload struct {
			Type       string          `json:"type"`
			Properties json.RawMessage `json:"properties"`
		} `json:"payload"`
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Data       json.RawMessage `json:"data"`
	}
	_ = native.Decode(line, &e)
	kind := e.Type + e.Payload.Type
	if kind == "session.deleted" || kind == "sync" {
		return nil
	}
	properties := slices.Concat(e.Properties, e.Data, e.Payload.Properties)
	if i := bytes.Index(properties, []byte(`ses_`)); i > 0 && (strings.HasPrefix(kind, "message.") || strings.HasPrefix(kind, "session.")) {
		id, _, _ := strings.Cut(string(properties[i:]), `"`)
		return []byte(`{"id":"evt_0","type":"moon.phase","properties":{"sessionID":"` + id + `","phase":{"name":"waxing","days":[3.50,null]}}}`)
	}
	return nil
}

// told is one member of facts.json.
type told struct {
	Sessions []struct {
		ID string `json:"id"`
	} `json:"sessions"`
	Turns []struct {
		Session string `json:"session"`
		Outcome string `json:"outcome"`
	} `json:"turns"`
	Entries []struct {
		Native  string             `json:"native"`
		Session string             `json:"session"`
		Kind    protocol.EntryType `json:"kind"`
		Closed  string             `json:"closed"`
		Text    string             `json:"text"`
		Partial string             `json:"partial"`
		Tool    string             `json:"tool"`
		CallID  string             `json:"callId"`
		Status  string             `json:"status"`
		Output  *string            `json:"output"`
		Error   string             `json:"error"`
	} `json:"entries"`
	Requests []struct {
		Kind     string          `json:"kind"`
		Session  string          `json:"session"`
		CallID   string          `json:"callId"`
		Answered json.RawMessage `json:"answered"`
	} `json:"requests"`
	Status map[string][]string `json:"status"`
	Usage  []struct {
		Session                          string
		Input, Cached, Output, Reasoning int64
		Total                            *int64
	} `json:"usage"`
}

var readFacts = sync.OnceValues(func() (map[string]told, error) {
	all := map[string]told{}
	for file, prefix := range map[string]string{"facts.json": "", "old1165_facts.json": "old1165_"} {
		raw, err := os.ReadFile("testdata/recordings/" + file)
		if err != nil {
			return nil, err
		}
		var some map[string]told
		if err := json.Unmarshal(raw, &some); err != nil {
			return nil, err
		}
		for name, f := range some {
			all[prefix+name] = f
		}
	}
	return all, nil
})

// outcomes are those of turns where facts.json, which only looks at how a message finished, does not know what the notes on the
// agent say: a refusal stops the turn, and a stream that was down over the end costs nothing.
var outcomes = map[string][]protocol.TurnStatus{
	"permission_reject":         {protocol.TurnInterrupted},
	"permission_reject_message": {protocol.TurnInterrupted},
	"old1165_permission_reject": {protocol.TurnInterrupted},
	"sse_drop_over_end":         {protocol.TurnCompleted},
	// The newer surface, of which facts.json says nothing.
	"v2_text":           {protocol.TurnCompleted},
	"v2_tool_queue":     {protocol.TurnCompleted, protocol.TurnCompleted},
	"v2_interrupt_kill": {protocol.TurnInterrupted, protocol.TurnCompleted, conformance.Lost, protocol.TurnCompleted},
	"v2_permission":     {protocol.TurnInterrupted},
	// Both end before their turn begins.
	"text_short.api":    {},
	"subagent_task.api": {},
}

// synthetic are the beginnings of messages that OpenCode writes as if the user had.
var synthetic = []string{"Continue if you have next steps", "The following tool was executed by the user"}

// shortened is how facts.json ends a long text: with the length of the whole.
var shortened = regexp.MustCompile(`…\(\d+\)$`)

// facts translates facts.json. Sessions come one after the other, as the suite reads them.
func facts(t testing.TB, name string) (conformance.Facts, bool) {
	all, err := readFacts()
	if err != nil {
		t.Fatal(err)
	}
	told, ok := all[strings.TrimSuffix(name, ".global")]
	if ended, special := outcomes[name]; special && (!ok || strings.HasPrefix(name, "v2_")) {
		return conformance.Facts{Turns: ended}, true
	}
	if !ok {
		t.Fatalf("facts.json says nothing of %s", name)
	}
	f := conformance.Facts{Turns: []protocol.TurnStatus{}, Entries: []conformance.Entry{}, Requests: []conformance.Request{}, Usage: []protocol.Usage{}}
	retries := 0
	f.Retries = &retries
	for _, s := range told.Sessions {
		for _, x := range told.Turns {
			if x.Session == s.ID {
				f.Turns = append(f.Turns, protocol.TurnStatus(x.Outcome))
			}
		}
		for _, e := range told.Entries {
			if e.Session != s.ID {
				continue
			}
			x := conformance.Entry{
				Type: e.Kind, Text: e.Text, Tool: e.Tool, CallID: e.CallID, PersistentID: e.Native,
			}
			switch {
			case e.Kind == protocol.EntryUserMessage && slices.ContainsFunc(synthetic, func(s string) bool { return strings.HasPrefix(e.Text, s) }):
				continue
			case e.Kind == protocol.EntryCompaction:
				continue
			case e.Kind == protocol.EntryToolCall:
				failed := e.Status == "error" || e.Tool == "invalid"
				x.Failed = &failed
				if e.Output != nil {
					x.Text = *e.Output
				}
				x.Text += e.Error
				if e.Tool == "invalid" {
					x.Tool = "" // it keeps the name that the model gave it
				}
			}
			if e.Closed != "end" {
				x.Text, x.Begins = e.Partial, true
				x.Left = strings.HasPrefix(name, "sigkill_")
				if x.Left {
					x.Failed = nil
				}
			}
			if m := shortened.FindStringIndex(x.Text); m != nil {
				x.Text, x.Begins = x.Text[:m[0]], true
			}
			f.Entries = append(f.Entries, x)
		}
		for _, r := range told.Requests {
			if r.Session == s.ID {
				f.Requests = append(f.Requests, request(t, r.Kind, r.CallID, r.Answered))
			}
		}
		for _, status := range told.Status[s.ID] {
			if status == "retry" {
				retries++
			}
		}
		for _, u := range told.Usage {
			if u.Session != s.ID || u.Total == nil || *u.Total == 0 {
				continue
			}
			f.Usage = append(f.Usage, protocol.Usage{
				InputTokens: u.Input + u.Cached, CachedInputTokens: u.Cached, OutputTokens: *u.Total - u.Input - u.Cached,
				ReasoningOutputTokens: u.Reasoning, TotalTokens: *u.Total,
			})
		}
	}
	if ended, ok := outcomes[name]; ok {
		f.Turns = ended
	}
	if name == "sse_drop_over_end" {
		f.Usage = nil // was never heard, only read afterwards
	}
	return f, true
}

func request(t testing.TB, kind, call string, answered json.RawMessage) conformance.Request {
	t.Helper()
	r := conformance.Request{Kind: protocol.RequestApproval, CallID: call, Outcome: protocol.OutcomeCancelled}
	if kind == "question" {
		r.Kind, r.Outcome = protocol.RequestQuestion, protocol.OutcomeAnswered
		if err := json.Unmarshal(answered, &r.Answers); err != nil {
			t.Fatal(err)
		}
		return r
	}
	switch string(answered) {
	case `"once"`, `"always"`:
		r.Outcome = protocol.OutcomeAllowed
	case `"reject"`:
		r.Outcome = protocol.OutcomeDenied
	}
	return r
}
