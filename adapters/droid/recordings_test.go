package droid_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rows are the rows of the recordings' README: what each of them has to show, the entries in short and then drafts that must be
// among those said. facts.json says the rest, see the conformance test.
var rows = map[string]struct {
	entries string // U, A, T, X, C in order; x: a call that is an error; lower case a, t: left behind
	drafts  []string
}{
	"plain":        {"UA", []string{`entry 2 closed: {"role":"assistant","text":"Hello, team! The supervisor is up and I am listening."}`, "turn ended: completed"}},
	"plain-openai": {"UA", []string{`entry 2 closed: {"role":"assistant","text":"Hello, team! The supervisor is up and I am listening."}`, "turn ended: completed"}},
	"long-stream":  {"UA", nil},
	"thinking":     {"UTA", []string{`entry 3 closed: {"role":"assistant","text":"The answer is 42."}`}},
	"degenerate":   {"UaA", []string{`entry 2 left (retracted)`, `entry 3 closed: {"role":"assistant","text":"This time without repeating myself."}`}},
	"execute":      {"UAXA", []string{`"output":"line 1\nline 2\nline 3\nline 4\n\n\n[Process exited with code 0]","exitCode":0`, `entry 3 changed: {"op":"text_append","text":"line 2\n"}`}},
	"execute-fail": {"UxA", []string{`"exitCode":3`}},
	"files": {"UAXXXA", []string{
		`request 1 closed: allowed allow_once`, `request 2 closed: allowed allow_once`, `request 3 closed: allowed allow_once`,
		`@@ -1,4 +1,4 @@\n def greet(name):\n-    return f\"hello {name}\"\n+    return f\"good day {name}\"\n \n print(greet(\"world\"))\n`,
	}},
	"files-auto":           {"UAXXXA", []string{`mode "auto-low"`}},
	"parallel":             {"UXXxA", []string{"entry 4 closed: ", "turn ended: completed"}},
	"tool-unknown":         {"UxA", []string{"turn ended: completed"}},
	"todo":                 {"UXXXA", []string{`"toolName":"TodoWrite"`}},
	"permission-once":      {"UAXA", []string{`"toolKind":"execute","subject":"touch made-by-agent && echo touched"`, `request 1 closed: allowed allow_once`, `"output":"touched`}},
	"permission-always":    {"UAXA", []string{`request 1 closed: allowed allow_always`, `meta: "mode":"auto-medium"`, `"output":"touched`}},
	"permission-cancel":    {"UAxUA", []string{`request 1 closed: denied deny_stop`, "turn ended: completed"}},
	"interrupt-permission": {"UAxUA", []string{`request 1 closed: cancelled`, "turn ended: interrupted", "turn ended: completed"}},
	"ask":                  {"UAXA", []string{`request 1 opened: entry 3 {"kind":"question"`, `request 1 closed: answered  [["Chocolate"]]`}},
	"spec":                 {"UAXA", []string{`mode "spec"`, `"title":"Carry out the plan: Build a shed?","text":"# Build a shed`, `request 1 closed: allowed allow_once`, `meta: "mode":"normal"`}},
	"mcp":                  {"UXxA", []string{`request 1 opened: entry 2 {"kind":"approval","toolName":"tiny___echo","toolKind":"other"`, `request 2 opened: entry 3`}},
	"steer":                {"UAXUA", []string{"turn ended: completed"}},
	"queue":                {"UAUAUA", []string{"turn ended: completed"}},
	"interrupt-text":       {"UTaUA", []string{"turn ended: interrupted", "turn ended: completed"}},
	"interrupt-tool":       {"UxUA", []string{"turn ended: interrupted", "turn ended: completed"}},
	"retry-500":            {"UA", []string{"phase: retrying", `notice: warning retry "Attempt 2 failed: overloaded"`, "phase: responding", "turn ended: completed"}},
	"disconnect":           {"UaA", []string{`entry 2 left (retracted)`, "phase: retrying", `entry 3 closed: {"role":"assistant","text":"Here is the whole sentence at last."}`}},
	"fail-401":             {"U", []string{`turn ended: error BYOK Error: 401`, "log in with droid"}},
	"fail-429":             {"U", []string{`Attempt 4 failed: rate_limited`, `turn ended: error BYOK Error: 429`}},
	"fail-500":             {"U", []string{`Attempt 2 failed: overloaded`, "turn ended: interrupted"}},
	"provider-down":        {"U", []string{`turn ended: error Unable to reach http://127.0.0.1:9999.`, "cannot be reached"}},
	"max-tokens":           {"UAA", []string{`entry 3 closed: {"role":"assistant","text":"and here it goes on."}`}},
	"multi-turn":           {"UAUTAUXA", []string{`"sessionTotal":{"inputTokens":8900,"cachedInputTokens":3300,"outputTokens":74`}},
	"model-switch":         {"UAUAUXA", []string{`meta: "model":"custom:other-model-1"`, `meta: "mode":"auto-high"`, `meta: "model":"no-such-model"`, `meta: "title":"A new name"`, `notice: warning command_failed "droid.no_such_method: Unknown method`}},
	"compact":              {"UAUAUA", []string{"notice: info session_copy_compacted", `"sessionTotal":{"inputTokens":4100`}},
	"compact-load":         {"UAUACUA", []string{"session left for a copy", `"nativeSessionId":"54c1d813-8bff-497b-9eba-5a7929a0ee91"`}},
	"resume":               {"UAUAUA", []string{"notice: info session_forked", "session left for a copy", `"nativeSessionId":"d28a640b-c9a0-41fa-859b-64723b0e9929"`, "Session not found"}},
	"kill":                 {"UAUTaUA", []string{`"sessionTotal":{"inputTokens":3200`}},
	"term":                 {"UAUTaUA", []string{"turn ended: interrupted Droid was asked to end"}},
	"no-login":             {"", []string{`notice: error error "Error: Authentication failed. Please log in`}},
	"stream-json":          {"UTAXXA", []string{`model "custom:fake-model-0"`, "turn ended: completed"}},
	"stream-json-denied":   {"UAxA", []string{"turn ended: error Exec ended early"}},
	"json":                 {"A", []string{"turn ended: completed"}},
	"combo":                {"UTAXXAUAxUaUA", []string{`"sessionTotal":{"inputTokens":25400,"cachedInputTokens":11600,"outputTokens":284`, "turn ended: interrupted", "turn ended: completed"}},
}

