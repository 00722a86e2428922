package elsewhere

import (
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
)

// How long a mirror stays that nobody reads, and how many of them.
const (
	mirrorAge   = time.Minute
	mostMirrors = 1000
)

// mirrors are those that were asked for lately.
type mirrors struct {
	mu    sync.Mutex
	of    map[string]*mirror.Mirror
	ended bool
}

// followed are the mirrors of which somebody reads on. Others that nobody has asked for lately end here.
func (m *mirrors) followed(root *actor.RootContext, now time.Time) (list map[string]*mirror.Mirror) {
	m.mu.Lock()
	defer m.mu.Unlock()
	age := mirrorAge
	if len(m.of) > mostMirrors {
		age = 0
	}
	for id, one := range m.of {
		if one.IsFollowed() {
			if list == nil {
				list = map[string]*mirror.Mirror{}
			}
			list[id] = one
		} else if now.Sub(time.UnixMilli(one.Used())) > age {
			delete(m.of, id)
			root.Stop(one.PID())
		}
	}
	return list
}

// stop ends the mirror of a session.
func (m *mirrors) stop(root *actor.RootContext, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if one := m.of[id]; one != nil {
		delete(m.of, id)
		root.Stop(one.PID())
	}
}

func (m *mirrors) stopAll(root *actor.RootContext) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	for id, one := range m.of {
		delete(m.of, id)
		root.Stop(one.PID())
	}
}
