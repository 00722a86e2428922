package session

import "github.com/ringmaster-agents/ringmaster/actors/session/core"

// owed holds the questions that were taken and are not answered, by their tickets: the core knows a caller by its ticket only.
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

// end takes the question of a ticket out; nil: it was answered before, or there was none.
func (o *owed) end(ticket uint64) asked {
	q := o.open[ticket]
	if delete(o.open, ticket); len(o.open) == 0 {
		o.open = nil // an empty map for each of many sessions at rest would cost memory
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

// passOn makes the message that passes a client's answer on to the session that asked. The reply goes with it: that session answers the client.
func (o *owed) passOn(e core.PassOn) Message {
	m := &Asked[core.Resolution]{Question: e.Answer}
	if q, ok := o.end(e.Ticket).(*Asked[core.Resolution]); ok {
		m.Reply = q.Reply
	}
	return m
}

// fail answers the question of an effect that is still held back, with an error. A core.Park is left out: see despair.
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
