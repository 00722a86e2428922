package placement

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"go.uber.org/zap"
)

const (
	adoptAt    = 4                // logs that are made at once
	slowAt     = 12               // and so many more that have taken longer than slowAfter
	slowAfter  = 10 * time.Second // a log that takes longer keeps no other waiting
	comingWait = 2 * time.Second  // what has not come by then comes beside
	mostComing = 64               // sessions on their way, with which no others are claimed; half of them may be such as are owed
	fullTime   = time.Minute      // for so long a node takes no session unasked whose disk has failed to store one
)

// taker has sessions come here. A session that is to be here is owed, or it comes: its log is made beside, and then the mover's goroutine has it be taken up.
type taker struct {
	adopter
	owed    map[string]arrival // sessions that are this node's, and are to be here
	coming  map[string]*coming // sessions of which the log is being made, or was
	ready   []*coming          // those of which it was
	through chan *coming       // from there
	full    time.Time          // when the disk has last failed to store one
	more    bool               // the last turn has left some for when others have come

	quick, slow chan struct{} // slots: who makes a log has one
	making      sync.WaitGroup
}

// coming is a session that is on its way. While its log is made, it is that goroutine's, but for who asks.
type coming struct {
	arrival
	err  error
	asks []*asking // who waits for it
}

func newTaker(h *hand) *taker {
	return &taker{
		adopter: adopter{h}, owed: map[string]arrival{}, coming: map[string]*coming{}, through: make(chan *coming),
		quick: make(chan struct{}, adoptAt), slow: make(chan struct{}, slowAt),
	}
}

// owes notes a session that this node has in Core, and not here.
func (t *taker) owes(at core.Position) {
	_, owed := t.owed[at.Session]
	if !owed && t.coming[at.Session] == nil {
		t.owed[at.Session] = arrival{Claimed: core.Claimed{At: at}, Anew: true}
	}
}

// beginAll has claimed sessions go on here: their logs are made at once, and then they arrive. What fails is owed. It does not wait: somebody else may ask for
// a session.
func (t *taker) beginAll(claimed ...arrival) (begun map[string]bool) {
	begun = map[string]bool{}
	for i := range claimed {
		if x := &claimed[i]; t.begin(x) {
			begun[x.At.Session] = true
		}
	}
	return begun
}

// takeIn is beginAll, and waits for them: those that are claimed next are as many as this node can make. What has not arrived after a while comes beside.
func (t *taker) takeIn(claimed ...arrival) {
	left := t.beginAll(claimed...)
	late := time.NewTimer(comingWait)
	defer late.Stop()
	for waits := true; waits && len(left) > 0; {
		select {
		case x := <-t.through:
			t.ready = append(t.ready, x)
			delete(left, x.At.Session)
		case <-late.C:
			waits = false
		case <-t.ctx.Done():
			waits = false
		}
	}
	t.land()
}

// begin has the log of a session be made, and says whether it does: one that comes already, and was claimed again meanwhile, comes when that has failed.
func (t *taker) begin(a *arrival) bool {
	id := a.At.Session
	if t.coming[id] != nil {
		t.owed[id] = *a
		return false
	}
	delete(t.owed, id)
	x := &coming{arrival: *a}
	t.coming[id] = x
	t.making.Go(func() { // ends with the log, which ends with its time
		x.err = t.build(&x.arrival)
		select {
		case t.through <- x:
		case <-t.ctx.Done():
		}
	})
	return true
}

