package session

import (
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (s *State) sendPrompt(in *SendPrompt) {
	in.Prompt.Text = s.limits.Tokens.Text(in.Prompt.Text)
	if k, known := s.keys[in.IdempotencyKey]; known && in.IdempotencyKey != "" {
		r, err := k.repeated(promptSum(in.Prompt.Text, in.Prompt.Images, in.Prompt.Behavior))
		r.Position = s.place(r.PromptID)
		s.answer(in, func() { in.Done(r, err) })
		return
	}
	if err := s.refusePrompt(&in.Prompt); err != nil {
		s.answer(in, func() { in.Fail(err) })
		return
	}
	r := s.accept(&in.Prompt, in.IdempotencyKey)
	s.answer(in, func() { in.Send(r) })
}

// accept takes a prompt that was not refused.
func (s *State) accept(p *NewPrompt, key string) Receipt {
	r := Receipt{PromptID: s.nextPromptID(), Cursor: protocol.Cursor{Epoch: s.epoch, Seq: s.seq}}
	s.emit(&protocol.PromptQueued{
		PromptID: r.PromptID, Text: p.Text, Images: p.Images, StreamingBehavior: p.Behavior, ClientID: p.ClientID, IdempotencyKey: key,
		NotifySessionID: p.Notify,
	})
	if s.link.phase == linkNone {
		s.startAgent(0)
	}
	s.dispatch()
	r.Position = s.place(r.PromptID)
	return r
}

// place is where a prompt waits in the queue, from 1; 0: the agent has it.
func (s *State) place(id string) int {
	if i := s.queuedIndex(id); i >= 0 && !s.queue[i].Sent {
		return i + 1
	}
	return 0
}

func (s *State) nextPromptID() string { return protocol.PromptID(uint64(s.prompts) + 1) }

func (s *State) refusePrompt(p *NewPrompt) error {
	switch {
	case s.end != nil || s.link.stop == stopEnd:
		return errEnded()
	case s.unconnected():
		return errUnconnected()
	case len(p.Images) > 0 && !s.limits.Capabilities.Images:
		return protocol.NewProblem(protocol.CodeNotSupported, "The agent "+s.agent+" takes no images.",
			"Send text alone; "+protocol.TermListAgents+" says which agents take images.")
	case !s.limits.Restartable && s.link.phase == linkNone:
		return &protocol.Problem{
			Code: protocol.CodeAgentUnavailable, Detail: "This daemon cannot start the session's agent, " + s.agent + ".",
			Hint: "Start the daemon with that agent; " + protocol.TermListAgents + " lists those that it has.",
		}
	case len(s.queue) >= s.limits.Queue:
		return &protocol.Problem{
			Code:   protocol.CodeOverloaded,
			Detail: fmt.Sprintf("%d prompts wait already.", len(s.queue)),
			Hint:   "Wait for the queue to move, or cancel prompts with " + protocol.TermCancelPrompt + ".",
		}
	}
	return nil
}

func errEnded() error {
	return &protocol.Problem{
		Code: protocol.CodeSessionEnded, Detail: "The session has ended.", Hint: "Create a new session with " + protocol.TermCreateSession + ".",
	}
}

// dispatch gives the agent what it can take: one prompt when it is idle, steering prompts while it works.
func (s *State) dispatch() {
	if s.link.phase != linkReady || s.link.interrupting || s.end != nil {
		return
	}
	s.tellPending()
	if s.turn == nil && s.link.state == "" && len(s.queue) > 0 && s.sentSteer() < 0 {
		if i := slices.IndexFunc(s.queue, func(q queued) bool { return !q.native }); i >= 0 {
			s.send(i)
		}
	}
	if s.turn == nil {
		return
	}
	for i := range s.queue {
		q := &s.queue[i]
		if q.Behavior != protocol.Steer || q.Sent || q.native || !s.turn.began {
			continue
		}
		q.Sent = true
		s.tell(adapters.Prompt{ID: q.ID, Text: q.Text, Images: imageRefs(q.Images), Steer: true})
	}
}

// send opens a turn with a prompt of the queue.
func (s *State) send(i int) {
	q := s.queue[i]
	s.emit(&protocol.PromptRemoved{PromptID: q.ID, Reason: protocol.RemovedDispatched})
	s.openTurn(q.prompt())
	s.tell(adapters.Prompt{ID: q.ID, Text: q.Text, Images: imageRefs(q.Images)})
}

func (q *queued) prompt() *protocol.Prompt {
	return &protocol.Prompt{
		Text: q.Text, Images: q.Images, StreamingBehavior: q.Behavior, PromptID: q.ID, ClientID: q.ClientID,
	}
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
func (s *State) promptAnswered(d adapters.PromptAnswered) {
	if s.turn != nil && s.turn.prompt != nil && s.turn.prompt.PromptID == d.ID {
		if s.turn.began { // of the run that began meanwhile; or one of the agent's own came first
			if d.Result == adapters.PromptRefused {
				s.notice(s.daemonEntryID(), &protocol.SystemData{Level: "error", Kind: "prompt_refused", Text: d.Error})
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
	i := s.queuedIndex(d.ID)
	if i < 0 || !s.queue[i].Sent {
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

// sentSteer is the first prompt that was sent to steer and that the agent's queue does not hold; -1: none.
func (s *State) sentSteer() int {
	return slices.IndexFunc(s.queue, func(q queued) bool { return q.Sent && !q.native })
}

// nativeQueue compares the agent's own queue with what is known of it: what is new and not ours joins the visible queue,
// what is gone was delivered, or taken out.
func (s *State) nativeQueue(d adapters.NativeQueue) {
	left := map[protocol.Behavior][]string{protocol.Steer: slices.Clone(d.Steering), protocol.FollowUp: slices.Clone(d.FollowUp)}
	reason := protocol.RemovedDispatched
	if d.Cleared {
		reason = protocol.RemovedCancelled
	}
	var gone []string
	for i := range s.queue {
		if q := &s.queue[i]; q.native && !takeText(left, q) {
			gone = append(gone, q.ID)
		}
	}
	for _, id := range gone {
		s.emit(&protocol.PromptRemoved{PromptID: id, Reason: reason})
	}
	for i := range s.queue {
		if q := &s.queue[i]; q.Sent && !q.native && takeText(left, q) {
			q.native = true
		}
	}
	for _, b := range []protocol.Behavior{protocol.Steer, protocol.FollowUp} {
		for _, text := range left[b] {
			s.emit(&protocol.PromptQueued{PromptID: s.nextPromptID(), Text: text, StreamingBehavior: b, Origin: "agent"})
			s.queue[len(s.queue)-1].native = true
		}
	}
}

// takeText takes a prompt's text out of the lists, where it is there.
func takeText(left map[protocol.Behavior][]string, q *queued) bool {
	b := q.Behavior
	if b == "" {
		b = protocol.FollowUp
	}
	i := slices.Index(left[b], q.Text)
	if i < 0 {
		return false
	}
	left[b] = slices.Delete(left[b], i, i+1)
	return true
}

// cancelSteers takes back what was sent to steer a turn that is being interrupted: it would otherwise start another run.
func (s *State) cancelSteers() {
	for {
		i := s.sentSteer()
		if i < 0 {
			return
		}
		s.emit(&protocol.PromptRemoved{PromptID: s.queue[i].ID, Reason: protocol.RemovedCancelled, Error: protocol.RemovedByInterrupt})
	}
}

// dropNative forgets what only the agent's own queue held: it went with the process.
func (s *State) dropNative() {
	for i := len(s.queue) - 1; i >= 0; i-- {
		if q := s.queue[i]; q.Origin == "agent" {
			s.emit(&protocol.PromptRemoved{
				PromptID: q.ID, Reason: protocol.RemovedCancelled, Error: protocol.RemovedByLoss,
			})
		}
	}
}

func (s *State) cancelPrompt(in *CancelPrompt) {
	i := s.queuedIndex(in.PromptID)
	switch {
	case i < 0:
		s.answer(in, func() { in.Fail(errNotWaiting()) })
	case s.queue[i].Sent || s.queue[i].native:
		s.answer(in, func() { in.Fail(errWithAgent()) })
	default:
		s.emit(&protocol.PromptRemoved{PromptID: in.PromptID, Reason: protocol.RemovedCancelled})
		s.answer(in, func() { in.Send(Done{}) })
	}
}

func errNotWaiting() error {
	return &protocol.Problem{
		Code: protocol.CodePromptNotFound, Detail: "No such prompt waits.",
		Hint: "It may have been dispatched: " + protocol.TermListPrompts + " lists what waits.",
	}
}

func errWithAgent() error {
	return &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "The agent has the prompt already.",
		Hint: "Interrupt the turn with " + protocol.TermInterruptSession + ": that takes it back.",
	}
}
