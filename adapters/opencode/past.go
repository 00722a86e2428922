package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// past says the conversation of a session that the log has nothing of. It belongs to no turn of this log: a run of it would end with the
// first prompt's turn. The messages of a run that is at work, which is one of an attached server's, are left to be folded.
func (t *Translator) past(list []stored, out *adapters.Output) {
	end := len(list)
	if working := t.sync.status == "busy" || t.sync.status == "retry"; working {
		for end > 0 && list[end-1].Info.Role != "user" {
			end--
		}
		end = max(0, end-1)
	}
	for i := range list[:end] {
		t.pastMessage(&list[i], out)
		t.sync.ended = max(t.sync.ended, list[i].Info.Time.Completed)
	}
}

func (t *Translator) pastMessage(s *stored, out *adapters.Output) {
	id := s.Info.ID
	if id == "" || t.seen.has(id) {
		return
	}
	m := &message{known: true, past: true, summary: s.Info.summary()}
	for i := range s.Parts {
		p := &s.Parts[i]
		p.MessageID = id
		switch {
		case s.Info.Role == "user" && p.Type == "text" && p.Text != "" && !p.Synthetic:
			data := &protocol.MessageData{Role: "user"}
			data.Text, data.Cut = native.Cut(p.Text, t.spec.TextLimit())
			t.whole(protocol.EntryUserMessage, data, p.ID, out)
		case s.Info.Role != "assistant":
		case p.Type == "text", p.Type == "reasoning":
			t.textPart(p, "", m, out)
		case p.Type == "tool":
			t.toolPart(p, m, out)
		}
		t.seen.add(p.ID)
	}
	t.closeParts(id, "left behind", out)
	for i := range s.Parts {
		delete(t.parts, s.Parts[i].ID)
	}
	t.writing = nil
	t.seen.add(id)
}
