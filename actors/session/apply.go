package session

import (
	"maps"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Replay applies one event of the journal.
func (s *State) Replay(e *protocol.Event) {
	s.seq, s.time = e.Seq, e.Time
	if e.Seq == 1 {
		s.created = e.Time
	}
	s.apply(e)
}

// apply changes the state as an event says. It decides nothing and is total: a journal that another build wrote must not
// break it.
func (s *State) apply(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.SessionStart:
		s.id, s.agent, s.meta, s.settings.asked = p.SessionID, p.AgentBackend, p.Metadata, p.Metadata.Model
		s.meta.Labels = maps.Clone(p.Metadata.Labels)
		s.policy = p.Metadata.Policy
		s.titled = p.Metadata.Title != "" && !p.Metadata.SubAgent // a sub-agent's is its parent agent's word
	case *protocol.SessionEnd:
		s.end = p
		if s.told() != "" {
			noted(&s.news).turn.end = p.Reason
		}
	case *protocol.SessionMeta:
		s.applyMeta(p)
	case *protocol.Epoch:
		s.epoch = p.Epoch
	case *protocol.TurnStart:
		s.turns++
		s.turn = &turn{id: p.TurnID, prompt: p.Prompt}
		if p.Prompt != nil {
			s.called(p.Prompt.Text)
		}
		s.end, s.family.fresh = nil, nil
		if s.news != nil {
			s.news.begin()
		}
	case *protocol.TurnEnd:
		if s.news != nil || s.told() != "" {
			noted(&s.news).turnEnded(p)
		}
		s.turn, s.requests.answered = nil, nil
	case *protocol.EntryStart:
		s.entries.applyStart(p, e.Seq)
		if inc, key, ok := protocol.ParseEntryID(p.EntryID); ok {
			s.ids.seen(inc, key, 0)
		}
	case *protocol.EntryDelta:
		s.entries.applyDelta(p)
	case *protocol.EntryEnd:
		s.entries.applyEnd(p)
		if m, is := p.Data.(*protocol.MessageData); is && p.EntryType == protocol.EntryUserMessage {
			s.called(m.Text)
		}
		if s.news != nil {
			s.news.said(p)
		}
	case *protocol.RequestOpened:
		s.requests.applyOpened(p, e.Seq, p.SessionID != "" && s.family.spawned(p.SessionID))
		if inc, key, ok := protocol.ParseRequestID(p.RequestID); ok {
			s.ids.seen(inc, 0, key)
		} else if n, ok := protocol.ParseCallID(p.RequestID); ok {
			s.ids.call = max(s.ids.call, n)
		}
	case *protocol.RequestResolved:
		answered := s.requests.applyResolved(p, s.limits.Remembered)
		if answered && s.turn != nil && p.Outcome == protocol.OutcomeDenied && p.Option != protocol.DenyContinue {
			s.turn.denied = true
		}
	case *protocol.PromptQueued:
		if p.Origin == "" {
			s.called(p.Text)
		}
		s.queue.applyQueued(p, protocol.Cursor{Epoch: s.epoch, Seq: e.Seq - 1}, e.Time, s.limits.Remembered)
	case *protocol.PromptMoved:
		s.queue.applyMoved(p)
	case *protocol.PromptRemoved:
		if q, waited := s.queue.applyRemoved(p); waited && q.Notify != "" {
			noted(&s.news).left(&q, p, s.limits.Queue)
		}
	case *protocol.TokenUsage:
		s.applyUsage(p)
	case *protocol.Status:
		s.status = *p
		if !p.State.Ended() { // revived
			s.end = nil
		}
	case *protocol.ChildSession:
		s.family.apply(p)
	case *protocol.EntryMeta, *protocol.Unknown:
	}
}

// maxFirstPrompt bounds Summary.FirstPrompt, in bytes.
const maxFirstPrompt = 120

// called keeps the beginning of the first prompt.
func (s *State) called(text string) {
	if s.first != "" {
		return
	}
	text = strings.Join(strings.Fields(text[:min(len(text), 4*maxFirstPrompt)]), " ")
	if len(text) > maxFirstPrompt {
		text = text[:maxFirstPrompt-len("…")] + "…"
	}
	s.first = strings.ToValidUTF8(text, "")
}

func (s *State) applyMeta(p *protocol.SessionMeta) {
	if p.Title != nil {
		s.meta.Title, s.titled = *p.Title, p.TitleGiven
	}
	set(&s.meta.Model, p.Model)
	s.settings.apply(p)
	if p.NativeSessionID != nil && s.status.State == "" { // said with the session's beginning, before any agent
		s.named = true
	}
	set(&s.nativeID, p.NativeSessionID)
	set(&s.version, p.AgentVersion)
	if p.Labels != nil {
		s.meta.Labels = maps.Clone(p.Labels)
	}
	if p.Policy != nil {
		s.policy = p.Policy
	}
}

func (s *State) applyUsage(p *protocol.TokenUsage) {
	s.usage.InputTokens += p.Usage.InputTokens
	s.usage.CachedInputTokens += p.Usage.CachedInputTokens
	s.usage.OutputTokens += p.Usage.OutputTokens
	s.usage.ReasoningOutputTokens += p.Usage.ReasoningOutputTokens
	s.usage.TotalTokens += p.Usage.TotalTokens
	if p.Cost != nil {
		s.cost += p.Cost.Total
	}
}
