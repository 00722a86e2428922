package claude

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The log of a session that goes on with one of Claude Code's begins with what was said there.
func TestPastIsSaid(t *testing.T) {
	env := keep(t, "-work", map[string]string{"3ca2d9c7.jsonl": transcript})
	spec := adapters.Spec{SessionID: "s", NativeSessionID: "3ca2d9c7", Resume: true, Recall: true, Cwd: "/work", Env: env}
	var err error
	if spec.Past, err = (Agent{}).Past(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	var out adapters.Output
	newTranslator(spec).Start(&out)
	var got []string
	for _, d := range out.Drafts {
		c, ok := d.(adapters.EntryClosed)
		if !ok {
			continue
		}
		switch data := c.Data.(type) {
		case *protocol.MessageData:
			got = append(got, data.Role+": "+data.Text)
		case *protocol.ThinkingData:
			got = append(got, "thinking: "+data.Text)
		case *protocol.ToolCallData:
			line := "tool: " + data.Command + ": " + data.Output
			if c.Incomplete {
				line += c.Reason
			}
			got = append(got, line)
		default:
			got = append(got, "unknown")
		}
	}
	want := "user: Why does\nit fail?|thinking: hm|assistant: I look.|tool: ls: notes.txt|tool: sleep 9: left behind"
	if strings.Join(got, "|") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "|"), want)
	}
	spec.Cwd = "/elsewhere"
	if lines, err := (Agent{}).Past(t.Context(), spec); len(lines) > 0 || err != nil {
		t.Errorf("of another folder: %d lines, %v", len(lines), err)
	}
	spec.Cwd, spec.NativeSessionID = "/work", "../-work/3ca2d9c7"
	if lines, err := (Agent{}).Past(t.Context(), spec); len(lines) > 0 || err != nil {
		t.Errorf("by a path: %d lines, %v", len(lines), err)
	}
}

// Calls that were left behind end in the order in which they were made.
func TestPastLeavesCallsBehindInOrder(t *testing.T) {
	spec := adapters.Spec{Resume: true}
	for _, id := range strings.Split("abcdefgh", "") {
		spec.Past = append(spec.Past, []byte(`{"type":"assistant","uuid":"`+id+`","message":{"content":[{"type":"tool_use","id":"`+id+`","name":"Bash","input":{}}]}}`))
	}
	var out adapters.Output
	newTranslator(spec).Start(&out)
	var last adapters.EntryKey
	for _, d := range out.Drafts {
		if c, ok := d.(adapters.EntryClosed); ok {
			if c.Key != last+1 {
				t.Errorf("entry %d ends behind entry %d", c.Key, last)
			}
			last = c.Key
		}
	}
	if last != 8 {
		t.Errorf("%d calls ended", last)
	}
}
