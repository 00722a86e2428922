package placement

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

// survey looks, once in each life, which of the node's sessions others have taken, and which it has in Core alone: those it had claimed, or was giving away,
// when it died, and those that its data folder has lost.
func (m *mover) survey(life core.Owner) error {
	held := map[string]core.Position{}
	ctx, cancel := context.WithTimeout(m.ctx, surveyTime)
	defer cancel()
	for p, err := range m.core.Held(ctx, life.Node) {
		if err != nil {
			return err
		}
		held[p.Session] = p
	}
	missing := maps.Clone(held)
	var doubtful []string
	for _, s := range m.Here() {
		if _, ok := held[s.ID]; ok {
			delete(missing, s.ID)
		} else {
			doubtful = append(doubtful, s.ID)
		}
	}
	for some := range slices.Chunk(doubtful, askedOnce) {
		at, err := m.core.Positions(ctx, some)
		if err != nil {
			return err
		}
		for _, p := range at {
			if p.Session != "" && p.Owner.Node != life.Node && !m.cfg.Owns(p) {
				m.Fenced(p)
			}
		}
	}
	m.KeepRetired(func(id string) bool { _, ok := held[id]; return ok }) // also of those that retention has begun to remove since they were looked for here
	for id, p := range missing {
		if !m.Knows(id) && !m.IsRetired(id, cursorOf(p)) {
			m.taker.owes(p)
		}
	}
	return nil
}

const surveyTime = 30 * time.Second

// letGo lets the sessions go that others have.
func (m *mover) letGo() {
	m.mu.Lock()
	fenced := m.fenced
	m.fenced = map[string]core.Position{}
	m.mu.Unlock()
	again := map[string]core.Position{}
	for id, at := range fenced {
		if m.taker.coming[id] != nil { // whose it is by now is asked before it arrives
			continue
		}
		if !m.Knows(id) {
			if m.late[id] { // it went behind the time that it had
				delete(m.late, id)
				m.Moved(id)
			}
			continue
		}
		if err := m.giveUp(id); err != nil {
			m.late[id] = true
			m.cfg.Log.Warn("a session that another node has stays here for now", zap.String("session", id), zap.Error(err))
			again[id] = at
			continue
		}
		delete(m.late, id)
		m.cfg.Log.Warn("another node has taken a session over", zap.String("session", id), zap.String("node", at.Owner.Node))
	}
	m.mu.Lock() // those that stay are tried again at the next turn
	maps.Copy(m.fenced, again)
	m.mu.Unlock()
}
