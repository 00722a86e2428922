package codex_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shell is a check of a finished call of the shell.
func shell(status protocol.ToolStatus, exit int, output string) func(c *course) bool {
	return func(c *course) bool {
		return has(c, func(d *protocol.ToolCallData) bool {
			return d.ToolName == "shell" && d.Status == status && d.ExitCode != nil && *d.ExitCode == exit && d.Output == output && d.Command != ""
		})
	}
}

// drafted says that a draft is as wanted.
func drafted[D adapters.Draft](is func(d D) bool) func(c *course) bool {
	return func(c *course) bool {
		for _, x := range c.said {
			if d, ok := x.(D); ok && is(d) {
				return true
			}
		}
		return false
	}
}

func ended(status protocol.TurnStatus, problem, hint string) func(c *course) bool {
	return drafted(func(d adapters.TurnEnded) bool {
		return d.Status == status && strings.Contains(d.Error, problem) && strings.Contains(d.Hint, hint)
	})
}

func said(text string) func(c *course) bool {
	return func(c *course) bool {
		return has(c, func(d *protocol.MessageData) bool { return d.Role == "assistant" && d.Text == text })
	}
}

func call(tool string, status protocol.ToolStatus, arguments, output string) func(c *course) bool {
	return func(c *course) bool {
		return has(c, func(d *protocol.ToolCallData) bool {
			return d.ToolName == tool && d.Status == status && d.Arguments == arguments && d.Output == output
		})
	}
}

func extra(list []protocol.Member, key, value string) bool {
	for _, m := range list {
		if m.Key == key {
			return string(m.Value) == value
		}
	}
	return false
}

// details are what the README of the recordings says beyond their course.
var details = map[string][]func(c *course) bool{
	"plain": {said("Hello, team! The supervisor is up and I am listening.")},
	"reasoning": {
		func(c *course) bool {
			return has(c, func(d *protocol.ThinkingData) bool { return len(d.Summary) == 2 && d.Text == "" })
		},
		drafted(func(d adapters.EntryChanged) bool {
			s, ok := d.Delta.(*protocol.SummaryAppend)
			return ok && s.SummaryIndex == 1
		}),
		drafted(func(d adapters.Used) bool { return d.Usage.Usage.ReasoningOutputTokens == 64 }),
	},
	"reasoning-raw": {func(c *course) bool {
		return has(c, func(d *protocol.ThinkingData) bool {
			return len(d.Summary) == 1 && strings.HasPrefix(d.Text, "First I compare")
		})
	}},
	"phases": {
		func(c *course) bool {
			return has(c, func(d *protocol.MessageData) bool { return extra(d.Extra, "phase", `"commentary"`) })
		},
		func(c *course) bool {
			return has(c, func(d *protocol.MessageData) bool { return extra(d.Extra, "phase", `"final_answer"`) })
		},
	},
	"shell":            {shell(protocol.ToolCompleted, 0, "line 1\nline 2\nline 3\nline 4\n")},
	"shell-background": {drafted(func(d adapters.Notice) bool { return d.Kind == "terminal_input" })},
	"shell-leftover":   {shell(protocol.ToolCompleted, 0, "tick 1\ntick 2\ntick 3\ntick 4\ntick 5\ntick 6\ntick 7\ntick 8\n")},
	"interrupt-clean":  {shell(protocol.ToolError, -1, "tick 1\ntick 2\ntick 3\n")},
	"approval-exec-decline": {func(c *course) bool {
		return has(c, func(d *protocol.ToolCallData) bool {
			return d.Status == protocol.ToolError && extra(d.Extra, "outcome", `"declined"`)
		})
	}},
	"approval-exec-accept": {drafted(func(d adapters.RequestOpened) bool {
		r := d.Request
		return r.ToolKind == protocol.ToolExecute && r.Subject == "touch /home/agent/made-by-agent && echo touched" &&
			len(r.Options) == 4 && strings.Contains(r.Text, "May I write outside the workspace?") && d.Entry == 2
	})},
	"approval-patch-accept": {drafted(func(d adapters.RequestOpened) bool {
		r := d.Request
		return r.ToolKind == protocol.ToolEdit && r.Subject == "/workspace/made.txt" && len(r.Options) == 4 && d.Entry == 2 &&
			r.Text == "--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made by the agent\n"
	})},
	"patch-update-delete": {func(c *course) bool {
		return has(c, func(d *protocol.ToolCallData) bool {
			return d.ToolName == "file_edit" && d.Diff == "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n first\n-second\n+second, edited\n third\n"+
				"--- a/todo.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-- nothing\n"
		})
	}},
	"mcp":          {call("fail", protocol.ToolError, `{"why":"it is Monday"}`, "the tiny server refuses: it is Monday")},
	"dynamic-tool": {call("weather", protocol.ToolCompleted, `{"city":"Bern"}`, "sunny, 21 degrees")},
	"mcp-approval": {drafted(func(d adapters.RequestOpened) bool {
		return d.Request.Kind == protocol.RequestApproval && d.Request.Subject == "tiny/fail" && d.Entry == 3
	})},
	"web-search": {call("web_search", protocol.ToolCompleted, `{"type":"openPage","url":"https://example.invalid/lighthouses"}`, "")},
	"view-image": {call("view_image", protocol.ToolCompleted, `{"path":"/workspace/dot.png"}`, "")},
	"plan-mode": {
		said("Here is what I propose.\n\n\nShall I go on?"),
		drafted(func(d adapters.MetaChanged) bool { return d.Meta.Mode != nil && *d.Meta.Mode == "plan" }),
	},
	"plan": {func(c *course) bool {
		return has(c, func(d *protocol.PlanData) bool { return len(d.Steps) == 3 && d.Steps[2].Status == "completed" })
	}},
	"async-question": {func(c *course) bool {
		return has(c, func(d *protocol.MessageData) bool {
			return extra(d.Extra, "delivery", `"async"`) && extra(d.Extra, "questions", `[{"title":"Shall the logo be round?","options":["Round","Square"]}]`)
		})
	}},
	"fail-500":       {ended(protocol.TurnError, "high demand", "")},
	"fail-429":       {ended(protocol.TurnError, "", "")},
	"failed-context": {ended(protocol.TurnError, "context window", "compacted")},
	"incomplete":     {ended(protocol.TurnError, "max_output_tokens", ""), said("This answer is cut because the token limit was")},
	"model-switch": {
		drafted(func(d adapters.Offered) bool {
			return len(d.Models) > 3 && d.Models[0].ID == "gpt-6.1-sol" && len(d.Modes) == 4
		}),
		drafted(func(d adapters.MetaChanged) bool { return d.Meta.Model != nil && *d.Meta.Model == "gpt-5.6-luna" }),
		drafted(func(d adapters.MetaChanged) bool { return d.Meta.Model != nil && *d.Meta.Model == "gpt-5.5" }),
		drafted(func(d adapters.PhaseChanged) bool { return d.State == protocol.StateCompacting }),
	},
	"subagent": {drafted(func(d adapters.ChildBegan) bool {
		return d.NativeID == "01a1f74c-7f41-7c73-85f8-496b69a2bf23" && d.Title == "/root/counter"
	})},
	"resume": {
		drafted(func(d adapters.MetaChanged) bool { return d.Meta.Title != nil && *d.Meta.Title == "Heron" }),
		drafted(func(d adapters.Used) bool { return d.Usage.SessionTotal.TotalTokens == 2070 }),
		drafted(func(d adapters.Notice) bool { return d.Kind == "reverted" }),
	},
	"ws": {drafted(func(d adapters.EntryClosed) bool {
		m, ok := d.Data.(*protocol.MessageData)
		return ok && extra(m.Extra, "gap", "true")
	})},
	"provider-down": {drafted(func(d adapters.Notice) bool { return strings.Contains(d.Text, "waiting for network") })},
}

