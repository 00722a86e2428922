// Package proofs asks the folders of sessions at rest, behind the start of a daemon, whether the copies that it started with are true (record.Resting).
package proofs

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/supervisor/record"
)

// Config says what is done with an answer. Its functions are called by several goroutines, and may wait for the disk.
type Config struct {
	Holds func(id string, p *record.Proof) bool // asks a folder
	True  func(ids []string)                    // copies that are true
	Other func(id string)                       // one that is not: the folder is to be read. Nothing is written there before it returns
	Done  func()                                // no folder is to be asked any more, and none is being asked
}

// Prover asks each folder once. Forget is for any goroutine; all else is for that of the supervisor's actor.
type Prover struct {
	cfg Config

	mu      sync.Mutex
	list    []copied   // by id; nil: none is left
	next    int        // the first one that may not have been asked
	left    int        // those that are not answered
	idle    *sync.Cond // signalled when one is
	stopped bool
	ends    sync.WaitGroup
}

type copied struct {
	id    string
	proof record.Proof
	state state
}

type state uint8

const (
	waits state = iota
	asked
	answered
)

// together is how many answers one call of True tells at most.
const together = 16

// New makes one for the sessions of the ids that have a copy. It asks none before Run, or Now.
func New(cfg Config, ids []string, copies []record.Copy) *Prover {
	p := &Prover{cfg: cfg}
	p.idle = sync.NewCond(&p.mu)
	for i, c := range copies {
		if c.Record != nil {
			p.list = append(p.list, copied{id: ids[i], proof: c.Proof})
		}
	}
	slices.SortFunc(p.list, func(a, b copied) int { return cmp.Compare(a.id, b.id) })
	p.left = len(p.list)
	return p
}

// Run asks all folders in the background.
func (p *Prover) Run() {
	p.mu.Lock()
	left := p.left
	p.mu.Unlock()
	for range min(record.Abreast, left) { // each ends when no folder is left, or with Stop
		p.ends.Go(func() {
			var proven []string
			for {
				c := p.begin("")
				if c == nil {
					break
				}
				if holds := p.ask(c); holds {
					proven = append(proven, c.id)
				}
				if len(proven) == together {
					p.cfg.True(proven)
					proven = nil
				}
			}
			if len(proven) > 0 {
				p.cfg.True(proven)
			}
		})
	}
}

// Now asks the folder of a session, unless that is done already, or is being done.
func (p *Prover) Now(id string) {
	if c := p.begin(id); c != nil {
		p.ends.Go(func() { // ends with the answer
			if p.ask(c) {
				p.cfg.True([]string{id})
			}
		})
	}
}

// Forget has the folder of a session that is about to go not be asked, and waits until nobody does any more.
func (p *Prover) Forget(id string) {
	p.mu.Lock()
	c := p.find(id)
	if c == nil || c.state == answered {
		p.mu.Unlock()
		return
	}
	for c.state == asked {
		p.idle.Wait()
	}
	last := c.state == waits && p.answer(c)
	p.mu.Unlock()
	if last {
		p.cfg.Done()
	}
}

// Stop begins to ask none any more.
func (p *Prover) Stop() {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
}

// Wait returns when none is asked any more, after Stop.
func (p *Prover) Wait() { p.ends.Wait() }

// begin takes a session whose folder is to be asked now; empty: the next one. nil: there is none.
func (p *Prover) begin(id string) *copied {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return nil
	}
	c := p.find(id)
	for id == "" && p.next < len(p.list) && (c == nil || c.state != waits) {
		c = &p.list[p.next]
		p.next++
	}
	if c == nil || c.state != waits {
		return nil
	}
	c.state = asked
	return c
}

func (p *Prover) find(id string) *copied {
	i, is := slices.BinarySearchFunc(p.list, id, func(c copied, id string) int { return cmp.Compare(c.id, id) })
	if !is {
		return nil
	}
	return &p.list[i]
}

// ask says whether a copy is true. Of another one it has told.
func (p *Prover) ask(c *copied) (holds bool) {
	if holds = p.cfg.Holds(c.id, &c.proof); !holds {
		p.cfg.Other(c.id)
	}
	p.mu.Lock()
	last := p.answer(c)
	p.mu.Unlock()
	if last {
		p.cfg.Done()
	}
	return holds
}

// answer notes that a folder is not to be asked any more, and says whether it was the last. With mu held.
func (p *Prover) answer(c *copied) (last bool) {
	c.state = answered
	p.idle.Broadcast()
	if p.left--; p.left == 0 {
		p.list = nil
	}
	return p.left == 0
}
