package session

import "github.com/ringmaster-agents/ringmaster/actors/session/core"

// owed are the questions that were taken and are not answered, by their tickets.
type owed struct {
	last uint64 // ticket given
	open map[uint64]asked
}

// take gives a question its ticket.
func (o *owed) take(q asked) core.Input {
	if o.open == nil {
		o.open = map[uint64]asked{}
	}
	o.last++
	o.open[o.last] = q
	return q.input(o.last)
}

// end gives the question with a ticket, which is owed no more; nil: it is answered, or was never asked.
func (o *owed) end(ticket uint64) asked {
	q := o.open[ticket]
	if delete(o.open, ticket); len(o.open) == 0 {
		o.open = nil // there is one of these for each of many sessions at rest
	}
	return q
}

func (o *owed) answer(e core.Answer) {
	switch q := o.end(e.Ticket); {
	case q == nil:
	case e.Err != nil:
		q.Fail(e.Err)
	default:
		q.give(e.Value)
	}
}

// passOn makes the message that gives an answer to the sub-agent's session that asked: its word is the caller's answer.
func (o *owed) passOn(e core.PassOn) Message {
	m := &Asked[core.Resolution]{Question: e.Answer}
	if q, ok := o.end(e.Ticket).(*Asked[core.Resolution]); ok {
		m.Reply = q.Reply
	}
	return m
}

// fail answers the question of an effect before the effect comes to it. One that wants the session passive is not told: see despair.
func (o *owed) fail(e core.Effect, err error) {
	var ticket uint64
	switch e := e.(type) {
	case core.Answer:
		ticket = e.Ticket
	case core.PassOn:
		ticket = e.Ticket
	default:
	}
	if _, park := o.open[ticket].(*Asked[core.Parked]); park {
		return
	}
	if q := o.end(ticket); q != nil {
		q.Fail(err)
	}
}

// failAll answers all questions with an error.
func (o *owed) failAll(err error) {
	for _, q := range o.open {
		q.Undelivered(err)
	}
	o.open = nil
}
