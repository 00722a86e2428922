package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// question opens a question, or keeps it where it may wait for its call.
func (r *requests) question(w *questionWire, next, wait bool, all *entries, out *adapters.Output) {
	if w.ID == "" || len(w.Questions) == 0 || r.open[w.ID] != nil {
		return
	}
	if next && w.Tool.CallID == "" {
		w.Tool = w.Source
	}
	q := &request{question: true, next: next}
	asked := protocol.RequestOpened{Kind: protocol.RequestQuestion, ToolName: "question", ToolKind: protocol.ToolOther}
	x := all.call(w.Tool)
	if x == nil && wait && r.awaits(earlyRequest{about: w.Tool, question: w, next: next}) {
		return
	}
	if x != nil {
		q.entry, asked.ToolName = x.key, x.tool.name
	}
	for _, one := range w.Questions {
		shown := protocol.Question{Header: native.Head(one.Header, maxNoticed), Multiple: one.Multiple, FreeText: one.Custom == nil || *one.Custom}
		shown.Text, _ = native.Cut(one.Question, r.limit)
		for _, o := range one.Options {
			shown.Options = append(shown.Options, protocol.Option{ID: o.Label, Label: o.Label, Description: o.Description})
		}
		asked.Questions = append(asked.Questions, shown)
	}
	if asked.Title = asked.Questions[0].Header; asked.Title == "" {
		asked.Title = native.Head(asked.Questions[0].Text, maxWord)
	}
	r.add(w.ID, q, asked, out)
}

// questionReplied takes somebody's answer, and says whether it was a refusal; our own answer is known.
func (r *requests) questionReplied(properties []byte, all *entries, out *adapters.Output) (refused bool) {
	var p struct {
		RequestID string      `json:"requestID"`
		Answers   *[][]string `json:"answers"` // nil: refused
	}
	_ = native.Decode(properties, &p)
	r.openEarly(func(e *earlyRequest) bool { return e.id() == p.RequestID }, all, out)
	q := r.open[p.RequestID]
	if q == nil {
		return false
	}
	closed := adapters.RequestClosed{Key: q.key, Outcome: protocol.OutcomeCancelled}
	if refused = p.Answers == nil; !refused {
		closed.Outcome, closed.Answers = protocol.OutcomeAnswered, *p.Answers
	}
	r.close(p.RequestID, closed, out)
	return refused
}
