package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
)

// wires is a splitter whose parts are noted as text: "2: word" for a line that has the word, "2 born of 1 (id)", "2 over".
type wires struct {
	t *testing.T
	s adapters.Splitter
}

func newWires(t *testing.T) *wires {
	w := &wires{t, claude.Agent{}.Splitter(adapters.Spec{})}
	var out adapters.Split
	w.s.Start(&out)
	if lane := w.s.Join(adapters.Spec{}, &out); lane != 1 || len(out.Lines)+len(out.Parts) > 0 {
		t.Fatalf("joined on %d: %+v", lane, out)
	}
	return w
}

func (w *wires) line(line, want string) {
	w.t.Helper()
	w.do(line, want, func(out *adapters.Split) { w.s.Line([]byte(line), out) })
}

func (w *wires) do(what, want string, call func(out *adapters.Split)) {
	w.t.Helper()
	var out adapters.Split
	call(&out)
	var got []string
	for _, p := range out.Parts {
		switch {
		case p.Born != nil:
			got = append(got, fmt.Sprintf("%d born of %d (%s)", p.Lane, p.Born.Parent, p.Born.NativeID))
		case p.Over:
			got = append(got, fmt.Sprintf("%d over", p.Lane))
		case p.Sent:
			got = append(got, fmt.Sprintf("%d sent", p.Lane))
		default:
			if string(p.Line) != what {
				w.t.Errorf("lane %d got %s", p.Lane, p.Line)
			}
			got = append(got, fmt.Sprint(p.Lane))
		}
	}
	for _, l := range out.Lines {
		got = append(got, "> "+string(l))
	}
	if all := strings.Join(got, ", "); all != want {
		w.t.Errorf("%s:\ngot  %s\nwant %s", what, all, want)
	}
}

func asks(id, tool, agent string) string {
	return `{"type":"control_request","request_id":"` + id + `","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"` + tool + `","agent_id":"` + agent + `"}}`
}

func calls(tool, parent string) string {
	return `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"` + tool + `","name":"Task","input":{"parent_tool_use_id":"x"}}]},"parent_tool_use_id":` + parent + `}`
}

func returns(tool, parent, more string) string {
	return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + tool + `","content":"ok"}]},"parent_tool_use_id":` + parent + more + `}`
}

func speaks(parent, agent string) string {
	return `{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"{\"parent_tool_use_id\":\"y\"}"}]},"parent_tool_use_id":"` + parent + `","agent_id":"` + agent + `"}`
}

func TestSubAgentLanes(t *testing.T) {
	w := newWires(t)
	w.line(`not JSON`, "1")
	w.line(`{"type":"system","subtype":"init"}`, "1")
	w.line(calls("t1", "null"), "1")
	w.line(calls("t2", "null"), "1")
	// Its first line is for the parent, too.
	w.line(`{"type":"system","subtype":"task_started","task_id":"a1","tool_use_id":"t1","task_type":"local_agent","is_backgrounded":false}`, "1, 2 born of 1 (t1), 2")
	w.line(speaks("t2", "a2"), "1, 3 born of 1 (t2), 3")
	w.line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":"t2"}`, "3")
	w.line(`{"type":"stream_event","event":{"a":{"parent_tool_use_id":null,"b":1}},"session_id":"s","parent_tool_use_id":"t2","uuid":"u"}`, "3")
	w.line(`{"type":"stream_event","event":{"a":{"parent_tool_use_id":null,"b":1}},"parent_tool_use_id":"t2"}`, "3")
	w.line(`{"type":"stream_event","event":{"text":"\"parent_tool_use_id\":\"t2\","},"parent_tool_use_id":null,"uuid":"u"}`, "1")
	// A sub-agent of a sub-agent.
	w.line(calls("t3", `"t1"`), "2")
	w.line(speaks("t3", "a3"), "2, 4 born of 2 (t3), 4")
	w.line(calls("t4", `"t3"`), "4")
	// Requests go to whoever called the tool, else to the sub-agent that they name, else to the session.
	w.line(asks("r1", "t4", "a3"), "4")
	w.line(asks("r2", "lost", "a2"), "3")
	w.line(asks("r3", "lost", "nobody"), "1")
	w.line(`{"type":"control_cancel_request","request_id":"r1"}`, "4")
	w.line(`{"type":"control_cancel_request","request_id":"r1"}`, "1")
	answer := `{"type":"control_response","response":{"subtype":"success","request_id":"r2","response":{}}}`
	w.do(answer, "3 sent", func(out *adapters.Split) { w.s.Sent([]byte(answer), out) })
	w.do(answer, "1 sent", func(out *adapters.Split) { w.s.Sent([]byte(answer), out) })
	// The answers to control requests go to who sent them.
	w.do("stop", `> {"type":"control_request","request_id":"rm-t2-1","request":{}}`, func(out *adapters.Split) {
		w.s.Say(3, []byte(`{"type":"control_request","request_id":"rm-t2-1","request":{}}`), out)
	})
	w.line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-t2-1"}}`, "3")
	w.line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-t2-1"}}`, "1")
	// The news of its end comes before what a stopped one says last.
	w.line(`{"type":"system","subtype":"task_notification","task_id":"a1","tool_use_id":"t1","status":"stopped"}`, "1, 2")
	w.line(returns("t1", "null", ""), "1, 2, 4 over, 2 over")
	w.line(returns("lost", `"t1"`, ""), "")
	w.line(`{"type":"result"}`, "1, 3, 3 over")
	w.line(`{"type":"result"}`, "1")
}

