package codex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func message(id, text string) string {
	return fmt.Sprintf(`{"type":"agentMessage","id":%q,"text":%q}`, id, text)
}

func pastTurn(id, status string, items ...string) string {
	return fmt.Sprintf(`{"id":%q,"status":%q,"items":[%s]}`, id, status, strings.Join(items, ","))
}

// resumed is the answer to thread/resume, with turns from the newest to the oldest.
func resumed(status, next string, turns ...string) string {
	cursor := "null"
	if next != "" {
		cursor = `"` + next + `"`
	}
	return fmt.Sprintf(`{"thread":{"id":"A","status":{"type":%q,"activeFlags":[]},"turns":[]},"model":"m","initialTurnsPage":{"data":[%s],"nextCursor":%s}}`,
		status, strings.Join(turns, ","), cursor)
}

func resume(t *testing.T, known ...string) (*wire, adapters.Lane) {
	t.Helper()
	c := ready(t)
	return c, c.join(adapters.Spec{Resume: true, NativeSessionID: "A", Known: known})
}

func TestResume(t *testing.T) {
	c, a := resume(t, "u", "m1")
	same(t, c.heard(), `{"id":"rm1:st1","method":"thread/resume","params":{"threadId":"A","excludeTurns":true,"initialTurnsPage":{"limit":20,"itemsView":"full","sortDirection":"desc"}}}`)
	c.agent(`{"id":"rm1:st1","result":` + resumed("idle", "", pastTurn("1", "completed", message("u", "x"), message("m1", "y"))) + `}`)
	same(t, c.all(a), `ready: session "A" version "" model "m" mode ""`)
	// What it used before is repeated; what comes in a turn is not.
	c.agent(tokens("A", "1", 100, 100), `{"method":"thread/goal/cleared","params":{"threadId":"A"}}`, started("A", "2"), tokens("A", "2", 150, 50))
	same(t, c.all(a), "turn began\n"+`used: "usage":{"inputTokens":50,"cachedInputTokens":0,"outputTokens":0,"totalTokens":50},"sessionTotal":{"inputTokens":150,"cachedInputTokens":0,"outputTokens":0,"totalTokens":150},"model":"m"}`)
}

func tokens(thread, turn string, total, last int) string {
	return fmt.Sprintf(`{"method":"thread/tokenUsage/updated","params":{"threadId":%q,"turnId":%q,"tokenUsage":{"total":{"totalTokens":%d,"inputTokens":%d},"last":{"totalTokens":%d,"inputTokens":%d}}}}`,
		thread, turn, total, total, last, last)
}

// TestMissed: what happened while nobody listened is added, in order and marked, and nothing of the rest again.
func TestMissed(t *testing.T) {
	c, a := resume(t, "m1", "m2")
	c.answer("thread/resume", resumed("idle", "older",
		pastTurn("3", "completed", message("m4", "four")),
		pastTurn("2", "completed", message("m2", "two"), message("m3", "three")),
		pastTurn("1", "completed", message("m0", "zero, from before the log"), message("m1", "one"))))
	same(t, c.all(a), `entry 1 opened: assistant_message id m3 {"role":"assistant","text":"three","recovered":true}
entry 1 closed: {"role":"assistant","text":"three","recovered":true}
entry 2 opened: assistant_message id m4 {"role":"assistant","text":"four","recovered":true}
entry 2 closed: {"role":"assistant","text":"four","recovered":true}
notice: info caught_up "Entries that were missed while nobody listened: 2."
ready: session "A" version "" model "m" mode ""`)
}

// TestMissedPages: further turns are fetched until one meets the log; lines of the thread wait until then.
func TestMissedPages(t *testing.T) {
	c, a := resume(t, "m1")
	c.agent(delta("A", "9", "m9", "early")) // before the answer
	c.answer("thread/resume", resumed("active", "p2", pastTurn("9", "inProgress"), pastTurn("3", "completed", message("m3", "three"))))
	c.agent(item("completed", "A", "9", `"type":"agentMessage","id":"m9","text":"early bird"`))
	same(t, c.all(a), "")
	same(t, c.heard(), `{"id":"rm1:st2","method":"thread/turns/list","params":{"threadId":"A","cursor":"p2","limit":20,"itemsView":"full","sortDirection":"desc"}}`)
	c.agent(`{"id":"rm1:st2","result":{"data":[` + pastTurn("2", "completed", message("m1", "one"), message("m2", "two")) + `],"nextCursor":"p3"}}`)
	same(t, c.all(a), `entry 1 opened: assistant_message id m2 {"role":"assistant","text":"two","recovered":true}
entry 1 closed: {"role":"assistant","text":"two","recovered":true}
entry 2 opened: assistant_message id m3 {"role":"assistant","text":"three","recovered":true}
entry 2 closed: {"role":"assistant","text":"three","recovered":true}
turn began
notice: info caught_up "Entries that were missed while nobody listened: 2."
ready: session "A" version "" model "m" mode ""
entry 3 opened: assistant_message id m9 {"role":"assistant","text":"","gap":true}
entry 3 changed: {"op":"text_append","text":"early"}
entry 3 closed: {"role":"assistant","text":"early bird"}`)
}

