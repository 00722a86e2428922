package claude

import (
	"encoding/json"
	"fmt"
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
	last    string // uuid of the last turn's result
}

// begin opens a turn. first is the prompt that it begins with; nil: it has none.
func (t *turn) begin(first *protocol.Prompt, out *adapters.Output) {
	*t = turn{on: true, phase: protocol.StateIdle, last: t.last}
	out.Draft(adapters.TurnBegan{Prompt: first})
}

// again says that a result is the last one once more: a line may come twice.
func (t *turn) again(uuid string) bool {
	same := uuid != "" && uuid == t.last
	t.last = uuid
	return same
}

// end ends the turn. What is still open the session closes.
func (t *turn) end() { *t = turn{last: t.last} }

// report reports a phase that differs from the last one.
func (t *turn) report(s protocol.State, out *adapters.Output) {
	if t.phase != s {
		t.phase = s
		out.Draft(adapters.PhaseChanged{State: s})
	}
}

// retries reports that a model request failed and will be made again.
func (t *turn) retries(line []byte, out *adapters.Output) {
	var e struct {
		Attempt    int             `json:"attempt"`
		Max        int             `json:"max_retries"`
		DelayMs    float64         `json:"retry_delay_ms"`
		HTTPStatus int             `json:"error_status"`
		Error      json.RawMessage `json:"error"`
	}
	_ = native.Decode(line, &e)
	delay := int64(min(max(0, e.DelayMs), maxDelay))
	t.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying, RetryAt: delay})
	var why []string
	if e.HTTPStatus > 0 {
		why = append(why, fmt.Sprintf("HTTP %d", e.HTTPStatus))
	}
	if word := native.Text(e.Error); word != "" {
		why = append(why, strings.ReplaceAll(word, "_", " "))
	}
	notice("warning", "retry", fmt.Sprintf("Attempt %d of %d in %d ms: %s", e.Attempt, e.Max, delay, strings.Join(why, ", ")), out)
}

// maxDelay is the longest wait for another attempt that is believed, in ms: a day.
const maxDelay = 24 * 60 * 60 * 1000
