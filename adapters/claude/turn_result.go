package claude

import (
	"cmp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// result is the end of a turn.
type result struct {
	UUID      string   `json:"uuid"`
	Subtype   string   `json:"subtype"`
	IsError   bool     `json:"is_error"`
	Terminal  string   `json:"terminal_reason"`
	Shutdown  bool     `json:"interrupted_by_shutdown"`
	Result    string   `json:"result"`
	Errors    []string `json:"errors"`
	APIStatus int      `json:"api_error_status"`
	resultUse
}

// failures are the terminal reasons of turns that failed.
var failures = map[string]bool{
	"blocking_limit": true, "rapid_refill_breaker": true, "prompt_too_long": true, "image_error": true, "model_error": true,
	"api_error": true, "malformed_tool_use_exhausted": true, "max_turns": true, "budget_exhausted": true,
	"structured_output_retry_exhausted": true, "tool_deferred_unavailable": true, "turn_setup_failed": true,
}

// outcome says how a turn ended. The subtype says "success" also where the provider refused the request.
func (r *result) outcome(t *turn) adapters.TurnEnded {
	aborted := strings.HasPrefix(r.Terminal, "aborted_") || r.Shutdown ||
		r.Terminal == "" && r.Subtype == "error_during_execution" && t.aborted // versions without terminal_reason
	switch {
	case aborted:
		return adapters.TurnEnded{Status: protocol.TurnInterrupted}
	case r.IsError || failures[r.Terminal] || r.Terminal == "" && strings.HasPrefix(r.Subtype, "error"):
		return adapters.TurnEnded{Status: protocol.TurnError, Error: r.failure(t), Hint: r.hint()}
	}
	return adapters.TurnEnded{Status: protocol.TurnCompleted}
}

// failure is what a failed result says, in the best words that there are.
func (r *result) failure(t *turn) string {
	text := cmp.Or(strings.Join(r.Errors, "\n"), r.Result, t.problem, r.Terminal, r.Subtype, "the turn failed")
	return native.Head(text, maxNotice)
}

func (r *result) hint() string {
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