// Proves: 002.4.4/plan, 002.4.5/tool_call, 002.4.5/thinking, 002.7.2
func TestDetails(t *testing.T) {
	for name, checks := range details {
		t.Run(name, func(t *testing.T) {
			c := play(t, filepath.Join("testdata/recordings", name+".jsonl"))[0]
			for i, is := range checks {
				if !is(c) {
					t.Errorf("check %d failed", i+1)
				}
			}
		})
	}
}

// otherRollouts are rollout files that tell something else than the recording.
var otherRollouts = map[string]string{
	"exec-json":      "the recording is in the other format",
	"resume":         "the thread was reverted",
	"kill":           "the resume has written that the turn was interrupted",
	"term":           "the turn's end came when nobody listened any more",
	"interrupt-tool": "the command's end came when nobody listened any more",
	"long-stream":    "the file is shortened",
	"request-errors": "the thread has only begun",
}

// TestRollouts imports Codex's own log of each run: it has what the recording of the run has, but for what was never finished.
// Proves: 002.5.4
func TestRollouts(t *testing.T) {
	files, err := filepath.Glob("testdata/rollouts/*.jsonl")
	if err != nil || len(files) < 58 {
		t.Fatalf("%d rollouts, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			imported := play(t, file)
			if len(imported) != 1 {
				t.Fatalf("%d sessions", len(imported))
			}
			if why := otherRollouts[name]; why != "" {
				if name != "request-errors" && imported[0].String() == "" {
					t.Error("nothing was imported")
				}
				return
			}
			session := 0
			if base, ok := strings.CutSuffix(name, "-b"); ok {
				name, session = base, 1
			}
			want := conversation(play(t, filepath.Join("testdata/recordings", name+".jsonl"))[session])
			if got := conversation(imported[0]); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// conversation is what both a recording and a rollout file tell, in the order of closing.
func conversation(c *course) string {
	var b strings.Builder
	for _, d := range c.said {
		switch d := d.(type) {
		case adapters.TurnEnded:
			b.WriteString("-- " + string(d.Status) + "\n")
		case adapters.EntryClosed:
			if d.Incomplete {
				continue
			}
			switch e := d.Data.(type) {
			case *protocol.MessageData:
				b.WriteString(e.Role + ": " + e.Text + "\n")
			case *protocol.ThinkingData:
				b.WriteString("thinking: " + e.Text + strings.Join(e.Summary, "|") + "\n")
			case *protocol.ToolCallData:
				if extra(e.Extra, "outcome", `"declined"`) { // which the file does not have
					continue
				}
				b.WriteString(e.ToolName + " " + string(e.Status) + " " + e.Command + e.Arguments + e.Output + e.Diff + "\n")
			default:
			}
		default:
		}
	}
	return b.String()
}
