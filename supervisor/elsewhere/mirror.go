package elsewhere

import (
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// mirror gives the mirror of a session; anew: the one that was given is gone.
func (e *Elsewhere) mirror(x *entry, anew bool) (*mirror.Mirror, error) {
	c := e.reach.core.Load()
	if c == nil {
		return nil, unreached("open")
	}
	id := x.at.Session
	e.mirrors.mu.Lock()
	defer e.mirrors.mu.Unlock()
	if e.mirrors.ended {
		return nil, supervisor.NotFound()
	}
	if m := e.mirrors.of[id]; m != nil && !anew {
		return m, nil
	}
	m := mirror.Start(e.Engine(), mirror.Config{
		ID: id, Core: *c, Now: e.cfg.Now, Owner: owner{e, x},
		Told: func() session.Summary {
			now := e.known.now(id, x)
			sum := now.sum
			sum.Seq = now.told
			return sum
		},
		Refused: func() error { return e.known.now(id, x).refusal(e.Instance()) },
		Pass:    func(m session.Message) bool { return pass(e, e.known.now(id, x), m) },
	})
	if old := e.mirrors.of[id]; old != nil {
		e.Engine().Stop(old.PID())
	}
	e.mirrors.of[id] = m
	return m, nil
}