// TestRejoin: in a turn that runs, what is finished is not said again, what is open goes on with a gap, and approvals are asked
// again.
func TestRejoin(t *testing.T) {
	c, a := resume(t, "u", "x", "y")
	c.answer("thread/resume", resumed("active", "", pastTurn("1", "inProgress",
		`{"type":"userMessage","id":"u","content":[]}`,
		`{"type":"commandExecution","id":"x","command":"a","status":"completed"}`,
		`{"type":"commandExecution","id":"y","command":"b","status":"inProgress"}`,
		`{"type":"commandExecution","id":"z","command":"c","status":"inProgress"}`)))
	c.agent(`{"method":"item/commandExecution/requestApproval","id":4,"params":{"threadId":"A","turnId":"1","itemId":"z","command":"c"}}`,
		item("completed", "A", "1", `"type":"commandExecution","id":"x","command":"a","status":"completed"`),
		`{"method":"item/commandExecution/outputDelta","params":{"threadId":"A","turnId":"1","itemId":"y","delta":"late"}}`,
		completed("A", "1", "completed"))
	got := c.all(a)
	want := []string{
		"turn began", `entry 1 opened: tool_call id z {"toolName":"shell","callId":"z","command":"c","status":"running","gap":true}`, "ready:",
		"request 1 opened: entry 1", `entry 2 opened: tool_call id y {"toolName":"shell","callId":"y","status":"running","gap":true}`,
		`entry 2 changed: {"op":"text_append","text":"late"}`, "turn ended: completed",
	}
	lines := strings.Split(got, "\n")
	if len(lines) != len(want) {
		t.Fatalf("got %s", got)
	}
	for i, l := range lines {
		if !strings.HasPrefix(l, want[i]) {
			t.Errorf("got %s\nwant %s", l, want[i])
		}
	}
}

// TestResumedTwice: a second resume on one connection, as somebody else may send it in a recording, tells nothing again.
func TestResumedTwice(t *testing.T) {
	c := newWire(t)
	for id, method := range []string{"thread/start", "thread/resume"} {
		c.do(func(out *adapters.Split) {
			c.s.Sent(fmt.Appendf(nil, `{"id":%d,"method":%q,"params":{"threadId":"A"}}`, id, method), out)
		})
		c.agent(fmt.Sprintf(`{"id":%d,"result":%s}`, id, resumed("active", "", pastTurn("1", "inProgress", message("m", "x")))))
		if id == 0 {
			c.agent(started("A", "1"), item("completed", "A", "1", `"type":"agentMessage","id":"m","text":"x"`))
		}
	}
	c.agent(tokens("A", "1", 10, 10), completed("A", "1", "completed"))
	same(t, c.all(1), `ready: session "A" version "" model "m" mode ""
turn began
entry 1 opened: assistant_message id m {"role":"assistant","text":"x"}
entry 1 closed: {"role":"assistant","text":"x"}
turn ended: completed`)
}

// TestResumeOfNothing: a thread that never had a turn is begun anew; one with a past says that it is lost.
func TestResumeOfNothing(t *testing.T) {
	for _, known := range [][]string{nil, {"m1"}} {
		c, a := resume(t, known...)
		c.refuse("thread/resume", "no rollout found for thread id A")
		c.answer("thread/start", `{"thread":{"id":"B"}}`)
		c.agent(started("B", "1"))
		got := c.all(a)
		if !strings.Contains(got, "ready: session \"B\"") || !strings.HasSuffix(got, "turn began") || strings.Contains(got, "resume_failed") != (known != nil) {
			t.Errorf("got %s", got)
		}
	}
	c, a := resume(t)
	c.refuse("thread/resume", "the disk is on fire")
	same(t, c.all(a), `notice: error resume_failed "the disk is on fire"`)
}

