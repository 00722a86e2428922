package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// work is what is done in a session: its turns, and what is said in them. Where these meet, it says what follows. It does not know what was
// before the start.
type work struct {
	content
	calls   calls
	told    told
	turn    turn
	prompts prompts
	shells  shells
	binder  binder
}

// begin opens a turn where none is on. Lines that imply one do it too, so that a lost agent_start costs nothing else.
func (w *work) begin(out *adapters.Output) {
	if !w.turn.on {
		w.turn.begin(w.prompts.first(), out)
	}
}

// started takes an agent_start.
func (w *work) started(out *adapters.Output) {
	w.told.tellReady(out)
	w.begin(out)
	w.turn.report(protocol.StateResponding, out)
}

// ended takes an agent_end, the end of one low-level run. Only its willRetry matters: an agent that says it also says agent_settled.
func (w *work) ended(line []byte, out *adapters.Output) {
	var e struct {
		WillRetry *bool `json:"willRetry"`
	}
	_ = native.Decode(line, &e)
	switch {
	case e.WillRetry != nil:
		w.turn.modern = true
		if *e.WillRetry {
			w.entries.closeFailed("retry", out)
		} else {
			w.entries.closeFailed("error", out)
		}
	case w.turn.on && !w.turn.modern:
		w.turn.hold(&w.calls, out)
	}
}

// settled takes an agent_settled.
func (w *work) settled(line []byte, out *adapters.Output) {
	var e struct {
		Aborted bool `json:"aborted"`
	}
	_ = native.Decode(line, &e)
	w.turn.modern = true
	if e.Aborted {
		w.turn.stop = "aborted"
	}
	w.end(out)
}

// end ends the turn. What is still open is closed by the session; the translator only forgets it.
func (w *work) end(out *adapters.Output) {
	w.entries.closeFailed("error", out)
	w.forget()
	if end, ok := w.turn.end(); ok {
		w.requests.dropAll(out)
		out.Draft(end)
	}
}

// retries takes that a model request failed and will be made again.
func (w *work) retries(line []byte, out *adapters.Output) {
	w.entries.closeFailed("retry", out)
	w.turn.retries(line, out)
}

// interrupt stops the turn. An abort waits for open dialogs and would hang on them; what is queued would start the next
// turn.
func (w *work) interrupt(out *adapters.Output) {
	w.turn.aborting = true
	w.requests.dropAll(out)
	if w.turn.modern || !legacy(w.told.version) {
		w.prompts.clearing = true
		w.calls.ask(out, command{Type: "clear_queue"})
	}
	w.calls.ask(out, command{Type: "abort"})
}

// asked takes what an extension shows or asks.
func (w *work) asked(line []byte, out *adapters.Output) {
	r, asks := w.requests.read(line, out)
	switch {
	case !asks:
	case w.turn.aborting: // the abort waits for this one, too
		r.refuse(out)
	default:
		w.ask(&r, out)
	}
}

// compacted makes the entry of a compaction that worked.
func (w *work) compacted(line []byte, out *adapters.Output) {
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
		data.Summary, data.Cut = native.Cut(r.Summary, w.entries.limit)
		key := w.entries.whole(protocol.EntryCompaction, data, w.turn.round, out)
		r.Usage.report(w.told.Model, out)
		w.binder.wait(wanted{role: "compaction", mark: r.FirstKeptEntry}, out, key)
		w.binder.fetch(&w.calls, out)
	} else if msg := native.Text(e.ErrorMessage); msg != "" {
		out.Draft(adapters.Notice{Level: "warning", Kind: "compaction_failed", Text: native.Head(msg, maxNoticed)})
	}
	w.turn.compacted(e.WillRetry, &w.calls, out)
}

// ran takes the end of a command that the user ran.
func (w *work) ran(r *response, out *adapters.Output) {
	s := w.shells.end(r, &w.entries.keys, w.turn.round, out)
	if s.command != "" {
		w.binder.wait(wanted{role: "bashExecution", mark: s.command}, out, s.key)
		w.binder.fetch(&w.calls, out)
	}
}
