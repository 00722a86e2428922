package droid

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// run is the turn that is going on, up to agent_turn_completed.
type run struct {
	on      bool
	round   int            // model rounds begun
	inRound bool           // a message of the model is being written
	phase   protocol.State // as last reported; empty: at work, or idle
	problem string         // of the last error event
	shown   string         // what the user was told of it
}

// begin opens a turn where none is on. Lines that imply one do it too, so that a lost line costs nothing else.
func (t *Translator) begin(prompt *protocol.Prompt, out *adapters.Output) {
	if t.run.on {
		return
	}
	t.ready(out)
	t.phase("", out)
	t.run = run{on: true}
	out.Draft(adapters.TurnBegan{Prompt: prompt})
}

// beginRound counts the model's messages.
func (t *Translator) beginRound(out *adapters.Output) {
	t.begin(nil, out)
	t.phase("", out)
	if !t.run.inRound {
		t.run.inRound = true
		t.run.round++
	}
}

// phase reports a phase that differs from the last one; empty: none of its own.
func (t *Translator) phase(s protocol.State, out *adapters.Output) {
	if t.run.phase == s {
		return
	}
	t.run.phase = s
	switch {
	case s != "":
	case t.run.on:
		s = protocol.StateResponding
	default:
		s = protocol.StateIdle
	}
	out.Draft(adapters.PhaseChanged{State: s})
}

// stateChanged takes the working state. Only compaction is news: tools, requests and the turn's end are told better elsewhere.
func (t *Translator) stateChanged(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		NewState string `json:"newState"`
	}
	_ = native.Decode(raw, &n)
	switch {
	case n.NewState == "compacting_conversation":
		t.phase(protocol.StateCompacting, out)
	case n.NewState != "idle" || !t.run.on:
		t.phase("", out)
	}
}

// compacted makes the entry of a compaction inside the session. Droid says neither the summary nor why.
func (t *Translator) compacted(out *adapters.Output) {
	t.whole(protocol.EntryCompaction, &protocol.CompactionData{}, "", out)
}

// retrying reports a failed model request that will be sent again. Droid does not say when.
func (t *Translator) retrying(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Attempt int    `json:"attempt"`
		Reason  string `json:"reason"`
	}
	_ = native.Decode(raw, &n)
	t.beginPending(out)
	if !t.run.on {
		return
	}
	t.run.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying})
	out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(
		fmt.Sprintf("Attempt %d failed: %s", n.Attempt, cmp.Or(n.Reason, "unknown")), maxNoticed)})
}

// failed keeps an error for the end of the turn.
func (t *Translator) failed(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Message string `json:"message"`
	}
	_ = native.Decode(raw, &n)
	text := native.Head(cmp.Or(n.Message, "unknown error"), maxNoticed)
	t.beginPending(out)
	if t.run.on {
		t.run.problem = text
		return
	}
	out.Draft(adapters.Notice{Level: "error", Kind: "error", Text: text})
}

// beginPending opens the turn of a prompt that was sent and not shown: it failed before that.
func (t *Translator) beginPending(out *adapters.Output) {
	if t.run.on || len(t.prompts.list) == 0 {
		return
	}
	p := t.prompts.list[0]
	t.prompts.forget(p)
	t.beginPrompt(p, p.text, out)
}

// beginPrompt opens the turn of a prompt.
func (t *Translator) beginPrompt(p *prompt, text string, out *adapters.Output) {
	if p != nil {
		p.answer(adapters.PromptStarted, out)
	}
	t.begin(&protocol.Prompt{Text: native.Head(text, t.spec.TextLimit())}, out)
}

// turnCompleted ends the turn. The session closes what is open.
func (t *Translator) turnCompleted(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Reason string `json:"reason"`
		TurnID string `json:"turnId"`
		Usage  tokens `json:"tokenUsage"`
		Total  tokens `json:"cumulativeTokenUsage"`
	}
	_ = native.Decode(raw, &n)
	if !t.run.on {
		p := t.prompts.unshown(n.TurnID)
		if p == nil {
			return // a turn whose end was said
		}
		t.prompts.forget(p)
		t.beginPrompt(p, p.text, out)
	}
	t.closeHeld(out)
	t.turnUsage(n.Usage, n.Total, out)
	r, asked := t.run, t.aborting
	t.forgetTurn()
	end := outcome(n.Reason, r, asked)
	if r.problem != "" && end.Status != protocol.TurnError {
		out.Draft(adapters.Notice{Level: "warning", Kind: "error", Text: cmp.Or(r.shown, r.problem)})
	}
	out.Draft(end)
	if n.Reason == "cancelled" {
		t.prompts.discard("its turn was interrupted", out)
	}
}

func (t *Translator) forgetTurn() {
	t.run, t.aborting, t.last, t.writing = run{}, false, nil, nil
	clear(t.messages)
	clear(t.done)
	clear(t.tools)
	t.asks.clear()
}

// outcome reads the reason of a turn's end. A refused permission is "completed".
func outcome(reason string, r run, asked bool) adapters.TurnEnded {
	switch reason {
	case "completed":
		return adapters.TurnEnded{Status: protocol.TurnCompleted}
	case "cancelled":
		e := adapters.TurnEnded{Status: protocol.TurnInterrupted}
		if !asked {
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
		Error:  native.Head(cmp.Or(r.shown, r.problem, "the turn ended: "+cmp.Or(reason, "no reason given")), maxNoticed),
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
