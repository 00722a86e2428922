package claude_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What the recordings' README says of each of them, beside what facts.json has: parts of drafts, in order. A session is told from
// its sub-agent by the mark of its lines.
func TestRecordings(t *testing.T) {
	river := "The river bends twice before the mill, and each bend keeps its own sound. "
	for _, c := range []struct {
		name  string
		want  []string
		never []string
	}{
		{"plain", []string{
			`turn began: "Say hello to the team."`, `user_message {"role":"user","text":"Say hello to the team."}`,
			`assistant_message round 1 id msg_fake_0001`, `closed: {"role":"assistant","text":"Hello, team! The supervisor is up and I am listening."}`,
			`used: "usage":{"inputTokens":2324,"cachedInputTokens":1024,"outputTokens":14,"totalTokens":2338}`, `"cost":{"input":0,"output":0,"cacheRead":0,"total":0.0044922}`,
			"turn ended: completed",
		}, nil},
		{"plain-defaults", []string{
			"ready:", `turn began: "Say hello to the team."`, "phase: responding", `"text":"Hello, team! The supervisor is up and I am listening."}`, "used:",
			"turn ended: completed",
		}, nil},
		{"plain-no-partial", []string{`closed: {"role":"assistant","text":"Hello, team!`, "turn ended: completed"}, []string{"changed:"}},
		{"long-stream", []string{`"op":"text_append"`, `closed: {"role":"assistant","text":"` + river + river, "turn ended: completed"}, nil},
		{"thinking", []string{
			"entry 2 opened: thinking round 1 id msg_fake_0001", `entry 2 closed: {"text":"The person wants a number. Six times seven is forty-two."}`,
			"entry 3 opened: assistant_message round 1 id msg_fake_0001", `entry 3 closed: {"role":"assistant","text":"The answer is 42."}`,
		}, nil},
		{"bash-allow", []string{
			`entry 3 opened: tool_call round 1 id toolu_fake_0002 {"toolName":"Bash","callId":"toolu_fake_0002","status":"pending"}`, "arguments_append",
			`entry 3 changed: {"op":"status_change","status":"running"}`,
			`request 1 opened: entry 3 {"kind":"approval","toolName":"Bash","toolKind":"execute","subject":"touch made-by-agent && echo touched"`,
			`"allow_always","label":"Always allow","description":"Bash(touch made-by-agent *) in localSettings"}`,
			"request 1 closed: allowed allow_once", `"status":"completed","output":"touched"}`, `"The file is there."`, "turn ended: completed",
		}, nil},
		{"bash-deny", []string{"request 1 closed: denied deny", `"status":"error","output":"No, leave that."}`, `"The file is there."`, "turn ended: completed"}, nil},
		{"bash-fail", []string{`"status":"error","output":"Exit code 3\nto-stdout\nto-stderr","exitCode":3}`, "turn ended: completed"}, []string{"request 1"}},
		{"bash-slow", []string{`"status":"completed","output":"tick 1\ntick 2\ntick 3\ntick 4\ntick 5\ntick 6\ntick 7\ntick 8"}`, "turn ended: completed"}, []string{"notice"}},
		{"write-edit", []string{
			`"toolName":"Write","toolKind":"edit","subject":"/workspace/greet.py"`, `"diff":"--- a/greet.py\n+++ b/greet.py\n@@ -0,0 +1,4 @@ the whole file\n+def greet(name):\n`, `"id":"allow_always","label":"Always allow","description":"mode acceptEdits in session"`,
			"request 1 closed: allowed", `"diff":"--- /dev/null\n+++ b/greet.py\n@@ -0,0 +1,4 @@\n+def greet(name):\n`,
			`"diff":"--- a/greet.py\n+++ b/greet.py\n@@ -1 +1 @@ of a passage\n-\"hello {name}\"\n+\"good day {name}\"\n"`, "request 2 closed: allowed",
			`"diff":"--- a/greet.py\n+++ b/greet.py\n@@ -1,4 +1,4 @@\n def greet(name):\n-    return f\"hello {name}\"\n+    return f\"good day {name}\"\n \n print(greet(\"world\"))\n"}`,
			"request 3 closed: allowed", `"output":"good day world"}`,
		}, nil},
		{"parallel", []string{
			"entry 2 opened: tool_call round 1", "entry 3 opened: tool_call round 1", "entry 4 opened: tool_call round 1", `entry 4 closed: {"toolName":"Read"`, `"status":"error"`,
			"entry 2 closed", "entry 3 closed", "entry 5 opened: assistant_message round 2", "turn ended: completed",
		}, nil},
		{"tool-unknown", []string{`"toolName":"NoSuchTool"`, `"status":"error","output":"<tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>"`, "turn ended: completed"}, nil},
		{"tasks", []string{
			`"toolName":"TaskCreate"`, `"toolName":"TaskCreate"`, `"toolName":"TaskUpdate"`, `"toolName":"Read"`, `"toolName":"TaskUpdate"`, `"toolName":"TaskUpdate"`,
			`"The plan is finished."`,
		}, nil},
		{"plan-mode", []string{
			`mode "plan"`, `"title":"Approve the plan?","text":"# Build a shed\n\n- Buy wood\n- Nail it together\n"`, "request 1 closed: allowed allow_once", `meta: "mode":"default"}`,
			`"toolName":"ExitPlanMode"`, `"I begin to build."`, "turn ended: completed",
		}, []string{"allow_always"}},
		{"ask", []string{
			`{"kind":"question","toolName":"AskUserQuestion","title":"Which flavour should the cake have?","questions":[{"text":"Which flavour should the cake have?","header":"Flavour"`,
			`{"id":"Lemon","label":"Lemon","description":"Fresh."}`, `request 1 closed: answered  [["Chocolate"]]`, `"status":"completed"`, `"Thank you, noted."`,
		}, nil},
		{"mcp", []string{"request 1 opened: entry 2", `"output":"echo: good morning"`, "request 2 opened: entry 3", `"status":"error","output":"the tiny server refuses: it is Monday`}, nil},
		{"mcp-ask", []string{
			`"toolName":"mcp__tiny__ask","toolKind":"other"`, "request 1 closed: allowed", `request 2 opened: entry 0 {"kind":"elicitation","title":"tiny asks","text":"Which colour do you like?"`,
			`{"text":"Colour: Your favourite colour","header":"colour","freeText":true}`, `{"text":"Sure?","header":"sure","options":[{"id":"true"`, `request 2 closed: answered  [["green"] ["true"]]`,
			`"status":"completed"`,
		}, nil},
		{"web-search", []string{
			"entry 2 opened: tool_call round 1 id srvtoolu_fake_1", `entry 2 closed: {"toolName":"web_search","callId":"srvtoolu_fake_1"`,
			`"status":"completed","output":"Lighthouses\nhttps://example.invalid/lighthouses"}`, `entry 3 closed: {"role":"assistant","text":"The tallest one is 133 m high."}`,
		}, nil},
		{"web-search-tool", []string{
			`"toolName":"WebSearch","toolKind":"fetch","subject":"tallest lighthouse"`, "request 1 closed: allowed",
			`used: "usage":{"inputTokens":4700,"cachedInputTokens":0,"outputTokens":140`,
		}, nil},
		{"hooks", []string{
			"request 1 opened: entry 2", "request 1 closed: allowed", `"status":"completed"`, "turn ended: completed",
			`> {"type":"control_response","response":{"subtype":"success","request_id":"50865072-1dfe-4c42-94ac-c5dcd33897b5","response":{}}}`,
			`> {"type":"control_response","response":{"subtype":"success","request_id":"d3283491-9d4d-4421-aeab-849c2c127579","response":{}}}`,
		}, []string{"request 2"}},
		{"subagent", []string{
			`child began: toolu_fake_0002 entry 3 "Count to three"`, `entry 3 closed: {"toolName":"Task"`, `"My helper has counted."`, "turn ended: completed",
			"sub-agent", `turn began: "HELPER-COUNT: please count to three."`, `"toolName":"Bash"`, `"output":"one two three"}`, "turn ended: completed",
		}, []string{"I count."}},
		{"subagent-forwarded", []string{"sub-agent", "user_message", `"text":"I count."`, `"toolName":"Bash"`, `"text":"One, two, three."`, "turn ended: completed"}, nil},
		{"background", []string{
			`"output":"Command running in background with ID: bw2751ojj.`, "turn ended: completed",
			`notice: info background_task "Background command \"Tick in the background\" completed (exit code 0)"`, "turn began\n", `"The background job has ended."`, "turn ended: completed",
		}, nil},
		{"steer", []string{
			`turn began: "Write about rivers."`, "entry 3 closed", "entry 4 opened: user_message round 1 id bbbbbbbb-0000-4000-8000-00000000000b", `"text":"Make it about mountains."}`,
			`"You are right: about mountains it is."`, "turn ended: completed",
		}, []string{`turn began: "Make`}},
		{"queue", []string{
			"turn ended: completed", `turn began: "This is queued."`, `"text":"This is queued."}`, `"text":"This is queued as well."}`, `"This answers the queued message."`, "turn ended: completed",
		}, []string{`queued.\n`}},
		{"interrupt-text", []string{
			`entry 2 closed: {"text":"A long story."}`, `entry 3 left (interrupted): {"role":"assistant","text":"` + river + `The ri"}`,
			`used: "usage":{"inputTokens":1400,"cachedInputTokens":0,"outputTokens":24`, "turn ended: interrupted", `turn began: "Now something short."`, "turn ended: completed",
		}, []string{"[Request interrupted"}},
		{"interrupt-tool", []string{`"status":"error","output":"The user doesn't want to proceed`, "turn ended: interrupted", "turn began", "turn ended: completed"}, []string{"[Request interrupted"}},
		{"retry-500", []string{
			"phase: retrying, in 598 ms", `notice: warning retry "Attempt 1 of 10 in 598 ms: HTTP 500, server error"`, "phase: retrying, in 1141 ms", "phase: responding",
			`"It worked at the third attempt."`, "turn ended: completed",
		}, nil},
		{"disconnect", []string{
			`entry 2 left (abandoned): {"role":"assistant","text":"This sentence will be cut off in the mid"}`, "phase: retrying, in 572 ms", "entry 3 opened: assistant_message round 2 id msg_fake_0002",
			`used: "usage":{"inputTokens":2400,"cachedInputTokens":0,"outputTokens":22`, "turn ended: completed",
		}, nil},
		{"fail-401", []string{"phase: retrying", "phase: retrying", "turn ended: error Invalid API key · Fix external API key Log in"}, []string{"assistant_message"}},
		{"fail-429", []string{"phase: retrying", "phase: retrying", "turn ended: error API Error: Request rejected (429)"}, []string{"assistant_message"}},
		{"fail-500", []string{"phase: retrying", "phase: retrying", "turn ended: error API Error: 500 Internal server error."}, []string{"assistant_message"}},
		{"too-long", []string{"turn ended: error Prompt is too long"}, []string{"assistant_message", "used:"}},
		{"max-tokens", []string{
			`"This answer is cut because the token limit was"`, "entry 3 opened: assistant_message round 2", `"and here it goes on."`, "turn ended: completed",
		}, []string{"Output token limit hit"}},
		{"max-turns", []string{"entry 2 closed", "entry 3 closed", "turn ended: error Reached maximum number of turns (2)"}, nil},
		{"multi-turn", []string{
			`"sessionTotal":{"inputTokens":1000`, `"sessionTotal":{"inputTokens":3100,"cachedInputTokens":1000`, `"sessionTotal":{"inputTokens":7900,"cachedInputTokens":3300,"outputTokens":70`,
		}, nil},
		{"model-switch", []string{
			`meta: "model":"claude-sonnet-4-5"`, "turn ended", `meta: "model":"claude-haiku-4-5"}`, "turn began", `"model":"claude-haiku-4-5"`, `meta: "mode":"acceptEdits"}`, `"toolName":"Bash"`,
			`notice: warning command_failed "no_such_request: Unsupported control request subtype: no_such_request"`,
		}, []string{"request 1"}},
		{"compact", []string{
			`turn began: "/compact"`, "phase: compacting", "phase: responding", "opened: compaction", `1. A tale of a lighthouse was begun.`, `"trigger":"manual","tokensBefore":1010,"tokensAfter":2627}`,
			`used: "usage":{"inputTokens":1500,"cachedInputTokens":0,"outputTokens":40`, "turn ended: completed", `turn began: "Go on."`,
		}, []string{"local-command-stdout"}},
		{"resume", []string{
			`"nativeSessionId":"aaaaaaaa-0000-4000-8000-00000000000a"`, "turn ended: completed", `ready: session "aaaaaaaa-0000-4000-8000-00000000000a"`, "turn ended: completed",
			`"nativeSessionId":"b8248bfb-de0d-4054-8ac7-e8215ce29177"`, "turn ended: completed", `turn began: "Is there anybody?"`,
			"turn ended: error No conversation found with session ID: cccccccc-0000-4000-8000-00000000000c",
		}, nil},
		{"kill", []string{
			"turn ended: completed", `turn began: "Start something long."`, `closed: {"text":"About to be killed."}`, "assistant_message", `ready: session "bbbbbbbb-0000-4000-8000-00000000000b"`,
			`"sessionTotal":{"inputTokens":1200`, "turn ended: completed",
		}, nil},
		{"term", []string{"turn ended: completed", "ready:", `"sessionTotal":{"inputTokens":2200`, "turn ended: completed"}, nil},
		{"combo", []string{
			"request 1 closed: allowed", "turn ended: completed", "request 2 closed: denied", "turn ended: completed", "left (interrupted)", "turn ended: interrupted", "phase: retrying",
			`"sessionTotal":{"inputTokens":35600,"cachedInputTokens":17100,"outputTokens":313`, "turn ended: completed",
		}, nil},
		{"more/subagent-asks", []string{
			"child began: toolu_fake_0002", "turn ended: completed", "sub-agent", `"text":"I count."`,
			`request 1 opened: entry 3 {"kind":"approval","toolName":"Bash","toolKind":"execute","subject":"touch from-helper && echo made"`, "request 1 closed: allowed",
			`"output":"made"}`, "turn ended: completed",
		}, nil},
		{"more/subagent-background", []string{
			"child began", "turn ended: completed", `notice: info background_task "One, two, three."`, "turn began\n", "turn ended: completed", "sub-agent", `"text":"One, two, three."`, "turn ended: completed",
		}, nil},
		{"more/subagent-again", []string{
			`child began: toolu_fake_0002 entry 2 "Try"`, `"toolName":"SendMessage"`, `child began: toolu_fake_0002 entry 0 "Try"`, "turn ended: completed", "turn began\n", "turn ended: completed",
			"sub-agent", `turn began: "Go"`, `"sub one"`, "turn ended: completed", "sub-agent", `turn began: "Go on"`, "request 1 closed: allowed", `"sub done"`, "turn ended: completed",
		}, []string{"toolu_fake_0005 entry"}},
		{"more/subagent-nested", []string{
			`child began: toolu_fake_0012 entry 2 "Outer"`, "turn ended: completed", "sub-agent", `child began: toolu_fake_0014 entry 2 "Inner"`, `"outer end"`, "turn ended: completed",
			"sub-agent", "request 1 closed: allowed", `"inner end"`, "turn ended: completed",
		}, []string{"notice"}},
		{"more/subagent-interrupted", []string{"turn ended: interrupted", "sub-agent", "request 1 opened", "request 1 closed: cancelled", "turn ended: interrupted"}, []string{"notice"}},
		{"more/subagent-stopped", []string{`"My helper has counted."`, "turn ended: completed", "sub-agent", "request 1 closed: cancelled", "turn ended: interrupted"}, []string{"notice"}},
		{"more/deny-stop", []string{"request 1 closed: denied deny_stop", `"status":"error"`, "turn ended: interrupted"}, nil},
		{"more/interrupt-asked", []string{"request 1 closed: cancelled", `"status":"error"`, "turn ended: interrupted", `turn began: "x"`, "turn ended: completed"}, nil},
		{"more/interrupt-queue", []string{`turn began: "Go"`, `"status":"error"`, "turn ended: interrupted"}, []string{"Queued"}},
		{"more/long-output", []string{`29\n30\n31`, `"truncated":true,"bytes":168894}`, `"output":"Exit code 4\n1\n2\n`, `"exitCode":4`, `"output":"out\nerr"}`}, nil},
		{"more/image", []string{`turn began: "Look"`, "turn ended: completed"}, nil},
		{"more/commands", []string{
			`meta: "model":"nonsense"}`, `meta: "model":"claude-opus-5-5"}`, `command_failed "set_permission_mode: Cannot set permission mode to bypassPermissions`,
			`meta: "mode":"plan"}`, `turn began: "/context"`, `"text":"## Context Usage`, "turn ended: completed", "session left for a new one", `meta: "nativeSessionId":"666b7125-`,
			`turn began: "/clear"`, "turn ended: completed", `turn began: "hi2"`, `notice: warning informational "Auto mode`, `"toolName":"Task"`, `"status":"error"`, "turn ended: completed",
		}, []string{"child began"}},
	} {
		t.Run(strings.TrimPrefix(c.name, "more/"), func(t *testing.T) {
			story := tell(t, c.name)
			rest := story
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %s in\n%s", want, rest)
				}
				rest = after
			}
			for _, never := range c.never {
				if strings.Contains(story, never) {
					t.Errorf("%s in\n%s", never, story)
				}
			}
			if strings.Contains(story, "native:") || strings.Contains(story, "unparsable") {
				t.Errorf("a line was not understood:\n%s", story)
			}
		})
	}
	files, err := filepath.Glob("testdata/*/*.jsonl")
	if err != nil || len(files) != 42+12 {
		t.Errorf("%d recordings, %v", len(files), err)
	}
}

