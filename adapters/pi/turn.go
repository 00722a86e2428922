package pi

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn is the turn that is going on: from the first agent_start to agent_settled.
//
// Pi 0.73 never says agent_settled. There agent_end is the end, unless a retry or a compaction follows, which it announces
// only by doing it. So agent_end holds the end back, and the next line lets it go, unless it is one of those; a get_state
// sent at once sees to it that a next line comes.
type turn struct {
	on         bool
	held       bool   // 0.73: the end is held back
	probe      string // id of the get_state that lets it go
	afterwards bool   // 0.73: a compaction runs after agent_end
	modern     bool   // the agent has shown a sign of a version with agent_settled
	round      int    // model rounds begun
	stop       string // stopReason of the last assistant message
	problem    string // its errorMessage
	gaveUp     string // finalError of the retries
	phase      protocol.State
	aborting   bool // Interrupt was sent, and the abort is not answered
}

// begin opens a turn.
func (t *turn) begin(prompt *protocol.Prompt, out *adapters.Output) {
	*t = turn{on: true, modern: t.modern, phase: protocol.StateIdle, aborting: t.aborting}
	out.Draft(adapters.TurnBegan{Prompt: prompt})
	t.report(protocol.StateResponding, out)
}

// hold holds the end back until the answer to a get_state, which is asked by it, or another line lets it go.
func (t *turn) hold(calls *calls, out *adapters.Output) {
	t.held = true
	t.probe = calls.ask(out, command{Type: "get_state"})
}

// releases says whether a line ends the turn that is held back. A retry, a compaction and what may stand between
// agent_end and them do not; responses decide by their id, see answers.
func (t *turn) releases(kind string) bool {
	if !t.held {
		return false
	}
	switch kind {
	case "auto_retry_start", "auto_retry_end", "compaction_start", "compaction_end", "agent_settled",
		"queue_update", "extension_ui_request", "extension_error", "entry_appended", "response":
		return false
	}
	return true
}

// answers says whether an answer ends the turn that is held back: the one that was asked for that, or one to somebody else's command.
func (t *turn) answers(id string, own bool) bool { return t.held && (id == t.probe || !own) }

// stops notes how an assistant message ended.
func (t *turn) stops(m *message) {
	t.stop, t.problem = m.StopReason, ""
	if m.StopReason == "error" {
		t.problem = native.Head(m.ErrorMessage, maxNoticed)
	}
}

// end ends the turn, and says how; ok is false where none is on.
func (t *turn) end() (end adapters.TurnEnded, ok bool) {
	r := *t
	*t = turn{modern: r.modern, phase: protocol.StateIdle}
	end.Status = protocol.TurnCompleted
	switch {
	case r.stop == "aborted":
		end.Status = protocol.TurnInterrupted
	case r.stop == "error" || r.gaveUp != "":
		end.Status = protocol.TurnError
		end.Error = failure(r.problem, r.gaveUp)
	}
	return end, r.on
}

func failure(problem, gaveUp string) string {
	switch {
	case problem == "" && gaveUp == "":
		return "the model request failed"
	case problem == "" || problem == gaveUp:
		return gaveUp
	case gaveUp == "":
		return problem
	}
	return problem + " (" + gaveUp + ")"
}

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
		Attempt      int    `json:"attempt"`
		MaxAttempts  int    `json:"maxAttempts"`
		DelayMs      int64  `json:"delayMs"`
		ErrorMessage string `json:"errorMessage"`
	}
	_ = native.Decode(line, &e)
	t.held = false
	t.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying, RetryAt: max(0, e.DelayMs)})
	out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(
		fmt.Sprintf("Attempt %d of %d in %d ms: %s", e.Attempt, e.MaxAttempts, e.DelayMs, e.ErrorMessage), maxNoticed)})
}

// retried takes the end of the retries.
func (t *turn) retried(line []byte) {
	var e struct {
		Success    bool   `json:"success"`
		FinalError string `json:"finalError"`
	}
	_ = native.Decode(line, &e)
	t.gaveUp = ""
	if !e.Success {
		t.gaveUp = e.FinalError
		if t.gaveUp == "" {
			t.gaveUp = "gave up retrying"
		}
	}
}

// compacts takes the begin of a compaction.
func (t *turn) compacts(out *adapters.Output) {
	if t.held {
		t.held = false
		t.afterwards = true
	}
	t.report(protocol.StateCompacting, out)
}

// compacted takes the end of a compaction. The overflow compaction of an earlier attempt leaves it to the next agent_start to go on.
func (t *turn) compacted(retries bool, calls *calls, out *adapters.Output) {
	if !t.on {
		t.report(protocol.StateIdle, out)
		return
	}
	t.report(protocol.StateResponding, out)
	if t.afterwards {
		t.afterwards = false
		if !retries {
			t.hold(calls, out)
		}
	}
}
