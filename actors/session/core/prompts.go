package core

import (
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (s *State) sendPrompt(in *SendPrompt) {
	if r, known, err := s.Known(in); known {
		s.do(Answer{Ticket: uint64(in.Ticket), Value: r, Err: err})
		s.link.hasten(&s.writer)
		return
	}
	p := in.Prompt
	p.Text = s.limits.Tokens.Text(p.Text)
	err := in.Refusal
	if err == nil {
		err = s.refusePrompt(&p)
	}
	if err != nil {
		refuse(&s.writer, in.Ticket, err)
		return
	}
	r := s.accept(&p, in.IdempotencyKey)
	answer(&s.writer, in.Ticket, r)
}

// Known says whether a prompt's key is one of the session's, and what its sender is answered then. It changes nothing.
func (s *State) Known(in *SendPrompt) (r Receipt, known bool, err error) {
	k, known := s.queue.keys.get(in.IdempotencyKey)
	if !known || in.IdempotencyKey == "" {
		return Receipt{}, false, nil
	}
	p := &in.Prompt
	r, err = k.repeated(promptSum(s.limits.Tokens.Text(p.Text), p.Images, p.Behavior))
	r.Position = s.queue.place(r.PromptID)
	return r, true, err
}

// accept takes a prompt that was not refused.
func (s *State) accept(p *NewPrompt, key string) Receipt {
	r := Receipt{PromptID: s.queue.nextID(), Cursor: protocol.Cursor{Epoch: s.epochs.Newest(), Seq: s.seq}}
	s.emit(&protocol.PromptQueued{
		PromptID: r.PromptID, Text: p.Text, Images: p.Images, StreamingBehavior: p.Behavior, ClientID: p.ClientID, IdempotencyKey: key,
		NotifySessionID: p.Notify,
	})
	if s.link.phase == linkNone {
		s.startAgent(StartAgent{})
	} else {
		s.link.hasten(&s.writer)
	}
	s.dispatch()
	r.Position = s.queue.place(r.PromptID)
	return r
}

func (s *State) refusePrompt(p *NewPrompt) error {
	switch {
	case s.end != nil || s.link.stop == stopEnd:
		return errEnded()
	case s.link.unconnected(&s.about):
		return errUnconnected()
	case len(p.Images) > 0 && !s.limits.Capabilities.Images:
		return protocol.NewProblem(protocol.CodeNotSupported, "The agent "+s.agent+" takes no images.",
			"Send text alone; "+protocol.TermListAgents+" says which agents take images.")
	case !s.limits.Restartable && s.link.phase == linkNone:
		return &protocol.Problem{
			Code: protocol.CodeAgentUnavailable, Detail: "This daemon cannot start the session's agent, " + s.agent + ".",
			Hint: "Start the daemon with that agent; " + protocol.TermListAgents + " lists those that it has.",
		}
	case len(s.queue.waiting) >= s.limits.Queue:
		return &protocol.Problem{
			Code:   protocol.CodeOverloaded,
			Detail: fmt.Sprintf("%d prompts wait already.", len(s.queue.waiting)),
			Hint:   "Wait for the queue to move, or cancel prompts with " + protocol.TermCancelPrompt + ".",
		}
	}
	return nil
}

// dispatch gives the agent what it can take: one prompt when it is idle, steering prompts while it works. Where a limit of a budget is reached, what waits
// goes on waiting.
func (s *work) dispatch() {
	if s.link.phase != linkReady || s.link.interrupting || s.end != nil {
		return
	}
	if s.idle() {
		s.settings.passOn(&s.writer, s.link.adapter, s.limits.Capabilities)
	}
	if s.held() {
		return
	}
	if s.turn == nil && s.link.state == "" && len(s.queue.waiting) > 0 && s.queue.steering() < 0 {
		if i := slices.IndexFunc(s.queue.waiting, func(q queued) bool { return !q.native }); i >= 0 {
			s.send(i)
		}
	}
	if s.turn == nil {
		return
	}
	for i := range s.queue.waiting {
		q := &s.queue.waiting[i]
		if q.Behavior != protocol.Steer || q.Sent || q.native || !s.turn.began {
			continue
		}
		q.Sent = true
		s.link.tell(&s.writer, adapters.Prompt{ID: q.ID, Text: q.Text, Images: imageRefs(q.Images), Steer: true})
	}
}

// send opens a turn with a prompt of the queue.
func (s *work) send(i int) {
	q := s.queue.waiting[i]
	s.emit(&protocol.PromptRemoved{PromptID: q.ID, Reason: protocol.RemovedDispatched})
	s.openTurn(q.prompt())
	s.link.tell(&s.writer, adapters.Prompt{ID: q.ID, Text: q.Text, Images: imageRefs(q.Images)})
}

// imageRefs names images; the adapter loads them.
func imageRefs(refs []string) []adapters.Image {
	images := make([]adapters.Image, 0, len(refs))
	for _, r := range refs {
		images = append(images, adapters.Image{Ref: r})
	}
	return images
}

// promptAnswered takes the agent's answer to a prompt.
func (s *work) promptAnswered(d adapters.PromptAnswered) {
	if s.turn != nil && s.turn.prompt != nil && s.turn.prompt.PromptID == d.ID {
		if s.turn.began { // of the run that began meanwhile; or one of the agent's own came first
			if d.Result == adapters.PromptRefused {
				s.notice(s.turn.ID(), &protocol.SystemData{Level: "error", Kind: "prompt_refused", Text: d.Error})
			}
			return
		}
		switch d.Result {
		case adapters.PromptRefused:
			s.closeTurn(protocol.TurnError, protocol.CauseAgent, d.Error, "")
		case adapters.PromptHandled:
			s.closeTurn(protocol.TurnCompleted, "", "", "")
		case adapters.PromptStarted, adapters.PromptQueued:
		}
		return
	}
	i := s.queue.index(d.ID)
	if i < 0 || !s.queue.waiting[i].Sent {
		return
	}
	switch d.Result {
	case adapters.PromptRefused:
		s.emit(&protocol.PromptRemoved{PromptID: d.ID, Reason: protocol.RemovedCancelled, Error: d.Error})
	case adapters.PromptHandled:
		s.emit(&protocol.PromptRemoved{PromptID: d.ID, Reason: protocol.RemovedDispatched})
	case adapters.PromptStarted, adapters.PromptQueued:
		// started: TurnBegan binds it. queued: NativeQueue tells when it was delivered.
	}
}