// tell is what was said of a recording, as text: drafts, then lines to the agent, of each session in turn.
func tell(t *testing.T, name string) string {
	t.Helper()
	if !strings.Contains(name, "/") {
		name = "recordings/" + name
	}
	var b strings.Builder
	for _, said := range conformance.Play(t, suite, name+".jsonl") {
		if said.Session.Parent != nil {
			b.WriteString("sub-agent\n")
		}
		for _, d := range said.Drafts {
			b.WriteString(conformance.Describe(d) + "\n")
		}
		for _, line := range said.Lines {
			b.WriteString("> " + string(line) + "\n")
		}
	}
	return b.String()
}

// Deltas add up to the final text of every entry that the agent ended.
func TestDeltasAddUp(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	streamed := 0
	for _, file := range files {
		for _, said := range conformance.Play(t, suite, strings.TrimPrefix(file, "testdata/")) {
			sums := map[adapters.EntryKey]string{}
			for _, d := range said.Drafts {
				switch d := d.(type) {
				case adapters.EntryChanged:
					if a, ok := d.Delta.(*protocol.TextAppend); ok {
						sums[d.Key] += a.Text
					}
				case adapters.EntryClosed:
					final := ""
					switch data := d.Data.(type) {
					case *protocol.MessageData:
						final = data.Text
					case *protocol.ThinkingData:
						final = data.Text
					}
					if sum := sums[d.Key]; sum != "" && sum != final {
						t.Errorf("%s: entry %d: the deltas are %q, the end is %q", file, d.Key, sum, final)
					} else if sum != "" {
						streamed += len(sum)
					}
				default:
				}
			}
		}
	}
	if streamed < 2982 {
		t.Errorf("only %d bytes were streamed", streamed)
	}
}