// build makes the log of a session when there is a slot.
func (t *taker) build(x *arrival) error {
	select {
	case t.quick <- struct{}{}:
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	slot := sync.OnceFunc(func() { <-t.quick })
	defer slot()
	over := make(chan struct{})
	t.making.Go(func() { // ends with the log
		late := time.NewTimer(slowAfter)
		defer late.Stop()
		select {
		case <-late.C:
		case <-over:
			return
		}
		select {
		case t.slow <- struct{}{}:
			slot()
			<-over
			<-t.slow
		case <-over:
		}
	})
	defer close(over)
	return t.adopt(x)
}

// land has sessions be taken up of which the log was made, where they are this node's still: parents before their children, which would end else.
func (t *taker) land() {
	life, alive, _ := t.gate.is(time.Now())
	if len(t.ready) == 0 || !alive {
		return
	}
	slices.SortStableFunc(t.ready, func(a, b *coming) int { return cmp.Compare(a.Record.Created.UnixMicro(), b.Record.Created.UnixMicro()) })
	some := t.ready[:min(len(t.ready), askedOnce)]
	ids := make([]string, len(some))
	for n, x := range some {
		ids[n] = x.At.Session
	}
	ctx, cancel := t.call()
	at, err := t.core.Positions(ctx, ids)
	cancel()
	if err != nil {
		return
	}
	later := slices.Clone(t.ready[len(some):])
	for n, x := range some {
		if t.coming[x.Record.Parent] != nil {
			later = append(later, x)
			continue
		}
		t.settle(x, at[n], life)
	}
	t.ready = later
}

// settle ends the coming of a session: it is here then, or owed, or another node's.
func (t *taker) settle(x *coming, at core.Position, life core.Owner) {
	id, err := x.At.Session, x.err
	delete(t.coming, id)
	if err == nil {
		err = t.arrive(x, at, life)
	}
	switch {
	case err == nil:
		t.cfg.Log.Info("a session goes on here", zap.String("session", id), zap.String("from", x.Had.Node), zap.Bool("lost", x.Lost))
	case errors.Is(err, errNothing):
	case errors.Is(err, errHere):
		t.cfg.Log.Warn("Core had forgotten that this node has a session, and gave it once more", zap.String("session", id), zap.String("from", x.Had.Node))
		if t.cfg.Answers != nil {
			t.cfg.Answers()
		}
	case errors.Is(err, errNotOurs):
		t.drop(&x.arrival)
		t.cfg.Log.Warn("a session that was on its way here is another node's", zap.String("session", id))
	case isFull(err) && t.giveBack(&x.arrival):
		t.cfg.Log.Error("this node cannot store a session that it has claimed, and leaves it to others", zap.String("session", id), zap.Error(err))
	default:
		t.owe(&x.arrival, err)
	}
	for _, a := range x.asks {
		if errors.Is(err, errNotOurs) {
			a.done <- refusalOf(lostTo(at))
		} else {
			a.done <- t.found(id)
		}
	}
}

// arrive has a session that was adopted be taken up. Those below it need not wait any more.
func (t *taker) arrive(x *coming, at core.Position, life core.Owner) error {
	id := x.At.Session
	switch {
	case at.Owner.Node != life.Node:
		return errNotOurs
	case at.Lease != x.At.Lease:
		return errAnother
	}
	if _, owed := t.owed[x.Record.Parent]; owed && x.dependent {
		return errNoParent
	}
	ctx, cancel := t.call()
	defer cancel()
	if err := t.Sessions.Arrive(ctx, id, x.Lost); err != nil {
		return err
	}
	t.Returned(id)
	t.Moved(id)
	for child, c := range t.owed {
		if c.Record.Parent == id {
			c.till = time.Now()
			t.owed[child] = c
			t.by(c.till)
		}
	}
	return nil
}

// owe has a session that could not be taken in be tried again, unless it was claimed again meanwhile.
func (t *taker) owe(x *arrival, err error) {
	id := x.At.Session
	if _, again := t.owed[id]; again {
		return
	}
	wait := x.failed(time.Now())
	t.owed[id] = *x
	t.by(x.till)
	t.cfg.Log.Warn("a session that is this node's now could not be taken in; it is tried again", zap.String("session", id), zap.Duration("after", wait),
		zap.Error(err))
}

// by has the mover look for what is to be done at a time, or before.
func (t *taker) by(at time.Time) {
	if t.next.IsZero() || at.Before(t.next) {
		t.next = at
	}
}

// drop sets a folder aside that was made of a session and does not count any more: all of it is in Core.
func (t *taker) drop(x *arrival) {
	id := x.At.Session
	if x.made == "" || t.Knows(id) {
		return
	}
	if err := t.Logs.SetAside(id, aside(folder.Moved)); err != nil {
		t.cfg.Log.Warn("a folder of a session that does not count any more stays", zap.String("session", id), zap.Error(err))
	}
}

// giveBack gives a session to nobody that was claimed and could not be stored. One that this node had before, and of whose folder the rest is gone, stays owed:
// an epoch begins with it here.
func (t *taker) giveBack(x *arrival) bool {
	t.full = time.Now()
	life, alive, _ := t.gate.is(t.full)
	if x.Anew || !alive {
		return false
	}
	ctx, cancel := t.call()
	defer cancel()
	answers, err := t.core.Release(ctx, life, []core.Handed{{Session: x.At.Session, Lease: x.At.Lease, Head: x.At.Head}})
	return err == nil && answers[0].Taken
}

func (t *taker) wasFull() bool { return !t.full.IsZero() && time.Since(t.full) < fullTime }

// settleOwed tries again what is owed, where it is due and this node's still.
func (t *taker) settleOwed() {
	var due []string
	for id, x := range t.owed {
		switch {
		case t.coming[id] != nil:
		case time.Now().Before(x.till):
			t.by(x.till)
		case len(t.coming)+len(due) < mostComing/2:
			due = append(due, id)
		default:
			t.more = true
		}
	}
	t.retry(due...)
}

// retry tries again what is owed, where it is this node's still.
func (t *taker) retry(ids ...string) {
	var again []arrival
	for _, id := range ids {
		x := t.owed[id]
		ctx, cancel := t.call()
		p, r, ok, err := t.core.Session(ctx, id)
		cancel()
		life, alive, _ := t.gate.is(time.Now())
		switch {
		case err != nil || !alive:
			return
		case !ok, p.Owner.Node != life.Node:
			t.drop(&x)
			delete(t.owed, id)
			continue
		case t.Knows(id) && t.Newest(id).Epoch >= p.Epoch:
			delete(t.owed, id)
			continue
		}
		if x.made != p.Lease {
			t.drop(&x)
			x.made = ""
		}
		x.At, x.Record = p, r
		again = append(again, x)
	}
	t.beginAll(again...)
}
