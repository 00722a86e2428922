package placement

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

// A node says that it lives three times in the time after which others take it for gone.
const (
	Lease      = 30 * time.Second
	LeastLease = time.Second
	beats      = 3
	sureFor    = 0.7                    // of the lease, from the beginning of a beat
	firstWait  = 100 * time.Millisecond // for a life, and for a Core that does not answer: doubled up to the time between beats
	callTime   = 5 * time.Second
	lookEvery  = time.Second // whether the machine has slept, of which no timer tells
)

// Config is what a Placement works with.
type Config struct {
	// Connect opens a way to Core. The beats have one, and what moves has one.
	Connect func(ctx context.Context) (core.Core, error)
	// Life is the life of this node that Core knows; ok is false until there is one.
	Life func() (o core.Owner, ok bool)
	// Rejoin says that a life is over: another one is to begin.
	Rejoin func(core.Owner)
	// Answers is told that Core answers again behind a beat that it has not heard, or has forgotten what is this node's: it may have gone back. nil: nobody
	// wants to know.
	Answers func()
	// Owns says that a session is this node's, whatever a position says: Core went back, and is told so again.
	Owns func(core.Position) bool
	// Told is what the node says of itself; its lease is set here.
	Told  func() core.Beat
	Lease time.Duration // 0: Lease
	Node  *Node         // its sessions; nil: none moves
	// Uptime is how long the machine has been up, its sleep included, and 0 where that is not known now; nil: the system's. Differences of it are looked at.
	Uptime func() time.Duration
	Log    *zap.Logger
}

// Placement beats until it is closed.
type Placement struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	gate *gate
	*mover
	hurry chan struct{} // one slot: a beat is wanted now

	core   core.Core  // nil: it was not opened yet; of the goroutine, as are the next
	state  core.State // that Core gave last
	missed bool       // Core has not heard the last beat
}

// Begin has a node beat, and its sessions move.
func Begin(cfg Config) *Placement {
	if cfg.Lease == 0 {
		cfg.Lease = Lease
	}
	if cfg.Uptime == nil {
		cfg.Uptime = uptime
	}
	p := &Placement{cfg: cfg, done: make(chan struct{}), gate: &gate{sleep: newSleep(cfg.Uptime, time.Now())}, hurry: make(chan struct{}, 1)}
	p.ctx, p.end = context.WithCancel(context.Background())
	if cfg.Node != nil {
		p.gate.tell = cfg.Node.Sessions.Confirm
		p.mover = newMover(p.ctx, &p.cfg, p.gate, p.hurry)
		go p.mover.run() // ends with Close
	}
	go p.run() // likewise
	return p
}

// Close ends it. The node's lease runs out by itself.
func (p *Placement) Close() {
	p.end()
	<-p.done
	if p.mover != nil {
		<-p.mover.done
	}
}

func (p *Placement) every() time.Duration { return p.cfg.Lease / beats }

func (p *Placement) run() {
	defer close(p.done)
	defer p.leave()
	again := firstWait
	for p.ctx.Err() == nil {
		wait := p.every()
		p.gate.look(time.Now())
		if p.beat() {
			again = firstWait
		} else {
			wait, again = again, min(2*again, p.every())
		}
		if left, ok := p.gate.ends(time.Now()); ok {
			wait = min(wait, left)
		}
		p.rest(wait)
	}
}

// rest returns when the next beat is due: its time has come, somebody wants one, or the machine has slept, and others may have its sessions by now.
func (p *Placement) rest(wait time.Duration) {
	due, look := time.NewTimer(wait), time.NewTicker(lookEvery)
	defer due.Stop()
	defer look.Stop()
	for {
		select {
		case <-due.C:
			return
		case <-p.hurry:
			return
		case <-p.ctx.Done():
			return
		case <-look.C:
			if p.gate.woke(time.Now()) {
				return
			}
		}
	}
}

// beat says once that the node lives, and whether Core has heard it. What is wrong with Core the shipper tells, which asks it for more.
func (p *Placement) beat() bool {
	life, ok := p.cfg.Life()
	if !ok {
		return false
	}
	ctx, cancel := context.WithTimeout(p.ctx, callTime)
	defer cancel()
	if p.core == nil {
		c, err := p.cfg.Connect(ctx)
		if err != nil {
			return false
		}
		p.core = c
	}
	told := p.cfg.Told()
	told.Lease = p.cfg.Lease
	begun := time.Now()
	slept := p.gate.sleep.by(begun)
	is, err := p.core.Beat(ctx, life, told)
	if err != nil {
		p.missed = true
		return false
	}
	if p.missed && p.cfg.Answers != nil {
		p.cfg.Answers()
	}
	p.missed = false
	p.heard(life, begun, slept, is)
	return is == core.StateUp || is == core.StateDraining
}

// heard takes what Core believes of the node.
func (p *Placement) heard(life core.Owner, begun time.Time, slept time.Duration, is core.State) {
	isNew := is != p.state
	p.state = is
	switch is {
	case core.StateUp, core.StateDraining:
		p.gate.beaten(life, begun, slept, begun.Add(time.Duration(sureFor*float64(p.cfg.Lease))), time.Now())
		p.stir()
	case core.StateDead, core.StateLeft:
		p.cfg.Log.Warn("other nodes have taken this one for gone; it joins again", zap.String("state", string(is)))
		p.gate.beaten(core.Owner{}, begun, slept, time.Time{}, time.Now())
		p.cfg.Rejoin(life)
	default:
		if isNew {
			p.cfg.Log.Warn("other nodes do not take this one for up", zap.String("state", string(is)),
				zap.String("hint", "a daemon that was started later has the identity of this data folder: of a folder and its copy use one"))
		}
	}
}

// Drain has the node give away what other nodes can have, and take nothing any more. Turns may come to their end for a while, and are interrupted then. It
// does not wait; Draining tells how far it is.
func (p *Placement) Drain(wait time.Duration) {
	p.mover.giver.Drain(wait)
	p.mover.wake()
}

// Join has a node that drains take sessions again, in another life: Core lets one that drains take none. What it has given away by then it does not have
// any more. It does not wait.
func (p *Placement) Join() {
	if !p.mover.giver.join() {
		return
	}
	if life, ok := p.cfg.Life(); ok {
		p.cfg.Rejoin(life)
	}
	select {
	case p.hurry <- struct{}{}:
	default:
	}
	p.mover.wake()
}

// Draining says whether the node drains, and how many sessions are here still that others can have; below 0: they were not counted yet.
func (p *Placement) Draining() (left int, is bool) { return p.mover.giver.Draining() }

// stir has the mover look for what there is to do.
func (p *Placement) stir() {
	if p.mover != nil {
		p.mover.wake()
	}
}

// leave gives the way to Core back.
func (p *Placement) leave() {
	if p.core != nil {
		p.core.Close()
	}
}
