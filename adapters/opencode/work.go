package opencode

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// work is what is done in a session: its turns, and their content. Where these meet, it says what follows. It
// makes no calls, and does not know where a state comes from.
type work struct {
	content
	told     told
	turn     turn
	prompts  prompts
	settings settings
	usage    usage
	children children
}

// session takes what the agent says of the session itself.
func (w *work) session(info *sessionInfo, out *adapters.Output) {
	if info.ID == w.told.Session {
		w.usage.sum(info.Tokens)
		w.told.session(info, out)
	}
}

// begin opens a turn where none is on.
func (w *work) begin(out *adapters.Output) {
	if w.turn.on {
		return
	}
	w.told.tellReady(out)
	w.turn.begin(w.prompts.first(w.entries.limit), out)
	w.say(adapters.PromptStarted, out)
	if w.entries.compact.on {
		w.turn.report(protocol.StateCompacting, out)
	} else {
		w.turn.report(protocol.StateResponding, out)
	}
}

// busy is said again and again in a turn.
func (w *work) busy(out *adapters.Output) {
	if w.turn.guess {
		w.turn.idle, w.turn.guess = false, false
	}
	if w.turn.idle {
		w.end(out) // a turn that still waited for its end: this is the next one
	}
	w.turn.status = "busy"
	w.begin(out)
	if w.turn.phase == protocol.StateRetrying {
		w.turn.report(protocol.StateResponding, out)
	}
}

// retry says that a model request failed and will be made again. Parts that it left half-written are never ended.
func (w *work) retry(s *statusWire, id string, out *adapters.Output) {
	if w.turn.idle {
		w.end(out)
	}
	w.turn.status = "retry"
	w.begin(out)
	dropped := false
	for _, message := range slices.Sorted(maps.Keys(w.turn.open)) {
		for _, x := range w.entries.openParts(message) {
			dropped = dropped || x.ended.Any()
		}
		w.closeParts(message, "retry", out)
	}
	if dropped {
		native.Retracted(out)
	}
	w.turn.retries(s, id, out)
}

// beat takes a heartbeat, which comes every ten seconds. Two of them end what waits where nobody answers.
func (w *work) beat(out *adapters.Output) {
	w.requests.openLate(&w.entries, out)
	if w.turn.beat() {
		w.end(out)
	}
	if !w.turn.on && w.prompts.beat() {
		w.say(adapters.PromptHandled, out)
	}
}

// end ends the turn.
func (w *work) end(out *adapters.Output) {
	end, ok := w.turn.end()
	if !ok {
		return
	}
	w.requests.dropAll(out)
	w.entries.end()
	w.prompts.said = nil
	out.Draft(end)
}

// failed remembers what failed. It is not the end: OpenCode may compact and go on.
func (w *work) failed(properties []byte, out *adapters.Output) {
	var p struct {
		SessionID string  `json:"sessionID"`
		Error     failure `json:"error"`
	}
	_ = native.Decode(properties, &p)
	text := p.Error.text()
	switch {
	case p.Error.aborted():
		w.turn.aborted = w.turn.aborted || w.turn.on
	case w.turn.on:
		w.turn.problem = text
	case p.SessionID != "" && w.prompts.refuseOldest(text, out):
		// Accepted, and failed before it became a message.
	case len(w.prompts.before) > 0:
		w.turn.problem = text // of the turn that is about to begin
	case w.turn.ended != "" && strings.Contains(text, w.turn.ended):
		// The failure of the last turn once more, with a stack.
	default:
		out.Draft(adapters.Notice{Level: "error", Kind: "session_error", Text: text})
	}
}

// stopped notes an abort. Not every aborted turn ends with an error that says so.
func (w *work) stopped() {
	w.turn.aborted = w.turn.aborted || w.turn.on || w.prompts.any()
}

// unstopped forgets the abort of a turn that never began.
func (w *work) unstopped() {
	if !w.turn.on && !w.prompts.any() {
		w.turn.aborted = false
	}
}

// compacted ends a compaction.
func (w *work) compacted(out *adapters.Output) {
	w.entries.compact.on = false
	if w.turn.on && w.turn.phase == protocol.StateCompacting {
		w.turn.report(protocol.StateResponding, out)
	}
}

// taken takes what the agent says of a session that is taken up.
func (w *work) taken(info *sessionInfo) {
	if info.ID == w.told.Session {
		w.usage.sum(info.Tokens)
		w.told.version = cmp.Or(w.told.version, info.Version)
	}
}

// guess notes that the session is idle by its own word, which may be older than what is open.
func (w *work) guess(out *adapters.Output) {
	w.turn.guess = w.turn.idle
	if !w.turn.on {
		w.say(adapters.PromptHandled, out)
	}
}

// asked handles the events of requests, and says whether this is one. The newer surface has the same with a name of its own.
func (w *work) asked(e event, out *adapters.Output) bool {
	switch e.kind {
	case "permission.asked", "permission.v2.asked":
		var p permissionWire
		_ = native.Decode(e.properties, &p)
		w.requests.approval(&p, strings.Contains(e.kind, ".v2."), w.turn.on, &w.entries, out)
	case "permission.replied", "permission.v2.replied":
		if w.requests.approvalReplied(e.properties, &w.entries, out) {
			w.turn.refused()
		}
	case "question.asked", "question.v2.asked":
		var q questionWire
		_ = native.Decode(e.properties, &q)
		w.requests.question(&q, strings.Contains(e.kind, ".v2."), w.turn.on, &w.entries, out)
	case "question.replied", "question.v2.replied", "question.rejected", "question.v2.rejected":
		if w.requests.questionReplied(e.properties, &w.entries, out) {
			w.turn.refused()
		}
	default:
		return false
	}
	return true
}
