package droid

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// work is what is done in a session: its turns, and what is said in them. Where these meet, it says what follows.
type work struct {
	content
	told    told
	turn    turn
	prompts prompts
	usage   usage
}

// begin opens a turn where none is on. Lines that imply one do it too, so that a lost line costs nothing else.
func (w *work) begin(prompt *protocol.Prompt, out *adapters.Output) {
	if !w.turn.on {
		w.told.tellReady(out)
		w.turn.begin(prompt, out)
	}
}

// beginWith opens the turn of a user's message. x may be nil: it is none of those that were sent.
func (w *work) beginWith(x *prompt, text string, out *adapters.Output) {
	if x != nil {
		x.answer(adapters.PromptStarted, out)
	}
	w.begin(&protocol.Prompt{Text: native.Head(text, w.entries.limit)}, out)
}

// beginUnshown opens the turn of a prompt that was sent and not shown, where none is on: it failed or ended before that. message is its id,
// where that is known.
func (w *work) beginUnshown(message string, out *adapters.Output) {
	if w.turn.on {
		return
	}
	if x := w.prompts.unshown(message); x != nil {
		w.beginWith(x, x.text, out)
	}
}

// beginRound opens a model round of the turn.
func (w *work) beginRound(out *adapters.Output) {
	w.begin(nil, out)
	w.turn.beginRound(out)
}

// retries takes that a model request failed and will be sent again.
func (w *work) retries(raw json.RawMessage, out *adapters.Output) {
	w.beginUnshown("", out)
	if w.turn.on {
		w.turn.retries(raw, out)
	}
}

// failed takes an error event.
func (w *work) failed(raw json.RawMessage, out *adapters.Output) {
	w.beginUnshown("", out)
	w.turn.fails(raw, out)
}

// completed ends the turn. The session closes what is open.
func (w *work) completed(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Reason string `json:"reason"`
		TurnID string `json:"turnId"`
		Usage  tokens `json:"tokenUsage"`
		Total  tokens `json:"cumulativeTokenUsage"`
	}
	_ = native.Decode(raw, &n)
	if w.beginUnshown(n.TurnID, out); !w.turn.on {
		return // a turn whose end was said
	}
	w.tools.closeHeld(out)
	w.usage.ofTurn(n.Usage, n.Total, w.told.Model, out)
	turn := w.turn
	w.forget()
	turn.end(n.Reason, out)
	if n.Reason == "cancelled" {
		w.prompts.discard("its turn was interrupted", out)
	}
}

// forget forgets a turn that has ended.
func (w *work) forget() {
	w.turn = turn{}
	w.content.forget()
}

// compacted makes the entry of a compaction, of which Droid never says the summary. trigger is empty where it does not say the reason either.
func (w *work) compacted(trigger string, out *adapters.Output) {
	w.entries.whole(protocol.EntryCompaction, &protocol.CompactionData{Trigger: trigger}, "", w.turn.round, out)
}

// asked takes a request of the agent. One that nobody can answer is refused.
func (w *work) asked(e *envelope, line []byte, out *adapters.Output) {
	if w.requests.byID[e.ID] != nil {
		return
	}
	r, list := w.requests.read(e)
	if r == nil {
		native.Keep(e.Method, line, out)
		refuse(out, e.ID, "the client cannot answer "+native.Head(e.Method, maxNoticed))
		return
	}
	w.begin(nil, out)
	w.ask(r, list, out)
}