// TestHistoryWithoutEnd: pages are not asked for without end, and lines do not wait without end.
func TestHistoryWithoutEnd(t *testing.T) {
	t.Run("pages", func(t *testing.T) {
		c, a := resume(t, "never")
		c.answer("thread/resume", resumed("idle", "p", pastTurn("t", "completed", message("m", "x"))))
		for i := range 49 {
			c.answer("thread/turns/list", `{"data":[`+pastTurn(fmt.Sprint(i), "completed", message(fmt.Sprint("m", i), "x"))+`],"nextCursor":"p"}`)
		}
		if got := c.all(a); !strings.Contains(got, "history_gap") || !strings.Contains(got, "ready:") || strings.Count(got, "recovered") != 100 {
			t.Errorf("got %.2000s", got)
		}
	})
	t.Run("lines", func(t *testing.T) {
		c, a := resume(t)
		for range 5000 {
			c.agent(delta("A", "1", "m", "x"))
		}
		if got := c.all(a); !strings.Contains(got, "history_gap") || !strings.Contains(got, "ready:") || strings.Count(got, "text_append") != 5000 {
			t.Errorf("got %.500s", got)
		}
	})
	t.Run("a page that fails", func(t *testing.T) {
		c, a := resume(t, "never")
		c.answer("thread/resume", resumed("idle", "p", pastTurn("t", "completed", message("m", "x"))))
		c.refuse("thread/turns/list", "no")
		if got := c.all(a); !strings.Contains(got, "history_gap") || !strings.Contains(got, "ready:") {
			t.Errorf("got %s", got)
		}
	})
}

// TestUsage: only requests that were made are usage.
// Proves: 002.4.7/usage, 002.7.3/usage
func TestUsage(t *testing.T) {
	of := func(totalIn, totalOut, lastIn, lastOut int) string {
		return fmt.Sprintf(`{"method":"thread/tokenUsage/updated","params":{"threadId":"A","turnId":"1","tokenUsage":{"total":{"totalTokens":%d,"inputTokens":%d,"outputTokens":%d},`+
			`"last":{"totalTokens":%d,"inputTokens":%d,"outputTokens":%d}}}}`, totalIn+totalOut, totalIn, totalOut, lastIn+lastOut, lastIn, lastOut)
	}
	const window = `{"method":"thread/tokenUsage/updated","params":{"threadId":"A","turnId":"1","tokenUsage":{"total":{"totalTokens":9999},"last":{"totalTokens":9999}}}}`
	for _, x := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"two requests", []string{of(10, 1, 10, 1), of(30, 3, 20, 2)}, "10+1 20+2"},
		{"repeated", []string{of(10, 1, 10, 1), of(10, 1, 10, 1)}, "10+1"},
		{"an estimate", []string{of(10, 1, 10, 1), of(10, 1, 0, 0)}, "10+1"},
		{"cut off: only the total tells", []string{of(10, 1, 10, 1), of(25, 4, 0, 0)}, "10+1 15+3"},
		{"the window", []string{window, of(10, 1, 10, 1)}, "10+1"},
		{"the window, later", []string{of(10, 1, 10, 1), window, of(5, 1, 5, 1)}, "10+1 5+1"},
		{"fallen", []string{of(50, 5, 50, 5), `{"method":"thread/reverted","params":{"threadId":"A"}}`, started("A", "2"), of(20, 2, 10, 1)}, "50+5 10+1"},
		{"repeated after a revert", []string{of(50, 5, 50, 5), `{"method":"thread/reverted","params":{"threadId":"A"}}`, of(10, 1, 10, 1), started("A", "2"), of(20, 2, 10, 1)}, "50+5 10+1"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, a := inTurn(t)
			c.agent(x.lines...)
			var got []string
			for _, d := range c.lanes[a].said {
				if u, ok := d.(adapters.Used); ok {
					got = append(got, fmt.Sprintf("%d+%d", u.Usage.Usage.InputTokens, u.Usage.Usage.OutputTokens))
				}
			}
			same(t, strings.Join(got, " "), x.want)
		})
	}
}

