// Package parents asks what has become of sessions on other nodes for which some of this node work: those end with them. A session that is not here may be on
// its way, or Core may not answer: so it counts as over only where it is told to have ended, or where nobody has it, twice in a row.
package parents

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

const (
	every    = 30 * time.Second
	lookTime = 20 * time.Second // bounds a look
	// askedOnce bounds it as well. Where there are more, the next one goes on behind it.
	askedOnce = 100
)

// Config is what Parents work with.
type Config struct {
	List *roster.Roster // of the sessions of this node and of others
	// Look tells of a session. The error is a *protocol.Problem with CodeSessionNotFound where nobody has it.
	Look func(ctx context.Context, id string) (session.Summary, error)
	// Over is told of sessions that have ended, or were deleted, and for which some here work. It must not wait.
	Over func(ids []string)
}

// Parents is the goroutine that asks.
type Parents struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}

	read   uint64            // revision of the list up to which it was read
	works  map[string]string // sessions of this node that end with another one, by their ids: the id of that one
	nobody map[string]bool   // of those that were asked for: nobody had it the last time
	last   string            // that was asked for
}

// Begin has them asked for, twice a minute.
func Begin(cfg Config) *Parents {
	p := &Parents{cfg: cfg, done: make(chan struct{}), works: map[string]string{}, nobody: map[string]bool{}}
	p.ctx, p.end = context.WithCancel(context.Background())
	go p.run() // ends with Close
	return p
}

// Close ends it.
func (p *Parents) Close() {
	p.end()
	<-p.done
}

func (p *Parents) run() {
	defer close(p.done)
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			p.follow()
			p.look()
		case <-p.ctx.Done():
			return
		}
	}
}

// follow takes what has changed in the list.
func (p *Parents) follow() {
	changed, now, ok := p.cfg.List.Since(p.read)
	if !ok {
		clear(p.works)
		changed, now, _ = p.cfg.List.Since(0)
	}
	p.read = now
	for _, s := range changed {
		if sum := s.About(); s.Gone || s.Away || !endsWith(sum) {
			delete(p.works, s.ID)
		} else {
			p.works[s.ID] = sum.ParentSessionID
		}
	}
}

// endsWith says that a session is to end with the one that it works for, and that its log takes that.
func endsWith(sum *session.Summary) bool {
	return (sum.SubAgent || sum.Spawned) && sum.ParentSessionID != "" && !sum.Status.State.Ended() && !sum.ReadOnly && sum.Damage == nil
}

// absent are those for which they work that are not here, in order.
func (p *Parents) absent() []string {
	ids := map[string]bool{}
	for _, id := range p.works {
		if x := p.cfg.List.Find(id); x == nil || x.Away {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// look asks for some of them, those first that were not asked for at the look before.
func (p *Parents) look() {
	ctx, cancel := context.WithTimeout(p.ctx, lookTime)
	defer cancel()
	absent := p.absent()
	maps.DeleteFunc(p.nobody, func(id string, _ bool) bool {
		_, isAbsent := slices.BinarySearch(absent, id)
		return !isAbsent
	})
	var over []string
	for _, id := range p.turn(absent) {
		if ctx.Err() != nil {
			break
		}
		p.last = id
		if p.isOver(ctx, id) {
			over = append(over, id)
		}
	}
	if len(over) > 0 {
		p.cfg.Over(over)
	}
}

// turn gives those whose turn it is.
func (p *Parents) turn(absent []string) []string {
	from, isThere := slices.BinarySearch(absent, p.last)
	if isThere {
		from++
	}
	list := slices.Concat(absent[from:], absent[:from])
	return list[:min(len(list), askedOnce)]
}

// isOver asks for one.
func (p *Parents) isOver(ctx context.Context, id string) bool {
	sum, err := p.cfg.Look(ctx, id)
	var problem *protocol.Problem
	isNobody := errors.As(err, &problem) && problem.Code == protocol.CodeSessionNotFound
	was := p.nobody[id]
	p.nobody[id] = isNobody
	return was && isNobody || err == nil && sum.Status.State.Ended()
}
