package supervisor

import (
	"context"
	"time"
)

const findTimeout = 20 * time.Second

// look finds the agent's program in a goroutine of its own: it may run the program to ask for its version.
func (s *state) look(name string) {
	a, self, now, life := s.agents[name], s.self, s.cfg.Now, s.life
	go func() { // ends with Find, which ends with its context
		ctx, cancel := context.WithTimeout(life, findTimeout)
		defer cancel()
		self.Send(&found{name, a.Find(ctx), now()})
	}()
}
