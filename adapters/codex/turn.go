package codex

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn is the turn that runs.
type turn struct {
	on      bool
	id      string // empty: not known yet, after a rejoin
	alias   string // another id that the server has for it, in a review
	started bool   // turn/started was seen
	phase   protocol.State
	retry   string // the last reason to try again
	problem string // the error that ended it
	hint    string

	stop, stopping bool // Interrupt was asked for; and sent
}

func (r *turn) is(id string) bool { return r.on && id != "" && (id == r.id || id == r.alias) }

// rename gives the turn the id by which it is steered and interrupted; the one that it had stays good.
func (r *turn) rename(id string) { r.alias, r.id = r.id, id }

// enter says what the turn is at, other than its usual work.
func (r *turn) enter(phase protocol.State, out *adapters.Output) {
	r.phase = phase
	out.Draft(adapters.PhaseChanged{State: phase})
}

// atWork says that the agent is back at work after a retry or a compaction.
func (r *turn) atWork(out *adapters.Output) {
	if r.phase != "" && r.on {
		r.phase = ""
		out.Draft(adapters.PhaseChanged{State: protocol.StateResponding})
	}
}

// failed keeps why the turn will end.
func (r *turn) failed(e *turnError) { r.problem, r.hint = e.text(), e.hint() }

// retrying says that the agent tries to get over an error.
func (r *turn) retrying(e *turnError, out *adapters.Output) {
	r.enter(protocol.StateRetrying, out)
	reason := e.text()
	if e.Details != "" {
		reason += ": " + native.Head(e.Details, maxNoticed)
	}
	if reason != r.retry { // without a network it says the same for ever
		r.retry = reason
		out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(reason, maxNoticed)})
	}
}

// interrupt stops the turn.
func (r *turn) interrupt(l *link, out *adapters.Output) {
	r.stop, r.stopping = true, false
	r.stopNow(l, out)
}

// stopNow sends the interrupt that was asked for as soon as the turn is known: before that the server would refuse.
func (r *turn) stopNow(l *link, out *adapters.Output) {
	if r.stop && !r.stopping && r.id != "" && !l.quiet() {
		r.stopping = true
		l.ask(&asking{method: "turn/interrupt", id: r.id}, inThread{l.thread, r.id}, out)
	}
}

// interruptAnswered takes the answer to turn/interrupt. A refusal may name another turn, or come before the server has said that this one runs.
func (r *turn) interruptAnswered(a *asking, problem string, l *link, out *adapters.Output) {
	if !a.mine || !r.is(a.id) || problem == "" {
		return
	}
	if id := activeTurn(problem); id != "" && id != r.id && id != r.alias {
		r.rename(id)
	} else if r.started {
		return // its end is on the way
	}
	r.stopping = false
	if r.started || r.alias != "" {
		r.stopNow(l, out)
	}
}

// activeTurn reads the turn that runs out of a refusal: expected active turn id `A` but found `B`, with or without quotes.
func activeTurn(problem string) string {
	_, id, _ := strings.Cut(problem, "but found ")
	return strings.Trim(id, "`")
}

// turnError is why a turn, or one attempt of it, failed.
type turnError struct {
	Message string          `json:"message"`
	Info    json.RawMessage `json:"codexErrorInfo"` // a word, or an object with one member
	Details string          `json:"additionalDetails"`
}

func (e *turnError) text() string { return native.Head(e.Message, maxNoticed) }

// hint says what helps, or else what the agent knows beyond the message.
func (e *turnError) hint() string {
	switch native.Text(e.Info) {
	case "contextWindowExceeded":
		return "Start a new session, or have this one compacted."
	case "usageLimitExceeded", "sessionBudgetExceeded":
		return "The account's limit is reached: wait, or use another model."
	case "unauthorized":
		return "Log in with: codex login"
	case "modelNotFound":
		return "Choose another model."
	}
	return native.Head(e.Details, maxNoticed)
}

// endedTurns are the newest turns that are over, so that their stragglers are known.
type endedTurns struct {
	ids  [32]string
	next int
}

func (e *endedTurns) add(id string) {
	if id != "" {
		e.ids[e.next%len(e.ids)] = id
		e.next++
	}
}

func (e *endedTurns) has(id string) bool { return slices.Contains(e.ids[:], id) }
