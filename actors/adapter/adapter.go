package adapter

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"go.uber.org/zap"
)

// Props makes the actor of one connection. The actor stops by itself once the session has confirmed the last batch: until then a new actor of
// the session may need batches again.
func Props(cfg Config) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return &adapter{port: newPort(cfg)} }, actor.WithMailbox(mailbox.New))
}

type adapter struct {
	port *port
	told told
}

// Receive runs the actor.
func (a *adapter) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		a.port.start()
	case *actor.Stopping:
		a.port.close()
	case session.AdapterMessage:
		a.receive(ctx, m)
	}
}

func (a *adapter) receive(ctx actor.Context, m session.AdapterMessage) {
	switch m := m.(type) {
	case *session.Confirm:
		if a.port.window.confirm(m.Number) {
			ctx.Stop(ctx.Self())
		}
	case *session.Attach:
		if a.port.window.attach(m) {
			m.Over()
			ctx.Stop(ctx.Self())
		}
	case *session.Tell:
		a.tell(m.Command)
	case *session.StopAgent:
		a.port.stop(m.Grace)
	case *session.EndOrphans:
		now := time.Now()
		a.port.cfg.Conn.EndOrphans(now.Add(-m.Turn), now)
	}
}

func (a *adapter) tell(c adapters.Command) {
	if !a.told.first(c) {
		return
	}
	if p, ok := c.(adapters.Prompt); ok {
		for i := range p.Images {
			if err := a.port.cfg.Images.Load(&p.Images[i]); err != nil {
				a.port.cfg.Log.Warn("prompt image", zap.String("session", a.port.cfg.SessionID), zap.Error(err))
				a.port.command(func() {
					a.port.out.Draft(adapters.PromptAnswered{ID: p.ID, Result: adapters.PromptRefused, Error: "an image of the prompt is gone"})
				})
				return
			}
		}
		c = p
	}
	a.port.command(func() { a.port.cfg.Translator.Command(c, &a.port.out) })
}