// TestLegacyRollout: a thread in the history mode "legacy", whose file does not tell finished items.
func TestLegacyRollout(t *testing.T) {
	lines := []string{
		`{"timestamp":"t","type":"session_meta","payload":{"id":"A","cli_version":"0.40.0","cwd":"/w","history_mode":"legacy"}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"list"}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"agent_reasoning","text":"hm"}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c1"}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"a\\nb\\n\",\"metadata\":{\"exit_code\":0}}"}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"agent_message","message":"two files"}}`,
		`{"timestamp":"t","type":"compacted","payload":{"message":"so far"}}`,
	}
	c := newWire(t)
	c.agent(lines...)
	same(t, c.all(1), `ready: session "A" version "0.40.0" model "" mode ""
turn began
entry 1 opened: user_message {"role":"user","text":"list"}
entry 1 closed: {"role":"user","text":"list"}
entry 2 opened: thinking {"text":"","summary":["hm"]}
entry 2 closed: {"text":"","summary":["hm"]}
entry 3 opened: tool_call id c1 {"toolName":"shell","callId":"c1","arguments":"{\"command\":[\"ls\"]}","status":"running"}
entry 3 closed: {"toolName":"shell","callId":"c1","arguments":"{\"command\":[\"ls\"]}","status":"completed","output":"a\nb\n"}
entry 4 opened: assistant_message {"role":"assistant","text":"two files"}
entry 4 closed: {"role":"assistant","text":"two files"}
entry 5 opened: compaction {"summary":"so far"}
entry 5 closed: {"summary":"so far"}`)
}

// TestLegacyRolloutOf0169: what 0.169 writes where a client has asked for a thread in that mode (thread/start with historyMode "legacy"), shortened.
func TestLegacyRolloutOf0169(t *testing.T) {
	c := newWire(t)
	c.agent(
		`{"timestamp":"t","type":"session_meta","payload":{"id":"A","cli_version":"0.169.0","cwd":"/w","history_mode":"legacy"}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"task_started","turn_id":"1","root_turn_id":"1"}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"message","id":"m1","role":"user","content":[{"type":"input_text","text":"Go on."}]}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"Go on.","images":[],"text_elements":[]}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"agent_reasoning","text":"**Counting slowly**"}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"function_call","status":"completed","id":"f1","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","id":"o1","call_id":"c1","output":"Process exited with code 0\nOutput:\na\n"}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"agent_message","message":"One file.","phase":null}}`,
		`{"timestamp":"t","type":"response_item","payload":{"type":"message","status":"completed","id":"m2","role":"assistant","content":[{"type":"output_text","text":"One file."}]}}`,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"task_complete","turn_id":"1","last_agent_message":"One file."}}`,
	)
	same(t, c.all(1), `ready: session "A" version "0.169.0" model "" mode ""
turn began
entry 1 opened: user_message {"role":"user","text":"Go on."}
entry 1 closed: {"role":"user","text":"Go on."}
entry 2 opened: thinking {"text":"","summary":["**Counting slowly**"]}
entry 2 closed: {"text":"","summary":["**Counting slowly**"]}
entry 3 opened: tool_call id c1 {"toolName":"exec_command","callId":"c1","arguments":"{\"cmd\":\"ls\"}","status":"running"}
entry 3 closed: {"toolName":"exec_command","callId":"c1","arguments":"{\"cmd\":\"ls\"}","status":"completed","output":"Process exited with code 0\nOutput:\na\n"}
entry 4 opened: assistant_message {"role":"assistant","text":"One file."}
entry 4 closed: {"role":"assistant","text":"One file."}
turn ended: completed`)
}

// TestExec: what a failed run of `codex exec --json` says.
func TestExec(t *testing.T) {
	c := newWire(t)
	c.agent(`{"type":"thread.started","thread_id":"A"}`, `{"type":"turn.started"}`,
		`{"type":"item.started","item":{"id":"i0","type":"todo_list","items":[{"text":"one","completed":false}]}}`,
		`{"type":"item.updated","item":{"id":"i0","type":"todo_list","items":[{"text":"one","completed":true}]}}`,
		`{"type":"item.completed","item":{"id":"i1","type":"moon_phase"}}`,
		`{"type":"error","message":"Reconnecting"}`, `{"type":"turn.failed","error":{"message":"no network"}}`)
	same(t, c.all(1), `ready: session "A" version "" model "" mode ""
turn began
entry 1 opened: plan {"text":"[ ] one\n","steps":[{"text":"one","status":"pending"}]}
entry 1 changed: {"op":"text_set","text":"[x] one\n"}
native: item.completed.moon_phase {"type":"item.completed","item":{"id":"i1","type":"moon_phase"}}
notice: warning error "Reconnecting"
entry 1 closed: {"text":"[x] one\n","steps":[{"text":"one","status":"completed"}]}
turn ended: error no network`)
}
