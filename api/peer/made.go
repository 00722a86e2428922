package peer

import (
	"sync"
	"time"
)

// A session that was made on another node is in Core a moment later, and known here then. Whoever has made it here finds it meanwhile.
const (
	madeFor  = 10 * time.Second
	mostMade = 1024
)

// made are the sessions that were made on other nodes a moment ago.
type made struct {
	mu sync.Mutex
	at map[string]making
}

type making struct {
	node  string
	until time.Time
}

func (m *made) note(id, node string, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil {
		m.at = map[string]making{}
	}
	for id, x := range m.at {
		if !now.Before(x.until) {
			delete(m.at, id)
		}
	}
	if len(m.at) < mostMade {
		m.at[id] = making{node, now.Add(madeFor)}
	}
}

// node is where a session was made; "": not here a moment ago.
func (m *made) node(id string, now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if x := m.at[id]; now.Before(x.until) {
		return x.node
	}
	return ""
}
