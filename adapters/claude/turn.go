package claude

import (
	"cmp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn is the turn that is going on: from a prompt that the agent takes up, or the first sign of work without one, to the result.
type turn struct {
	on      bool
	round   int // model requests
	phase   protocol.State
	problem string // what the agent said instead of an answer
	aborted bool   // the agent has shown a sign of an interruption
}

// begin opens a turn where none is on, with the prompts that wait and of which the agent tells nothing. Lines that imply a turn do
// it too, so that a lost one costs nothing else.
func (t *Translator) begin(out *adapters.Output) {
	if t.turn.on {
		return
	}
	list := t.prompts.takable()
	if len(list) > 0 && !list[0].queued {
		list = list[:1]
	}
	t.beginWith(list, out)
}

func (t *Translator) beginWith(list []*prompt, out *adapters.Output) {
	t.ready(out)
	t.turn = turn{on: true, phase: protocol.StateIdle}
	var began adapters.TurnBegan
	if len(list) > 0 {
		began.Prompt = list[0].first(t.spec.TextLimit())
	}
	out.Draft(began)
	for i, p := range list {
		if i > 0 {
			t.join(p, out)
			continue
		}
		t.prompts.taken(p)
		t.promptEntry(p, out)
		if p.id != "" {
			out.Draft(adapters.PromptAnswered{ID: p.id, Result: adapters.PromptStarted})
		}
	}
	t.phase(protocol.StateResponding, out)
}

// phase reports a phase that differs from the last one.
func (t *Translator) phase(s protocol.State, out *adapters.Output) {
	if t.turn.phase != s {
		t.turn.phase = s
		out.Draft(adapters.PhaseChanged{State: s})
	}
}

// result is the end of a turn.
type result struct {
	UUID      string              `json:"uuid"`
	Subtype   string              `json:"subtype"`
	IsError   bool                `json:"is_error"`
	Terminal  string              `json:"terminal_reason"`
	Shutdown  bool                `json:"interrupted_by_shutdown"`
	Result    string              `json:"result"`
	Errors    []string            `json:"errors"`
	APIStatus int                 `json:"api_error_status"`
	Usage     requestUse          `json:"usage"`
	Models    map[string]modelUse `json:"modelUsage"`
	SinceLast map[string]modelUse `json:"model_usage_since_last_result"`
}

func (t *Translator) result(line []byte, out *adapters.Output) {
	var r result
	_ = native.Decode(line, &r)
	if r.UUID != "" && r.UUID == t.last.result {
		return
	}
	t.last.result = r.UUID
	if !t.turn.on && len(t.prompts.takable()) == 0 {
		t.used(&r, out)
		if r.IsError { // the program could not begin: its own session is gone, or its configuration is wrong
			kind := "agent_failed"
			if t.spec.Resume {
				kind = "resume_failed"
			}
			t.notice("error", kind, t.failure(&r), out)
		}
		return
	}
	t.begin(out)
	t.endCompaction("", out)
	t.used(&r, out)
	t.end(t.outcome(&r), out)
}

// failures are the terminal reasons of turns that failed.
var failures = map[string]bool{
	"blocking_limit": true, "rapid_refill_breaker": true, "prompt_too_long": true, "image_error": true, "model_error": true,
	"api_error": true, "malformed_tool_use_exhausted": true, "max_turns": true, "budget_exhausted": true,
	"structured_output_retry_exhausted": true, "tool_deferred_unavailable": true, "turn_setup_failed": true,
}

// outcome says how a turn ended. The subtype says "success" also where the provider refused the request.
func (t *Translator) outcome(r *result) adapters.TurnEnded {
	aborted := strings.HasPrefix(r.Terminal, "aborted_") || r.Shutdown ||
		r.Terminal == "" && r.Subtype == "error_during_execution" && t.turn.aborted // as older versions say it
	switch {
	case aborted:
		return adapters.TurnEnded{Status: protocol.TurnInterrupted}
	case r.IsError || failures[r.Terminal] || r.Terminal == "" && strings.HasPrefix(r.Subtype, "error"):
		return adapters.TurnEnded{Status: protocol.TurnError, Error: t.failure(r), Hint: hint(r)}
	}
	return adapters.TurnEnded{Status: protocol.TurnCompleted}
}

// failure is what a failed result says, in the best words that there are.
func (t *Translator) failure(r *result) string {
	text := cmp.Or(strings.Join(r.Errors, "\n"), r.Result, t.turn.problem, r.Terminal, r.Subtype, "the turn failed")
	return native.Head(text, maxNotice)
}

func hint(r *result) string {
	switch {
	case r.APIStatus == 401 || r.APIStatus == 403:
		return "Log in with `claude` on this machine, or give the daemon's environment a valid API key."
	case r.Terminal == "prompt_too_long":
		return "Send /compact, or begin a new session."
	case r.Terminal == "max_turns":
		return "The number of model requests in a turn is limited by the agent's arguments."
	}
	return ""
}

// end ends the turn. What is still open is closed by the session; requests are withdrawn towards the agent, which waits for
// them where the turn did not end by itself.
func (t *Translator) end(e adapters.TurnEnded, out *adapters.Output) {
	t.cancelAsks(out)
	if e.Status == protocol.TurnCompleted {
		t.notice("warning", "api_error", t.turn.problem, out)
	}
	t.turn, t.stream = turn{}, stream{generation: t.stream.generation}
	clear(t.tools)
	t.prompts.unnamed = nil
	out.Draft(e)
}
