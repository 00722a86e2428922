package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// fold folds the messages of an answer as if their events came now. What is in the log already says nothing. past says that the session is
// taken up: what ended in it is over.
func (h *history) fold(a *httpline.Answer, past bool, w *work, out *adapters.Output) {
	var list []stored
	if native.Decode(a.Body, &list) != nil {
		return
	}
	if past && h.recall {
		if n := len(list); n == recallLimit || n == pageLimit || n == shortLimit {
			out.Draft(adapters.Notice{
				Level: "warning", Kind: "history_gap", Text: "The session is longer than what was read of it: its beginning is missing here.",
			})
		}
		h.ended = 0
		h.past(list, w, out)
	}
	known := -1 // the newest message that the log has something of
	for i := range list {
		if s := &list[i]; w.entries.messages[s.Info.ID] != nil || w.entries.seen.has(s.Info.ID) || w.entries.seen.some(s.Parts) {
			known = i
		}
	}
	if (len(list) == pageLimit || len(list) == shortLimit) && known < 0 && len(w.entries.seen.order) > 0 {
		out.Draft(adapters.Notice{
			Level: "warning", Kind: "gap",
			Text: "The agent said more than it lists while it could not be heard: the beginning of it is missing.",
		})
	}
	h.ended = 0
	for i := range list {
		s := &list[i]
		if s.Info.Role == "user" {
			h.user = s.Info.ID
		}
		if !w.entries.seen.has(s.Info.ID) && s.Info.ID != "" {
			h.foldOne(s, i <= known, source{snapshot: true, past: past}, w, out)
		}
	}
}

// foldOne takes one message of a snapshot. old says that the log has something of this one or a later one.
func (h *history) foldOne(s *stored, old bool, from source, w *work, out *adapters.Output) {
	id := s.Info.ID
	switch m := w.entries.messages[id]; {
	case m == nil && h.settled(s, old, from, &w.entries.seen):
		w.entries.seen.add(id)
		return
	case m == nil && s.Info.Role == "user" && h.over(s, &w.turn):
		w.end(out)
	}
	w.message(&s.Info, from, out)
	m := w.entries.messages.known(id)
	if m == nil {
		return
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		p.MessageID = id
		if !w.entries.seen.has(p.ID) {
			w.part(p, "", m, from, out)
		}
	}
	if !m.user {
		w.progress(&s.Info, m, from, out)
		h.ended = max(h.ended, s.Info.Time.Completed)
	}
}

// settled says that a message has nothing that the log needs: everything of it is there, or it was left behind by a server that
// was killed and its beginning is there, or nothing can be shown of it and it is over.
func (h *history) settled(s *stored, old bool, from source, seen *seen) bool {
	left := s.Info.Role == "assistant" && s.Info.Time.Completed == 0 && !h.working()
	switch {
	case !seen.lacks(s.Parts):
		return old || from.past && (s.Info.Role == "user" || !h.working() || s.Info.Time.Completed > 0)
	case from.past && left:
		return seen.some(s.Parts)
	}
	return false
}

// over says that a message of the user's came after the turn had ended: nothing of it is open, and its last message ended
// before.
func (h *history) over(s *stored, t *turn) bool {
	return t.on && len(t.open) == 0 && t.finish != "tool-calls" && h.ended > 0 && s.Info.Time.Created > h.ended
}

// fate takes the messages where nothing was heard of prompts. Those that are none never will be.
func (h *history) fate(a *httpline.Answer, w *work, out *adapters.Output) {
	if !w.prompts.lost(w.turn.on) {
		return
	}
	if a.OK() {
		h.fold(a, false, w, out)
	}
	w.prompts.refuseLost(a, out)
	if !w.turn.on {
		w.say(adapters.PromptHandled, out)
	}
	w.unstopped()
}

// afterIdle takes the messages of a turn that should be over: what has not ended by now never will.
func (h *history) afterIdle(a *httpline.Answer, w *work, out *adapters.Output) {
	if !w.turn.on || !w.turn.idle {
		return
	}
	h.fold(a, false, w, out)
	if w.turn.on && w.turn.idle {
		w.end(out)
	}
}

// listed takes what the agent asks. What was asked while nobody listened is opened; what is not listed any more is closed. It
// is asked for only while the session is busy: right after an abort, dead requests are still listed.
func (h *history) listed(a *httpline.Answer, c call, calls *calls, w *work, out *adapters.Output) {
	if !a.OK() {
		c.newest = w.requests.keys.Last()
		calls.again(a, c, out)
		return
	}
	there := map[string]bool{}
	if c.kind == askQuestions {
		var list []struct {
			SessionID string `json:"sessionID"`
			questionWire
		}
		_ = native.Decode(a.Body, &list)
		for i := range list {
			if q := &list[i]; q.SessionID == calls.session {
				there[q.ID] = true
				w.requests.question(&q.questionWire, false, w.turn.on, &w.entries, out)
			}
		}
	} else {
		var list []struct {
			SessionID string `json:"sessionID"`
			permissionWire
		}
		_ = native.Decode(a.Body, &list)
		for i := range list {
			if p := &list[i]; p.SessionID == calls.session {
				there[p.ID] = true
				w.requests.approval(&p.permissionWire, false, w.turn.on, &w.entries, out)
			}
		}
	}
	w.requests.drop(func(id string, q *request) bool {
		return !there[id] && q.question == (c.kind == askQuestions) && !q.next && !q.answered && q.key <= c.newest
	}, out)
}
