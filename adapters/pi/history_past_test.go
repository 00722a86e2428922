package pi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The conversation that led to the last entry: a branch that was left is none of it.
const earlier = `{"type":"model_change","id":"a0","parentId":null},
{"type":"message","id":"a1","parentId":"a0","message":{"role":"user","content":[{"type":"text","text":"Why does\nit fail?"}],"timestamp":1}},
{"type":"message","id":"x1","parentId":"a1","message":{"role":"assistant","content":[{"type":"text","text":"In another branch."}],"timestamp":2}},
{"type":"message","id":"a2","parentId":"a1","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look."},
 {"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls"}},{"type":"toolCall","id":"c2","name":"bash","arguments":{"command":"sleep 9"}}],"timestamp":3}},
{"type":"message","id":"a3","parentId":"a2","message":{"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"notes.txt"}],"timestamp":4}},
{"type":"message","id":"a4","parentId":"a3","message":{"role":"bashExecution","command":"make","output":"no rule","exitCode":2,"timestamp":5}},
{"type":"compaction","id":"a5","parentId":"a4","summary":"It failed.","firstKeptEntryId":"a2"}`

// The log of a session that goes on with one of Pi's begins with what was said there, before Pi is ready for a prompt.
func TestPastIsSaid(t *testing.T) {
	const state = `{"type":"response","command":"get_state","success":true,"data":{"sessionId":"n-1","model":{"id":"m","provider":"p"}}}`
	const said = "user a1: Why does\nit fail?|thinking a2: hm|assistant a2: I look.|tool a2: ls: notes.txt|tool a4: make: no rule exit 2|compaction a5: It failed.|" +
		"tool a2: sleep 9: left behind|ready n-1"
	for name, c := range map[string]struct {
		version string
		answers []string // to what is asked
		want    string
	}{
		"entries": {"1.5.2", []string{fmt.Sprintf(`{"type":"response","command":"get_entries","success":true,"data":{"entries":[%s],"leafId":"a5"}}`, earlier), state}, said},
		"messages, of a Pi without entries": {
			"0.73.1",
			[]string{
				`{"type":"response","command":"get_entries","success":false,"error":"Unknown command: get_entries"}`,
				`{"type":"response","command":"get_messages","success":true,"data":{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"You"}]}}`, state,
			},
			"user : Hello|assistant : You|ready n-1",
		},
		"nothing that can be read": {"1.5.2", []string{`{"type":"response","command":"get_entries","success":false,"error":"broken"}`, state}, "ready n-1"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTranslator(adapters.Spec{SessionID: "s", NativeSessionID: "n-1", Resume: true, Recall: true, Cwd: "/work", Version: c.version})
			var out adapters.Output
			tr.Start(&out)
			var got []string
			ids := map[adapters.EntryKey]string{}
			for _, a := range c.answers {
				lines := out.Lines
				if len(lines) != 1 {
					t.Fatalf("before %s: %d questions", a, len(lines))
				}
				var id string
				if _, err := fmt.Sscanf(string(lines[0]), `{"id":%q`, &id); err != nil {
					t.Fatalf("%s: %v", lines[0], err)
				}
				out = adapters.Output{}
				a = strings.ReplaceAll(a, "\n", "")
				if !strings.Contains(a, "Unknown command") { // which has no id
					a = strings.Replace(a, "{", fmt.Sprintf(`{"id":%q,`, id), 1)
				}
				tr.Line([]byte(a), &out)
				got = append(got, toldOf(out.Drafts, ids)...)
			}
			if text := strings.Join(got, "|"); text != c.want {
				t.Errorf("got\n%s\nwant\n%s", text, c.want)
			}
		})
	}
}

func toldOf(drafts []adapters.Draft, ids map[adapters.EntryKey]string) (got []string) {
	for _, d := range drafts {
		switch d := d.(type) {
		case adapters.Ready:
			got = append(got, "ready "+d.NativeSessionID)
		case adapters.TurnBegan:
			got = append(got, "turn")
		case adapters.EntryOpened:
			ids[d.Key] = d.PersistentID
		case adapters.EntryClosed:
			switch data := d.Data.(type) {
			case *protocol.MessageData:
				got = append(got, data.Role+" "+ids[d.Key]+": "+data.Text)
			case *protocol.ThinkingData:
				got = append(got, "thinking "+ids[d.Key]+": "+data.Text)
			case *protocol.CompactionData:
				got = append(got, "compaction "+ids[d.Key]+": "+data.Summary)
			case *protocol.ToolCallData:
				line := "tool " + ids[d.Key] + ": " + data.Command + ": " + data.Output
				if data.ExitCode != nil {
					line += fmt.Sprintf(" exit %d", *data.ExitCode)
				}
				got = append(got, line+d.Reason)
			}
		}
	}
	return got
}

// TestNamedSessionIsNotMade: a session that was named to go on with is looked for, and not made where it is not there.
func TestNamedSessionIsNotMade(t *testing.T) {
	for recall, want := range map[bool]string{true: "--mode rpc --session n-1", false: "--mode rpc --session-id n-1"} {
		l := Agent{}.Launch(adapters.Spec{SessionID: "s", NativeSessionID: "n-1", Resume: true, Recall: recall, Version: "1.5.2"})
		if got := strings.Join(l.Args, " "); got != want {
			t.Errorf("recall %v: %s", recall, got)
		}
	}
}