func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/recordings/*.jsonl")
	if err != nil || len(files) != len(rows) {
		t.Errorf("%d recordings, %d rows, %v", len(files), len(rows), err)
	}
	readme, err := os.ReadFile("testdata/recordings/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			row, ok := rows[name]
			if !ok || !strings.Contains(string(readme), name) {
				t.Fatal("no row")
			}
			all := recorded(t, name)
			if got := short(all); got != row.entries {
				t.Errorf("entries %s, want %s", got, row.entries)
			}
			var lines []string
			for _, d := range all {
				lines = append(lines, conformance.Describe(d))
			}
			for _, want := range row.drafts {
				if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, want) }) {
					t.Errorf("no %s", want)
				}
			}
		})
	}
}

// short writes the entries of the conversation as letters.
func short(all []adapters.Draft) string {
	letters := map[protocol.EntryType]string{
		protocol.EntryUserMessage: "U", protocol.EntryAssistantMessage: "A", protocol.EntryThinking: "T",
		protocol.EntryToolCall: "X", protocol.EntryCompaction: "C",
	}
	type entry struct {
		letter string
		ended  bool
	}
	var list []*entry
	open := map[adapters.EntryKey]*entry{}
	for _, d := range all {
		switch d := d.(type) {
		case adapters.EntryOpened:
			e := &entry{letter: letters[d.Type]}
			list, open[d.Key] = append(list, e), e
		case adapters.EntryClosed:
			call, isCall := d.Data.(*protocol.ToolCallData)
			open[d.Key].ended = !d.Incomplete && (!isCall || call.Status == protocol.ToolCompleted)
		}
	}
	var b strings.Builder
	for _, e := range list {
		if !e.ended {
			e.letter = strings.ToLower(e.letter)
		}
		fmt.Fprint(&b, e.letter)
	}
	return b.String()
}
