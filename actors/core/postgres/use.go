package postgres

import (
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Use is what the Cores that are opened with it have of the database's connections, together. The zero value has none.
type Use struct {
	mu    sync.Mutex
	pools map[*pgxpool.Pool]struct{}
}

// Connections are those of a Use.
type Connections struct {
	Busy int // on which something is asked
	Open int
	Most int
}

// Now counts them.
func (u *Use) Now() (c Connections) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for p := range u.pools {
		s := p.Stat()
		c.Busy += int(s.AcquiredConns())
		c.Open += int(s.TotalConns())
		c.Most += int(s.MaxConns())
	}
	return c
}

// add takes a pool into a Use, and gives what takes it out again.
func (u *Use) add(p *pgxpool.Pool) (end func()) {
	if u == nil {
		return func() {}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pools == nil {
		u.pools = map[*pgxpool.Pool]struct{}{}
	}
	u.pools[p] = struct{}{}
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.pools, p)
	}
}
