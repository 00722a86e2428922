package supervisor

import (
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
)

// tickets are the questions that were taken and are not answered, and letters that are not sent.
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

// made answers those who want a session.
func (t *tickets) made(e core.Made) {
	switch m := t.end(e.Ticket).(type) {
	case *Create:
		m.Send(e.Created)
	case *Claim:
		m.Send(e.Created)
	default:
	}
}

// done answers those who want to know no more than that it was done.
func (t *tickets) done(ticket core.Ticket) {
	switch m := t.end(ticket).(type) {
	case *Delete:
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

// lose answers a question in a letter that reaches nobody.
func (t *tickets) lose(l core.Letter) { ask.Undelivered(t.letter(l)) }
