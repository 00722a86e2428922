package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// work is what is done in a session: its turns, and what is said in them. Where these meet, it says what follows. It does not know what was
// before the start.
type work struct {
	content
	calls    calls
	told     told
	turn     turn
	prompts  prompts
	usage    usage
	self     self
	children children
}

// begin opens a turn where none is on, with the prompts that wait and of which the agent tells nothing. Lines that imply a turn do
// it too, so that a lost one costs nothing else.
func (w *work) begin(out *adapters.Output) {
	if !w.turn.on {
		w.beginWith(w.prompts.beginning(), out)
	}
}

func (w *work) beginWith(list []*prompt, out *adapters.Output) {
	w.told.tellReady(out)
	var first *protocol.Prompt
	if len(list) > 0 {
		first = list[0].first(w.entries.limit)
	}
	w.turn.begin(first, out)
	for i, p := range list {
		if i > 0 {
			w.join(p, out)
			continue
		}
		w.prompts.taken(p)
		w.say(p, out)
		p.answer(adapters.PromptStarted, "", out)
	}
	w.turn.report(protocol.StateResponding, out)
}

// join makes a prompt part of the running turn.
func (w *work) join(p *prompt, out *adapters.Output) {
	if !w.prompts.taken(p) {
		return
	}
	result := adapters.PromptStarted
	if p.steer {
		result = adapters.PromptHandled // no run will come of it
	}
	p.answer(result, "", out) // before its message, which is the prompt's that has left the queue
	w.say(p, out)
}

// say makes the entry of a prompt.
func (w *work) say(p *prompt, out *adapters.Output) {
	w.entries.whole(protocol.EntryUserMessage, p.message(w.entries.limit), p.uuid, w.turn.round, out)
}

// goOn takes a model request of the turn: it takes the prompts of which the agent tells nothing, unless it is the first one.
func (w *work) goOn(out *adapters.Output) {
	if w.turn.round > 0 {
		for _, p := range w.prompts.takable() {
			w.join(p, out)
		}
	}
	w.begin(out)
}

// turnInit takes system/init, which comes at the beginning of every turn.
func (w *work) turnInit(line []byte, out *adapters.Output) {
	w.told.turnInit(line, out)
	w.goOn(out)
}

// status says what the agent does: a new model request, at which it takes the prompts that have come meanwhile, or a compaction.
func (w *work) status(line []byte, out *adapters.Output) {
	var e struct {
		Status        string `json:"status"`
		Mode          string `json:"permissionMode"`
		CompactResult string `json:"compact_result"`
		CompactError  string `json:"compact_error"`
	}
	_ = native.Decode(line, &e)
	w.told.tell(native.Told{Mode: e.Mode}, out)
	switch e.Status {
	case "requesting":
		w.goOn(out)
		w.turn.report(protocol.StateResponding, out)
	case "compacting":
		w.begin(out)
		w.turn.report(protocol.StateCompacting, out)
	}
	if e.CompactResult != "" && w.turn.on {
		w.turn.report(protocol.StateResponding, out)
	}
	if e.CompactResult == "failed" {
		notice("warning", "compaction_failed", cmp.Or(e.CompactError, "the compaction failed"), out)
	}
}

// retries takes that a model request failed and will be made again.
func (w *work) retries(line []byte, out *adapters.Output) {
	w.begin(out)
	w.abandon(0, out)
	w.turn.retries(line, out)
}

// compacted takes a compact_boundary.
func (w *work) compacted(line []byte, out *adapters.Output) {
	w.entries.endCompaction("", w.turn.round, out)
	w.entries.compact.begin(line)
}

// result takes the end of a turn.
func (w *work) result(line []byte, out *adapters.Output) {
	var r result
	_ = native.Decode(line, &r)
	if w.turn.again(r.UUID) {
		return
	}
	if !w.turn.on && len(w.prompts.takable()) == 0 {
		w.usage.report(&r.resultUse, w.told.Model, out)
		if r.IsError { // the program could not begin: its own session is gone, or its configuration is wrong
			kind := "agent_failed"
			if w.told.resumed {
				kind = "resume_failed"
			}
			notice("error", kind, r.failure(&w.turn), out)
		}
		return
	}
	w.begin(out)
	w.entries.endCompaction("", w.turn.round, out)
	w.usage.report(&r.resultUse, w.told.Model, out)
	w.end(r.outcome(&w.turn), out)
}

// end ends the turn. What is still open is closed by the session; requests are withdrawn towards the agent, which waits for
// them where the turn did not end by itself.
func (w *work) end(e adapters.TurnEnded, out *adapters.Output) {
	w.requests.refuseAll(out)
	if e.Status == protocol.TurnCompleted {
		notice("warning", "api_error", w.turn.problem, out)
	}
	w.turn.end()
	w.forget()
	w.prompts.unnamed = nil
	out.Draft(e)
}

// interrupt stops the turn.
func (w *work) interrupt(out *adapters.Output) {
	if w.self.isChild() {
		w.self.stop(&w.calls, out)
		return
	}
	w.calls.ask(sentControl{kind: "interrupt"}, interrupt{Subtype: "interrupt", CancelQueued: true}, out)
}

// exit ends what the end of the output ends: a compaction whose summary has not come is said without it, and a sub-agent's turn ends as was said
// of it.
func (w *work) exit(out *adapters.Output) {
	w.entries.endCompaction("", w.turn.round, out)
	if w.turn.on && w.self.ending != nil {
		w.end(*w.self.ending, out)
	}
}
