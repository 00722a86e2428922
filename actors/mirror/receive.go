package mirror

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Receive runs the actor.
func (k *keeper) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		k.readers = map[*session.Reader]struct{}{}
	case *actor.Stopping:
		k.stop()
	case session.Message:
		k.mirror.used.Store(k.cfg.Now().UnixMilli())
		k.answer(m)
	case own:
		k.take(m)
	}
}

func (k *keeper) answer(m session.Message) {
	switch m := m.(type) {
	case *session.Join:
		k.joins = append(k.joins, m)
		k.load()
		k.admit()
	case *session.Describe:
		k.looks = append(k.looks, m)
		k.load()
		k.tell()
	case *session.Leave:
		delete(k.readers, m.Reader)
		k.forget()
	case *session.Doubt:
		if m.Ring == k.ring { // else it has begun anew since
			k.restart()
		}
		m.Ring.Close(ring.Retired) // its reader joins again, and reads from Core anew
	default:
		if k.cfg.Pass != nil && k.cfg.Pass(m) {
			return
		}
		if u, ok := m.(ask.Undeliverable); ok {
			u.Undelivered(k.cfg.Refused())
		}
	}
}

func (k *keeper) take(m own) {
	switch m := m.(type) {
	case *moved:
		k.wanted = m.at
		k.feed()
		k.grow()
	case *loaded:
		k.loading = false
		k.has(m)
	case *grown:
		k.growing = false
		k.show(m)
	case *folded:
		k.folding = false
		k.knows(m)
	case *fed:
		k.takeFed(m)
	case *unfed:
		k.takeUnfed(m)
	case *rested:
		if len(k.readers) > 0 && k.allDone() {
			k.restart()
		}
	case *lingered:
		if m.by == k.lingering {
			k.lingering = nil
			k.drop()
		}
	}
}

// has takes the log, and answers those that wait for it.
func (k *keeper) has(m *loaded) {
	if m.err != nil {
		k.fail(m.err)
		return
	}
	k.log = m.log
	k.ring = ring.New(m.log.epoch, m.log.newest.Load(), ringBytes)
	if k.isOver() {
		k.ring.Close(ring.Ended)
	}
	k.wanted = core.Position{} // what was told before is of an earlier reading; the owner says again what is new
	k.admit()
	k.tell()
}

// ringBytes is what a mirror keeps for those that follow it.
const ringBytes = 256 << 10

func (k *keeper) fail(err error) {
	for _, m := range k.joins {
		m.Fail(err)
	}
	for _, m := range k.looks {
		m.Fail(err)
	}
	k.joins, k.looks = nil, nil
}

// admit answers those that join, once the log is known.
func (k *keeper) admit() {
	if k.log == nil {
		return
	}
	for _, m := range k.joins {
		r := m.NewReader(k.mirror.Ref, k.cfg.ID, k.ring, k.log, k.log.epochs, k.cfg.Now())
		r.Away = true
		if k.log.oldest > 1 {
			r.Beginning = untold
		}
		if !m.Frame {
			k.readers[r] = struct{}{}
		}
		m.Send(r)
	}
	k.joins = nil
	k.forget()
	k.feed()
}

// untold is Reader.Beginning of a log whose oldest events were dropped before Core had it.
func untold() (*protocol.Frame, error) {
	return nil, protocol.NewProblem(protocol.CodeUnavailable, "Core does not have what the oldest events of this log had told.",
		"The node that has the session can tell it, and /log begins with what is there.")
}

// stop leaves nobody waiting.
func (k *keeper) stop() {
	k.restart()
	k.fail(protocol.NewProblem(protocol.CodeUnavailable, "The session is looked for anew.", "Try again in a moment."))
}
