package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// past says the conversation of a session that the log has nothing of. It belongs to no turn of this log: a turn of it would end with the
// first prompt's. The messages of a turn that is at work, which is one of an attached server's, are left to be folded.
func (h *history) past(list []stored, w *work, out *adapters.Output) {
	end := len(list)
	if h.working() {
		for end > 0 && list[end-1].Info.Role != "user" {
			end--
		}
		end = max(0, end-1)
	}
	for i := range list[:end] {
		if s := &list[i]; s.Info.ID != "" && !w.entries.seen.has(s.Info.ID) {
			pastMessage(s, w, out)
		}
		h.ended = max(h.ended, list[i].Info.Time.Completed)
	}
}

// pastMessage says one message of such a conversation.
func pastMessage(s *stored, w *work, out *adapters.Output) {
	id, from := s.Info.ID, source{past: true}
	m := &message{known: true, past: true, summary: s.Info.summary()}
	for i := range s.Parts {
		p := &s.Parts[i]
		p.MessageID = id
		switch {
		case s.Info.Role == "user" && p.Type == "text" && p.Text != "" && !p.Synthetic:
			w.entries.user(p.Text, p.ID, nil, out)
		case s.Info.Role != "assistant":
		case p.Type == "text", p.Type == "reasoning":
			w.entries.text(p, "", m, from.snapshot, out)
		case p.Type == "tool":
			w.tool(p, m, from, out)
		}
		w.entries.seen.add(p.ID)
	}
	w.closeParts(id, "left behind", out)
	w.entries.forget(s)
}
