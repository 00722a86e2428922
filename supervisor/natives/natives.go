// Package natives puts the native lines of sessions into Core's object store, so that other nodes give them, too, when a session has moved there or its node
// is gone. What is put is a stretch of an archive (package raw) that will not change any more: what is before its newest pack, and all of it while no
// connection runs. It is done beside the sessions, by one goroutine, and holds up nothing: while the store is away the archives stay files, and go later.
package natives

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"go.uber.org/zap"
)

const (
	firstWait   = 2 * time.Second // for a session that Core does not have yet, and for a Core or a store that is away: doubled up to the next
	longestWait = 10 * time.Minute
	callTime    = 5 * time.Minute // bounds the work on some sessions
	surveyEvery = time.Hour
	askedOnce   = 100 // sessions of a call to Core
)

// Config is what Natives work with.
type Config struct {
	// Connect opens a way to Core that they alone use.
	Connect func(ctx context.Context) (core.Core, error)
	// Open opens the store.
	Open func() (objects.Store, error)
	// Node is the data folder's name.
	Node string
	// Sessions gives the ids of all sessions of this node. It is asked now and then: what an earlier life has left is put, and what Core has lost.
	Sessions func() []string
	// Epoch is the newest epoch of a session of this node; 0: it is not here.
	Epoch func(id string) uint64
	// Written returns when what was said before is in a session's archive. isLive: a connection of it runs, which may say more.
	Written func(ctx context.Context, id string) (isLive bool, err error)
	Data    folder.Data
	Files   disk.FS       // nil: the system's
	Logs    store.Carrier // nil: no session moves
	Log     *zap.Logger
}

// Natives is the goroutine that puts them. What it is told is a set of sessions, and their folders and Core say the rest.
type Natives struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	wake chan struct{}

	mu    sync.Mutex
	noted map[string]bool

	pauses cold.Pauses // of sessions of which Core takes nothing now
	worked atomic.Bool // something was put since tell looked

	turn  chan struct{} // one slot: who has it works on sessions, and has what follows
	core  core.Core     // nil: it was not opened yet
	store objects.Store // likewise

	failed time.Time // when it failed last; zero: it works. Of the goroutine
}

// Begin has native lines put.
func Begin(cfg Config) *Natives {
	if cfg.Files == nil {
		cfg.Files = disk.OS()
	}
	n := &Natives{cfg: cfg, done: make(chan struct{}), wake: make(chan struct{}, 1), turn: make(chan struct{}, 1), noted: map[string]bool{}}
	n.ctx, n.end = context.WithCancel(context.Background())
	go n.run() // ends with Close
	return n
}

// Close ends it. What is not put yet, the next life puts.
func (n *Natives) Close() {
	n.end()
	<-n.done
}

// Note says that there may be lines of a session to be put. It waits for nobody. A nil one, where there is no store, does nothing.
func (n *Natives) Note(id string) {
	if n == nil {
		return
	}
	n.note(id)
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

func (n *Natives) note(ids ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, id := range ids {
		n.noted[id] = true
	}
}

// next takes some of those that were noted.
func (n *Natives) next() (ids []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id := range n.noted {
		if len(ids) == askedOnce {
			break
		}
		delete(n.noted, id)
		ids = append(ids, id)
	}
	return ids
}

// Put puts what there is of a session, and says whether all of it is there then. It tries again until ctx is done where it is told that somebody else is at the
// session's objects, and not where Core or the store do not answer, or where Core takes nothing of the session before ctx is done. What is left the goroutine
// puts.
func (n *Natives) Put(ctx context.Context, id string) bool {
	if n == nil {
		return true
	}
	for {
		done, err := n.now(ctx, id)
		if done {
			return true
		}
		if err != nil || !n.rests(ctx, id) {
			n.Note(id)
			return false
		}
	}
}

const againAfter = 250 * time.Millisecond

// rests waits until a session may be tried again; false: that is not before ctx is done.
func (n *Natives) rests(ctx context.Context, id string) bool {
	wait := againAfter
	if until, ok := n.pauses.Of(id); ok {
		if end, ok := ctx.Deadline(); ok && end.Before(until) {
			return false
		}
		wait = time.Until(until)
	}
	again := time.NewTimer(wait)
	defer again.Stop()
	select {
	case <-again.C:
		return true
	case <-ctx.Done():
	case <-n.ctx.Done():
	}
	return false
}

// now is one try of Put.
func (n *Natives) now(ctx context.Context, id string) (done bool, err error) {
	if err := n.take(ctx); err != nil {
		return false, err
	}
	defer n.give()
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	left, err := n.some(ctx, []string{id})
	return err == nil && len(left) == 0, err
}

// take waits for the turn.
func (n *Natives) take(ctx context.Context) error {
	select {
	case n.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.ctx.Done():
		return n.ctx.Err()
	}
}

func (n *Natives) give() { <-n.turn }

func (n *Natives) run() {
	defer close(n.done)
	defer n.leave()
	survey := time.NewTicker(surveyEvery)
	defer survey.Stop()
	n.noteAll()
	wait := firstWait
	for n.ctx.Err() == nil {
		isLeft, err := n.all()
		n.tell(isLeft, err)
		var again <-chan time.Time
		switch {
		case err != nil || isLeft:
			again = time.After(n.sooner(wait))
			wait = min(2*wait, longestWait)
		default:
			wait = firstWait
		}
		wake := n.wake
		if err != nil {
			wake = nil // what comes meanwhile waits as well
		}
		select {
		case <-again:
		case <-wake:
			wait = firstWait
		case <-survey.C:
			n.noteAll()
		case <-n.ctx.Done():
		}
	}
}

// sooner is a wait, or the time to the end of the first pause.
func (n *Natives) sooner(wait time.Duration) time.Duration {
	if until, ok := n.pauses.Next(); ok {
		return min(wait, time.Until(until))
	}
	return wait
}

// noteAll notes all that may have lines here: also what Core has lost, which went back.
func (n *Natives) noteAll() {
	n.note(n.cfg.Sessions()...)
	if n.cfg.Logs == nil {
		return
	}
	shelved, err := n.cfg.Logs.Shelved()
	if err != nil {
		n.cfg.Log.Warn("look at what was set aside", zap.Error(err))
	}
	n.note(shelved...)
}

func (n *Natives) open(ctx context.Context) error {
	if n.core == nil {
		c, err := n.cfg.Connect(ctx)
		if err != nil {
			return err
		}
		n.core = c
	}
	if n.store == nil {
		s, err := n.cfg.Open()
		if err != nil {
			return err
		}
		n.store = s
	}
	return nil
}

// tell says when something begins to fail, or works again: something was put, or nothing that failed is left for as long as that could be.
func (n *Natives) tell(isLeft bool, err error) {
	isPut, now := n.worked.Swap(false), time.Now()
	switch {
	case n.ctx.Err() != nil:
		return
	case err != nil && n.failed.IsZero():
		n.cfg.Log.Warn("native lines cannot be put into the object store; they stay files of this node until they can", zap.Error(err))
	case err == nil && !n.failed.IsZero() && (isPut || !isLeft && now.Sub(n.failed) > core.Busy):
		n.cfg.Log.Info("native lines are put into the object store again")
		n.failed = time.Time{}
	}
	if err != nil {
		n.failed = now
	}
}

func (n *Natives) leave() {
	n.turn <- struct{}{} // whoever has it ends with ctx
	if n.core != nil {
		n.core.Close()
	}
	if n.store != nil {
		n.store.Close()
	}
}
