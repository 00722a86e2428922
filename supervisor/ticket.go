package supervisor

import (
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
)

// tickets holds the questions that were taken and are not answered, and letters that are not sent: the core knows them by their tickets only.
type tickets struct {
	last core.Ticket
	open map[core.Ticket]Message
}

func (t *tickets) take(m Message) core.Ticket {
	t.last++
	t.open[t.last] = m
	return t.last
}

// end gives what a ticket stands for, once.
func (t *tickets) end(ticket core.Ticket) Message {
	m := t.open[ticket]
	delete(t.open, ticket)
	return m
}

// made answers Create and Claim.
func (t *tickets) made(e core.Made) {
	switch m := t.end(e.Ticket).(type) {
	case *Create:
		m.Send(e.Created)
	case *Claim:
		m.Send(e.Created)
	default:
	}
}

// done answers questions whose answer says only that they were carried out.
func (t *tickets) done(ticket core.Ticket) {
	switch m := t.end(ticket).(type) {
	case *Delete:
		m.Send(session.Done{})
	case *Pin:
		m.Send(session.Done{})
	case *Collect:
		m.Send(session.Done{})
	case *Arrive:
		m.Send(session.Done{})
	case *Seal:
		m.Send(session.Done{})
	case *Withdraw:
		m.Send(session.Done{})
	case *AddRoot:
		m.Send(struct{}{})
	case *drain:
		m.Send(session.Done{})
	default:
	}
}

func (t *tickets) fail(ticket core.Ticket, err error) {
	if m, asks := t.end(ticket).(interface{ Fail(err error) }); asks {
		m.Fail(err)
	}
}

// letter gives the message of a letter.
func (t *tickets) letter(l core.Letter) session.Message {
	if m, ok := t.end(l.Ticket).(*toSession); ok {
		return m.body
	}
	return session.Say(l.Input)
}

// lose answers the question in a letter that reaches no actor.
func (t *tickets) lose(l core.Letter) { ask.Undelivered(t.letter(l)) }