func TestBackgroundSubAgent(t *testing.T) {
	w := newWires(t)
	w.line(calls("t1", "null"), "1")
	w.line(speaks("t1", "a1"), "1, 2 born of 1 (t1), 2")
	w.line(returns("t1", "null", `,"tool_use_result":{"status":"async_launched","isAsync":true}`), "1, 2")
	w.line(`{"type":"result"}`, "1")
	w.line(speaks("t1", "a1"), "2")
	w.line(`{"type":"system","subtype":"task_notification","task_id":"a1","tool_use_id":"t1","status":"completed"}`, "1, 2, 2 over")
	w.line(`{"type":"system","subtype":"task_notification","task_id":"a1","tool_use_id":"t1","status":"completed"}`, "1")
	// Woken up again, it goes on on another lane.
	w.line(speaks("t1", "a1"), "1, 3 born of 1 (t1), 3")
	w.line(asks("r1", "lost", "a1"), "3")
	w.line(`{"type":"result"}`, "1")
	w.line(`{"type":"system","subtype":"task_notification","task_id":"a1","tool_use_id":"t1","status":"completed"}`, "1, 3, 3 over")
	// The call that wakes it names it in the news; it is itself all the same.
	w.line(`{"type":"system","subtype":"task_started","task_id":"a1","tool_use_id":"t9","task_type":"local_agent","is_backgrounded":true}`, "1, 4 born of 1 (t1), 4")
	w.line(returns("t9", "null", ""), "1")
	w.line(speaks("t1", "a1"), "4")
	w.line(`{"type":"system","subtype":"task_notification","task_id":"a1","tool_use_id":"t9","status":"completed"}`, "1, 4, 4 over")
	// One that is moved to the background while its call waits.
	w.line(speaks("t2", "a2"), "1, 5 born of 1 (t2), 5")
	w.line(`{"type":"system","subtype":"task_updated","task_id":"a2","patch":{"is_backgrounded":true}}`, "1")
	w.line(`{"type":"result"}`, "1")
	w.line(speaks("t2", "a2"), "5")
}

func TestLeave(t *testing.T) {
	w := newWires(t)
	w.line(speaks("t1", "a1"), "1, 2 born of 1 (t1), 2")
	w.line(calls("t2", `"t1"`), "2")
	w.line(speaks("t2", "a2"), "2, 3 born of 2 (t2), 3")
	w.do("leave", `> {"type":"control_request","request_id":"rm-leave-1","request":{"subtype":"stop_task","task_id":"a2"}}, `+
		`> {"type":"control_request","request_id":"rm-leave-2","request":{"subtype":"stop_task","task_id":"a1"}}`,
		func(out *adapters.Split) { w.s.Leave(2, out) })
	w.do("leave", "", func(out *adapters.Split) { w.s.Leave(2, out) })
	w.line(speaks("t1", "a1"), "")
	w.line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-leave-1"}}`, "")
	w.line(asks("r1", "t2", "a1"), "1") // what nobody else answers
	w.line(returns("t1", "null", ""), "1")
	w.do("leave", "", func(out *adapters.Split) { w.s.Leave(1, out) })
	w.line(`{"type":"result"}`, "")
}
