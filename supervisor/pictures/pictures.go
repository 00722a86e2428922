// Package pictures puts the pictures of prompts into Core's object store, so that other nodes show them, and can go on with their sessions. It does that
// beside what is sent of logs, which waits for no picture: a store that is away holds up nothing. What was not put when a session moved is put of the folder
// that was set aside.
package pictures

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"go.uber.org/zap"
)

const (
	firstWait   = 2 * time.Second // for a session that Core does not have yet, and for a Core or a store that is away: doubled up to the next
	longestWait = 10 * time.Minute
	callTime    = time.Minute // bounds the work on one session
	surveyEvery = time.Hour   // all sessions are looked through: Core may have gone back
)

// Config is what Pictures work with.
type Config struct {
	// Connect opens a way to Core that they alone use.
	Connect func(ctx context.Context) (core.Core, error)
	// Open opens the store.
	Open func() (objects.Store, error)
	// Sessions gives the ids of all sessions of this node. It is asked at the beginning, since an earlier life may have left something, and every hour.
	Sessions func() []string
	// Images is where the pictures are of a session that this node has, or would have them.
	Images func(id string) session.Images
	// Has says that this node has a session. It must not wait.
	Has  func(id string) bool
	Data folder.Data   // where the pictures are of what was set aside
	Logs store.Carrier // nil: no session moves
	Log  *zap.Logger
}

// Pictures is the goroutine that puts them. What it is told is a set of sessions, and their folders say the rest.
type Pictures struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	wake chan struct{}

	mu    sync.Mutex
	noted map[string]bool
	given map[string]bool // sessions that are not here any more, and of which it was told that Core refuses their pictures for that

	pauses cold.Pauses // of sessions of which Core takes nothing now
	worked atomic.Bool // something was put since tell looked

	slot  chan struct{} // one slot: who has it works on a session, and has what follows
	core  core.Core     // nil: it was not opened yet
	store objects.Store // likewise

	failed time.Time // when it failed last; zero: it works. Of the goroutine
}

// Begin has pictures put.
func Begin(cfg Config) *Pictures {
	p := &Pictures{
		cfg: cfg, done: make(chan struct{}), wake: make(chan struct{}, 1), noted: map[string]bool{}, given: map[string]bool{}, slot: make(chan struct{}, 1),
	}
	p.ctx, p.end = context.WithCancel(context.Background())
	go p.run() // ends with Close
	return p
}

// Close ends it. What is not put yet, the next life puts.
func (p *Pictures) Close() {
	p.end()
	<-p.done
}

// Note says that there may be pictures of a session to be put. It waits for nobody. A nil one, where there is no store, does nothing.
func (p *Pictures) Note(id string) {
	if p == nil {
		return
	}
	p.note(id)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Pictures) note(ids ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ids {
		p.noted[id] = true
	}
}

// next takes a session that was noted.
func (p *Pictures) next() (id string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.noted {
		delete(p.noted, id)
		return id, true
	}
	return "", false
}

func (p *Pictures) run() {
	defer close(p.done)
	defer p.leave()
	survey := time.NewTicker(surveyEvery)
	defer survey.Stop()
	p.noteAll()
	wait := firstWait
	for p.ctx.Err() == nil {
		isLeft, err := p.turn()
		p.tell(isLeft, err)
		var again <-chan time.Time
		switch {
		case err != nil || isLeft:
			again = time.After(p.sooner(wait))
			wait = min(2*wait, longestWait)
		default:
			wait = firstWait
		}
		wake := p.wake
		if err != nil && !isOfOne(err) {
			wake = nil // what comes meanwhile waits as well
		}
		select {
		case <-again:
		case <-wake:
			wait = firstWait
		case <-survey.C:
			p.noteAll()
		case <-p.ctx.Done():
		}
	}
}

// sooner is a wait, or the time to the end of the first pause.
func (p *Pictures) sooner(wait time.Duration) time.Duration {
	if until, ok := p.pauses.Next(); ok {
		return min(wait, time.Until(until))
	}
	return wait
}

// noteAll notes all that may have pictures here: also what Core has lost, which went back.
func (p *Pictures) noteAll() {
	p.note(p.cfg.Sessions()...)
	if p.cfg.Logs == nil {
		return
	}
	shelved, err := p.cfg.Logs.Shelved()
	if err != nil {
		p.cfg.Log.Warn("look at what was set aside", zap.Error(err))
		return
	}
	p.note(shelved...)
	p.mu.Lock()
	defer p.mu.Unlock()
	given := map[string]bool{} // of what is set aside still
	for _, id := range shelved {
		if p.given[id] {
			given[id] = true
		}
	}
	p.given = given
}

// turn goes through what was noted, up to an error that is not of one session alone. isLeft: of some it is to be tried again.
func (p *Pictures) turn() (isLeft bool, err error) {
	var left []string
	for (err == nil || isOfOne(err)) && p.ctx.Err() == nil {
		id, ok := p.next()
		if !ok {
			break
		}
		done, failed := p.now(p.ctx, id)
		if !done {
			left = append(left, id)
		}
		if failed != nil && (err == nil || !isOfOne(failed)) {
			err = failed
		}
	}
	p.note(left...)
	return len(left) > 0, err
}

// tell says when something begins to fail, or works again: something was put, or nothing that failed is left for as long as that could be.
func (p *Pictures) tell(isLeft bool, err error) {
	isPut, now := p.worked.Swap(false), time.Now()
	switch {
	case p.ctx.Err() != nil:
		return
	case err != nil && p.failed.IsZero():
		p.cfg.Log.Warn("pictures of prompts cannot be put into the object store; other nodes cannot show them until they can", zap.Error(err))
	case err == nil && !p.failed.IsZero() && (isPut || !isLeft && now.Sub(p.failed) > core.Busy):
		p.cfg.Log.Info("pictures of prompts are put into the object store again")
		p.failed = time.Time{}
	}
	if err != nil {
		p.failed = now
	}
}

func (p *Pictures) leave() {
	p.slot <- struct{}{} // whoever has it ends with his context
	if p.core != nil {
		p.core.Close()
	}
	if p.store != nil {
		p.store.Close()
	}
}
