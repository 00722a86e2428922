package api

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// AdoptChild makes the sub-agent's session; its agent is the behavior "child".
func (tr *tree) AdoptChild(parent string, c session.AdoptChild) {
	tr.spawn(c.ChildID, session.Begin{Agent: "child", Start: true, NativeID: c.NativeID, Metadata: protocol.Metadata{
		Title: c.Title, Policy: c.Policy, ParentSessionID: parent, SubAgent: true,
	}})
}

func (tr *tree) ToRoot(id string, m session.ChildMessage) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.sessions[tr.sessions[id].parent].ref.Send(session.Say(m))
}

func (tr *tree) ToSession(id string, m session.Message) {
	ref, err := tr.Find(context.Background(), id)
	if err != nil {
		ask.Undelivered(m)
		return
	}
	ref.Send(m)
}

// choosy offers two models and a mode, works until it is interrupted, and has a sub-agent that asks for leave.
func choosy(a *fakeAgent, m session.AdapterMessage) {
	switch m := m.(type) {
	case started:
		a.say(adapters.Ready{NativeSessionID: "n1", Model: "m-1"}, adapters.Offered{
			Models: []adapters.Choice{{ID: "m-1", Label: "One"}, {ID: "m-2"}}, Modes: []adapters.Choice{{ID: "plan"}},
		})
	case *session.Tell:
		switch c := m.Command.(type) {
		case adapters.Prompt:
			a.say(adapters.PromptAnswered{ID: c.ID}, adapters.TurnBegan{})
			if c.Text == "delegate" {
				a.say(adapters.ChildBegan{NativeID: "sub", Title: "Sub"})
			}
		case adapters.Interrupt:
			a.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		case adapters.SetModel:
			if c.Model == "m-9" {
				a.say(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: "no access"})
				return
			}
			a.say(adapters.SettingAnswered{ID: c.ID}, adapters.MetaChanged{Meta: protocol.SessionMeta{Model: &c.Model}})
		case adapters.SetMode:
			a.say(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingNextTurn})
		}
	default:
		stopped(a, m)
	}
}

// delegated is a sub-agent that asks once.
func delegated(a *fakeAgent, m session.AdapterMessage) {
	switch m := m.(type) {
	case started:
		a.say(adapters.Ready{}, adapters.TurnBegan{}, adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{
			Kind: protocol.RequestApproval, Title: "May I?", Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.DenyStop}},
		}})
	case *session.Tell:
		if _, ok := m.Command.(adapters.Answer); ok {
			a.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
		}
	default:
		stopped(a, m)
	}
}
