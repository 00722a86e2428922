package pi

import (
	"encoding/json"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// run is the run that is going on: from the first agent_start to agent_settled.
//
// Pi 0.73 never says agent_settled. There agent_end is the end, unless a retry or a compaction follows, which it announces
// only by doing it. So agent_end holds the end back, and the next line lets it go, unless it is one of those; a get_state
// sent at once sees to it that a next line comes.
type run struct {
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

// begin opens a run where none is on. Lines that imply one do it too, so that a lost agent_start costs nothing else.
func (t *Translator) begin(out *adapters.Output) {
	if t.run.on {
		return
	}
	t.run = run{on: true, modern: t.run.modern, phase: protocol.StateIdle, aborting: t.run.aborting}
	out.Draft(adapters.TurnBegan{Prompt: t.prompts.started})
	t.prompts.started = nil
	t.phase(protocol.StateResponding, out)
}

func (t *Translator) agentStart(out *adapters.Output) {
	t.ready(out)
	t.begin(out)
	t.phase(protocol.StateResponding, out)
}

// agentEnd ends one low-level run. Only its willRetry matters: an agent that says it also says agent_settled.
func (t *Translator) agentEnd(line []byte, out *adapters.Output) {
	var e struct {
		WillRetry *bool `json:"willRetry"`
	}
	_ = native.Decode(line, &e) // Line has checked it
	if e.WillRetry != nil {
		t.run.modern = true
		if *e.WillRetry {
			t.closeFailed("retry", out)
		} else {
			t.closeFailed("error", out)
		}
		return
	}
	if t.run.on && !t.run.modern {
		t.hold(out)
	}
}

func (t *Translator) hold(out *adapters.Output) {
	t.run.held = true
	t.run.probe = t.ask(out, command{Type: "get_state"})
}

// releases says whether a line ends the run that is held back. A retry, a compaction and what may stand between
// agent_end and them do not; responses decide by their id, see response.
func (t *Translator) releases(kind string) bool {
	if !t.run.held {
		return false
	}
	switch kind {
	case "auto_retry_start", "auto_retry_end", "compaction_start", "compaction_end", "agent_settled",
		"queue_update", "extension_ui_request", "extension_error", "entry_appended", "response":
		return false
	}
	return true
}

func (t *Translator) agentSettled(line []byte, out *adapters.Output) {
	var e struct {
		Aborted bool `json:"aborted"`
	}
	_ = native.Decode(line, &e)
	t.run.modern = true
	if e.Aborted {
		t.run.stop = "aborted"
	}
	t.endRun(out)
}

// endRun ends the run. What is still open is closed by the session; the translator only forgets it.
func (t *Translator) endRun(out *adapters.Output) {
	t.closeFailed("error", out)
	r := t.run
	t.run = run{modern: r.modern, phase: protocol.StateIdle}
	t.msg = assistant{}
	clear(t.tools)
	if !r.on {
		return
	}
	t.dialogs.dropAll(out)
	end := adapters.TurnEnded{Status: protocol.TurnCompleted}
	switch {
	case r.stop == "aborted":
		end.Status = protocol.TurnInterrupted
	case r.stop == "error" || r.gaveUp != "":
		end.Status = protocol.TurnError
		end.Error = failure(r.problem, r.gaveUp)
	}
	out.Draft(end)
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

// phase reports a phase that differs from the last one.
func (t *Translator) phase(s protocol.State, out *adapters.Output) {
	if t.run.phase != s {
		t.run.phase = s
		out.Draft(adapters.PhaseChanged{State: s})
	}
}

func (t *Translator) retryStart(line []byte, out *adapters.Output) {
	var e struct {
		Attempt      int    `json:"attempt"`
		MaxAttempts  int    `json:"maxAttempts"`
		DelayMs      int64  `json:"delayMs"`
		ErrorMessage string `json:"errorMessage"`
	}
	_ = native.Decode(line, &e)
	t.run.held = false
	t.closeFailed("retry", out)
	t.run.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying, RetryAt: max(0, e.DelayMs)})
	out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(
		fmt.Sprintf("Attempt %d of %d in %d ms: %s", e.Attempt, e.MaxAttempts, e.DelayMs, e.ErrorMessage), maxNoticed)})
}

func (t *Translator) retryEnd(line []byte) {
	var e struct {
		Success    bool   `json:"success"`
		FinalError string `json:"finalError"`
	}
	_ = native.Decode(line, &e)
	t.run.gaveUp = ""
	if !e.Success {
		t.run.gaveUp = e.FinalError
		if t.run.gaveUp == "" {
			t.run.gaveUp = "gave up retrying"
		}
	}
}

func (t *Translator) compactionStart(out *adapters.Output) {
	if t.run.held {
		t.run.held = false
		t.run.afterwards = true
	}
	t.phase(protocol.StateCompacting, out)
}

// compactionEnd makes the entry of a compaction that worked. The overflow compaction of an earlier attempt leaves it to
// the next agent_start to go on.
func (t *Translator) compactionEnd(line []byte, out *adapters.Output) {
	var e struct {
		Reason string `json:"reason"`
		Result *struct {
			Summary        string `json:"summary"`
			FirstKeptEntry string `json:"firstKeptEntryId"`
			TokensBefore   int64  `json:"tokensBefore"`
			Usage          *usage `json:"usage"`
		} `json:"result"`
		Aborted      bool            `json:"aborted"`
		WillRetry    bool            `json:"willRetry"`
		ErrorMessage json.RawMessage `json:"errorMessage"`
	}
	_ = native.Decode(line, &e)
	if r := e.Result; r != nil {
		data := &protocol.CompactionData{Trigger: e.Reason, TokensBefore: max(0, r.TokensBefore)}
		data.Summary, data.Cut = native.Cut(r.Summary, t.spec.TextLimit())
		key := t.whole(protocol.EntryCompaction, data, out)
		t.used(r.Usage, t.told.Model, out)
		t.binder.wait(wanted{role: "compaction", mark: r.FirstKeptEntry}, out, key)
		t.fetch(out)
	} else if msg := native.Text(e.ErrorMessage); msg != "" {
		out.Draft(adapters.Notice{Level: "warning", Kind: "compaction_failed", Text: native.Head(msg, maxNoticed)})
	}
	if !t.run.on {
		t.phase(protocol.StateIdle, out)
		return
	}
	t.phase(protocol.StateResponding, out)
	if t.run.afterwards {
		t.run.afterwards = false
		if !e.WillRetry {
			t.hold(out)
		}
	}
}
