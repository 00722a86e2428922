package recordings

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// expectation is a row of the table in the recordings' README: what a correct log of that recording has to show.
type expectation struct {
	name   string
	says   string // outline of the logs
	states string // of the last log, see states
	also   check  // nil: nothing more
}

type check func(t *testing.T, logs []*log)

var expectations = []expectation{
	{
		name: "text_short", says: "(user assistant)=completed",
		states: "queued responding idle", also: deltas(1),
	},
	{
		name: "text_long_stream", says: "(user assistant)=completed",
		states: "queued responding idle", also: deltas(200),
	},
	{
		name: "reasoning_text", says: "(user thinking assistant)=completed",
		states: "queued responding idle", also: reasoning(30),
	},
	{
		name: "reasoning_responses", says: "(user thinking assistant)=completed",
		states: "queued responding idle", also: reasoning(40),
	},
	{
		name: "reasoning_anthropic", says: "(user thinking assistant)=completed",
		states: "queued responding idle", also: reasoning(0),
	},
	{
		name: "tool_bash", says: "(user assistant bash:completed assistant)=completed",
		states: "queued responding running_tool responding idle", also: usages(2),
	},
	{
		name: "tool_edit", says: "(user read:completed edit:completed write:completed assistant)=completed",
		states: "queued responding running_tool responding running_tool responding running_tool responding idle", also: diff(2),
	},
	{
		name: "tool_parallel", says: "(user bash:completed read:completed bash:completed assistant)=completed",
		states: "queued responding running_tool running_tool running_tool running_tool running_tool responding idle", also: overlap(),
	},
	{
		name: "tool_error", says: "(user read:error bash:error assistant)=completed",
		states: "queued responding running_tool responding running_tool responding idle",
	},
	{
		name: "approval_allow", says: "(user assistant ?approval !allowed bash:completed assistant)=completed",
		states: "queued responding running_tool awaiting_approval running_tool responding idle", also: tool(1, "pending running awaiting_approval running completed"),
	},
	{
		name: "approval_deny", says: "(user ?approval !denied write:error assistant)=completed",
		states: "queued responding running_tool awaiting_approval responding idle", also: tool(1, "pending running awaiting_approval error"),
	},
	{
		name: "approval_abort", says: "(user ?approval !allowed bash:error)=interrupted (user assistant)=completed",
		states: "queued responding running_tool awaiting_approval running_tool responding idle queued responding idle", also: tool(1, "pending running awaiting_approval running error"),
	},
	{
		name: "question", says: "(user ?question !answered system:notify ask_user:completed assistant)=completed",
		states: "queued responding running_tool awaiting_input running_tool responding idle", also: tool(1, "pending running completed"),
	},
	{
		name: "abort_text", says: "(user assistant)=interrupted (user assistant)=completed",
		states: "queued responding idle queued responding idle",
	},
	{
		name: "abort_tool", says: "(user bash:error)=interrupted",
		states: "queued responding running_tool responding idle", also: output(1, "tick 3\n"),
	},
	{
		name: "provider_500_retry", says: "(user system:retry system:retry assistant)=completed",
		states: "queued retrying responding retrying responding idle",
	},
	{
		name: "provider_429_retry_after", says: "(user system:retry assistant)=completed",
		states: "queued retrying responding idle",
	},
	{
		name: "provider_500_final", says: "(user system:retry system:retry system:retry)=error",
		states: "queued retrying responding retrying responding retrying responding idle", also: fails(1, "still broken"),
	},
	{
		name: "provider_400", says: "(user)=error",
		states: "queued idle", also: fails(1, "frobnicate"),
	},
	{
		name: "retry_abort", says: "(user system:retry)=interrupted (user system:retry)=error",
		states: "queued retrying idle queued retrying idle",
	},
	{
		name: "malformed_tool_args", says: "(user bash:error teleport:error read:error assistant)=completed",
		states: "queued responding running_tool responding running_tool responding running_tool responding idle", also: arguments(1),
	},
	{
		name: "malformed_stream", says: "(user assistant~error)=error",
		states: "queued responding idle", also: fails(1, "malformed"),
	},
	{
		name: "provider_disconnect", says: "(user assistant~retry system:retry assistant)=completed",
		states: "queued responding retrying responding idle", also: retried("assistant_message"),
	},
	{
		name: "provider_truncated", says: "(user assistant system:retracted system:retry assistant)=completed",
		states: "queued responding retrying responding idle",
	},
	{
		name: "entry_ids", says: "(user assistant bash:completed bash:completed assistant)=completed",
		states: "queued responding running_tool responding idle",
	},
	{
		name: "steer", says: "(user +steer bash:completed -dispatched user assistant)=completed",
		states: "queued responding running_tool running_tool+1 responding+1 responding idle",
	},
	{
		name: "follow_up", says: "(user +followUp +followUp assistant -dispatched user assistant -dispatched user assistant)=completed",
		states: "queued responding responding+1 responding+2 responding+1 responding idle",
	},
	{
		name: "busy_prompt", says: "(user system:prompt_refused +steer +followUp -cancelled -cancelled +followUp assistant -dispatched user assistant)=completed",
		states: "queued responding responding+1 responding+2 responding responding+1 responding idle",
	},
	{
		name: "steer_then_abort", says: "(user +steer +followUp assistant)=interrupted (user -dispatched user assistant -dispatched user assistant)=completed",
		states: "queued responding responding+1 responding+2 idle+2 queued+2 queued+1 responding+1 responding idle",
	},
	{
		name: "compaction_manual", says: "(user assistant)=completed (user assistant)=completed (user assistant)=completed compaction (user assistant)=completed",
		states: "queued responding idle queued responding idle queued responding idle compacting idle queued responding idle",
	},
	{
		name: "compaction_auto", says: "(user assistant)=completed (user bash:completed compaction assistant)=completed",
		states: "queued responding idle queued responding running_tool responding compacting responding idle",
	},
	{
		name: "compaction_overflow", says: "(user assistant)=completed (user compaction assistant)=completed",
		states: "queued responding idle queued compacting responding idle", also: once(2, protocol.EntryAssistantMessage),
	},
	{
		name: "compaction_nothing", says: "system:compaction_failed (user assistant)=completed system:compaction_failed",
		states: "queued responding idle compacting idle",
	},
	{
		name: "resume_restart", says: "(user assistant)=completed (user assistant)=completed",
		states: "queued responding idle starting idle queued responding idle", also: incarnations(2),
	},
	{
		name: "model_switch", says: "(user assistant)=completed (user assistant)=completed system:command_failed (user assistant)=completed",
		states: "queued responding idle queued responding idle queued responding idle", also: meta("fake/fake-1 fake/fake-2 fake/fake-1", "medium off medium high"),
	},
	{
		name: "sigkill_mid_text", says: "(user assistant~agent_exited:_signal_killed)=error (user assistant)=completed",
		states: "queued responding idle starting idle queued responding idle", also: fails(1, "signal killed"),
	},
	{
		name: "sigkill_mid_tool", says: "(user assistant)=completed (user assistant bash:error~agent_exited:_signal_killed)=error (user assistant)=completed",
		states: "queued responding idle queued responding running_tool idle starting idle queued responding idle", also: fails(2, "signal killed"),
	},
	{
		name: "stdin_eof_mid_text", says: "(user assistant~agent_stopped)=interrupted",
		states: "queued responding idle starting idle",
	},
	{
		name: "user_bash", says: "bash:completed bash:completed bash:error (user assistant)=completed",
		states: "queued responding idle", also: user(),
	},
	{
		name: "session_ops", says: "[(user assistant)=completed (user assistant)=completed] [] [] [(user assistant)=completed]",
		states: "queued responding idle", also: sessions(),
	},
	{
		name: "bad_input", says: "system:command_failed system:command_failed system:command_failed system:prompt_refused system:command_failed (user assistant)=completed",
		states: "queued responding idle",
	},
	{
		name: "extension_error", says: "(user assistant system:extension_error)=completed",
		states: "queued responding idle",
	},
	{
		name: "old073_text_tool", says: "(user assistant)=completed (user thinking assistant bash:completed assistant)=completed",
		states: "queued responding idle queued responding running_tool responding idle",
	},
	{
		name: "old073_abort_retry", says: "(user assistant)=interrupted (user assistant)=completed (user +steer bash:completed -dispatched user assistant)=completed",
		states: "queued responding idle queued responding idle queued responding running_tool running_tool+1 responding+1 responding idle",
	},
}

func TestTable(t *testing.T) {
	files := recordings(t)
	for _, want := range expectations {
		t.Run(want.name, func(t *testing.T) {
			raw, ok := files[want.name]
			delete(files, want.name)
			if !ok {
				t.Fatal("there is no such recording")
			}
			logs := convert(t, bytes.NewReader(raw))
			if got := outline(logs); got != want.says {
				t.Errorf("says\n%s, want\n%s", got, want.says)
			}
			if got := states(logs[len(logs)-1]); got != want.states {
				t.Errorf("states\n%s, want\n%s", got, want.states)
			}
			if want.also != nil {
				want.also(t, logs)
			}
		})
	}
	for name := range files {
		t.Errorf("nothing is expected of %s", name)
	}
}
