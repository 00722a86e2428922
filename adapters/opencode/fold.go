package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// foldAnswer folds the messages of an answer as if their events came now. What is in the log already says nothing.
func (t *Translator) foldAnswer(a *httpline.Answer, out *adapters.Output) {
	var list []stored
	if native.Decode(a.Body, &list) != nil {
		return
	}
	if t.sync.past && t.spec.Recall {
		if n := len(list); n == recallLimit || n == pageLimit || n == shortLimit {
			out.Draft(adapters.Notice{
				Level: "warning", Kind: "history_gap", Text: "The session is longer than what was read of it: its beginning is missing here.",
			})
		}
		t.sync.ended = 0
		t.past(list, out)
	}
	known := -1 // the newest message that the log has something of
	for i := range list {
		if s := &list[i]; t.messages[s.Info.ID] != nil || t.seen.has(s.Info.ID) || t.seen.some(s.Parts) {
			known = i
		}
	}
	if (len(list) == pageLimit || len(list) == shortLimit) && known < 0 && len(t.seen.order) > 0 {
		out.Draft(adapters.Notice{
			Level: "warning", Kind: "gap",
			Text: "The agent said more than it lists while it could not be heard: the beginning of it is missing.",
		})
	}
	t.sync.folds, t.sync.ended = true, 0
	for i := range list {
		if list[i].Info.Role == "user" {
			t.sync.user = list[i].Info.ID
		}
		t.fold(&list[i], i <= known, out)
	}
	t.sync.folds = false
}

// fold takes one message of a snapshot. old says that the log has something of this one or a later one.
func (t *Translator) fold(s *stored, old bool, out *adapters.Output) {
	id := s.Info.ID
	if id == "" || t.seen.has(id) {
		return
	}
	m := t.messages[id]
	if m == nil && t.settledBefore(s, old) {
		t.seen.add(id)
		return
	}
	if m == nil && s.Info.Role == "user" && t.over(s) {
		t.end(out)
	}
	t.message(&s.Info, out)
	if m = t.messages[id]; m == nil || !m.known {
		return
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		p.MessageID = id
		if !t.seen.has(p.ID) {
			t.part(p, "", m, out)
		}
	}
	if !m.user {
		t.progress(&s.Info, m, out)
		t.sync.ended = max(t.sync.ended, s.Info.Time.Completed)
	}
}

// settledBefore says that a message has nothing that the log needs: everything of it is there, or it was left behind by a server that
// was killed and its beginning is there, or nothing can be shown of it and it is over.
func (t *Translator) settledBefore(s *stored, old bool) bool {
	working := t.sync.status == "busy" || t.sync.status == "retry"
	left := s.Info.Role == "assistant" && s.Info.Time.Completed == 0 && !working
	switch {
	case !t.seen.lacks(s.Parts):
		return old || t.sync.past && (s.Info.Role == "user" || !working || s.Info.Time.Completed > 0)
	case t.sync.past && left:
		return t.seen.some(s.Parts)
	}
	return false
}

// over says that a message of the user's came after the run had ended: nothing of it is open, and its last message ended
// before.
func (t *Translator) over(s *stored) bool {
	return t.run.on && len(t.run.open) == 0 && t.run.finish != "tool-calls" &&
		t.sync.ended > 0 && s.Info.Time.Created > t.sync.ended
}

// some says that one of the parts is in the log.
func (s *seen) some(parts []partWire) bool {
	for i := range parts {
		if s.has(parts[i].ID) {
			return true
		}
	}
	return false
}

// lacks says that one of the parts would make an entry and is not in the log.
func (s *seen) lacks(parts []partWire) bool {
	for i := range parts {
		switch p := &parts[i]; p.Type {
		case "text", "reasoning":
			if p.Text != "" && !p.Synthetic && !s.has(p.ID) {
				return true
			}
		case "tool":
			if !s.has(p.ID) {
				return true
			}
		}
	}
	return false
}
