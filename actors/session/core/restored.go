package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Restore makes an empty state the one that Save was called of, as a replay of the log up to there would. After an error the state is of no use.
func (s *State) Restore(data []byte) error {
	var v saved
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	switch {
	case v.Version == noEpochs && v.Epoch > 1:
		v.Epochs = v.Epochs.Begin(v.Epoch, 0)
	case v.Version != noEpochs && v.Version != savedVersion:
		return fmt.Errorf("%w: version %d", errSaved, v.Version)
	}
	s.created, s.time, s.seq, s.epochs = v.Created, v.Time, v.Seq, v.Epochs
	s.first, s.nativeID, s.version, s.titled, s.named = v.First, v.NativeID, v.AgentVersion, v.Titled, v.Named
	s.settings.asked, s.settings.mode, s.settings.waiting = v.Asked, v.Mode, v.Waiting
	s.changed, s.total, s.cost, s.counted = v.Changed, v.Total, v.Cost, v.Counted
	s.turns, s.last, s.family.fresh, s.undone.taken = v.Turns, v.Last, v.Fresh, v.Taken
	s.ids = ids{v.Incarnation, v.Entry, v.Request, v.Call}
	s.news, s.frame = v.News.restored(), v.Frame
	s.queue.restore(&v)
	return errors.Join(s.about.restore(&v), s.restore(&v), s.family.restore(&v), s.entries.restore(&v), s.requests.restore(&v, &s.family))
}

func (a *about) restore(v *saved) error {
	begin, err := kept[*protocol.SessionStart](v.Begin)
	if err != nil {
		return err
	}
	if begin.SessionID != a.id && v.Seq > 0 {
		return fmt.Errorf("%w: it is of another session", errSaved)
	}
	a.agent, a.meta = begin.AgentBackend, begin.Metadata
	if v.Policy == "" {
		return nil
	}
	meta, err := kept[*protocol.SessionMeta](v.Policy)
	if err == nil {
		a.policy = meta.Policy
	}
	return err
}

// restore takes what is no part's own.
func (s *logged) restore(v *saved) error {
	status, err := kept[*protocol.Status](v.Status)
	if err != nil {
		return err
	}
	s.status = *status
	if v.End != "" {
		if s.end, err = kept[*protocol.SessionEnd](v.End); err != nil {
			return err
		}
	}
	if v.Own != "" {
		meta, err := kept[*protocol.SessionMeta](v.Own)
		if err != nil {
			return err
		}
		s.own = meta.Budget
	}
	for _, p := range v.Marks {
		m, err := kept[*protocol.BudgetMark](p)
		if err != nil {
			return err
		}
		s.marks = append(s.marks, *m)
	}
	if v.Turn == nil {
		return nil
	}
	start, err := kept[*protocol.TurnStart](v.Turn.Start)
	if err == nil {
		s.turn = &turn{id: start.TurnID, prompt: start.Prompt, denied: v.Turn.Denied}
	}
	return err
}

func (f *family) restore(v *saved) error {
	for _, p := range v.Children {
		c, err := kept[*protocol.ChildSession](p)
		if err != nil {
			return err
		}
		put(&f.children, c.ChildSessionID, *c)
	}
	return nil
}

func (e *entries) restore(v *saved) error {
	for i := range v.Entries {
		o := &v.Entries[i]
		start, err := kept[*protocol.EntryStart](o.Start)
		if err != nil {
			return err
		}
		put(&e.open, start.EntryID, &entry{start, o.Seq, o.Text, o.Args, o.Tool, o.Exit, o.Sums})
	}
	return nil
}

func (q *queue) restore(v *saved) {
	q.count = v.Accepted
	for i := range v.Queue {
		p := v.Queue[i]
		p.Queued = p.Queued.In(time.UTC)
		q.waiting = append(q.waiting, queued{QueuedPrompt: p})
	}
	for _, k := range v.Keys {
		at := protocol.Cursor{Epoch: k.Epoch, Seq: k.Seq}
		q.keys.put(k.Key, keyed{Receipt{PromptID: k.PromptID, Cursor: at}, k.Sum}, len(v.Keys))
	}
}

func (q *requests) restore(v *saved, of *family) error {
	for _, r := range v.Requests {
		p, err := kept[*protocol.RequestOpened](r.Opened)
		if err != nil {
			return err
		}
		q.applyOpened(p, r.Seq, r.Time, p.SessionID != "" && of.spawned(p.SessionID))
	}
	for _, by := range v.Resolved {
		q.resolved.put(by.ID, verdictBy{by.Outcome, by.Option, by.By}, len(v.Resolved))
	}
	for _, a := range v.Answered {
		p, err := kept[*protocol.RequestResolved](a)
		if err != nil {
			return err
		}
		q.answered = append(q.answered, p)
	}
	return nil
}

func (v *savedNews) restored() *news {
	if v == nil {
		return nil
	}
	n := &news{
		turn: turnNews{v.TurnID, protocol.TurnStatus(v.Status), protocol.TurnCause(v.Cause), protocol.EndReason(v.End)},
		over: v.Over, to: v.To, answer: v.Answer, bytes: v.Bytes,
	}
	for _, p := range v.Open {
		n.open = append(n.open, promised{p[0], p[1]})
	}
	for _, p := range v.Taken {
		n.taken = append(n.taken, promised{p[0], p[1]})
	}
	return n
}
