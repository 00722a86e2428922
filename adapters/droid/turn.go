package droid

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn is the turn that is going on, up to agent_turn_completed.
type turn struct {
	on       bool
	round    int            // model rounds begun
	inRound  bool           // a message of the model is being written
	phase    protocol.State // as last reported; empty: at work, or idle
	problem  string         // of the last error event
	shown    string         // what the user was told of it
	aborting bool           // an interrupt was sent, and nothing has ended since
}

// begin begins a turn. An interrupt that was sent before counts for it.
func (t *turn) begin(prompt *protocol.Prompt, out *adapters.Output) {
	t.report("", out)
	*t = turn{on: true, aborting: t.aborting}
	out.Draft(adapters.TurnBegan{Prompt: prompt})
}

// beginRound counts the model's messages.
func (t *turn) beginRound(out *adapters.Output) {
	t.report("", out)
	if !t.inRound {
		t.inRound = true
		t.round++
	}
}

// report reports a phase that differs from the last one; empty: none of its own.
func (t *turn) report(s protocol.State, out *adapters.Output) {
	if t.phase == s {
		return
	}
	t.phase = s
	switch {
	case s != "":
	case t.on:
		s = protocol.StateResponding
	default:
		s = protocol.StateIdle
	}
	out.Draft(adapters.PhaseChanged{State: s})
}

// changed takes the working state. Only compaction is news: tools, requests and the turn's end are told better elsewhere.
func (t *turn) changed(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		NewState string `json:"newState"`
	}
	_ = native.Decode(raw, &n)
	switch {
	case n.NewState == "compacting_conversation":
		t.report(protocol.StateCompacting, out)
	case n.NewState != "idle" || !t.on:
		t.report("", out)
	}
}

// retries reports a failed model request that will be sent again. Droid does not say when.
func (t *turn) retries(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Attempt int    `json:"attempt"`
		Reason  string `json:"reason"`
	}
	_ = native.Decode(raw, &n)
	t.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying})
	notice("warning", "retry", fmt.Sprintf("Attempt %d failed: %s", n.Attempt, cmp.Or(n.Reason, "unknown")), out)
}

// fails keeps an error for the end of the turn. Outside of one it is a notice.
func (t *turn) fails(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Message string `json:"message"`
	}
	_ = native.Decode(raw, &n)
	text := cmp.Or(n.Message, "unknown error")
	if t.on {
		t.problem = native.Head(text, maxNoticed)
		return
	}
	notice("error", "error", text, out)
}

// shows takes what is for the user only: after an error it says the same better, else it is a notice.
func (t *turn) shows(text string, out *adapters.Output) {
	switch {
	case text == "":
	case t.on && t.problem != "":
		t.shown = native.Head(text, maxNoticed)
	default:
		notice("info", "message_system", text, out)
	}
}

// end says how a turn ended, for the reason that Droid gives. An error that it has gone on after is a notice.
func (t *turn) end(reason string, out *adapters.Output) {
	end := t.outcome(reason)
	if t.problem != "" && end.Status != protocol.TurnError {
		notice("warning", "error", cmp.Or(t.shown, t.problem), out)
	}
	out.Draft(end)
}

// outcome reads the reason of a turn's end. A refused permission is "completed".
func (t *turn) outcome(reason string) adapters.TurnEnded {
	switch reason {
	case "completed":
		return adapters.TurnEnded{Status: protocol.TurnCompleted}
	case "cancelled":
		e := adapters.TurnEnded{Status: protocol.TurnInterrupted}
		if !t.aborting {
			e.Error = "Droid cancelled the turn"
		}
		return e
	case "permission_rejected":
		return adapters.TurnEnded{Status: protocol.TurnInterrupted, Error: "a permission was refused"}
	case "process_exit":
		return adapters.TurnEnded{Status: protocol.TurnInterrupted, Error: "Droid was asked to end"}
	}
	return adapters.TurnEnded{
		Status: protocol.TurnError,
		Error:  native.Head(cmp.Or(t.shown, t.problem, "the turn ended: "+cmp.Or(reason, "no reason given")), maxNoticed),
		Hint:   hints[reason],
	}
}

// hints are what mends a failure, by its reason.
var hints = map[string]string{
	"model_authentication_failed": "log in with droid and /login, set FACTORY_API_KEY, or correct the custom model's apiKey in ~/.factory/settings.json",
	"model_rate_limited":          "the model's provider limits requests: wait, or choose another model",
	"model_provider_unreachable":  "the model's provider cannot be reached: check the network, and the custom model's baseUrl in ~/.factory/settings.json",
	"model_request_rejected":      "the model's provider refused the request: check the model's name and its settings in ~/.factory/settings.json",
}
