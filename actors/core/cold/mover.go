package cold

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"go.uber.org/zap"
)

const (
	passEvery  = time.Minute
	sweepEvery = time.Hour
	passTime   = 10 * time.Minute // bounds a pass, and a sweep, each: what is left the next one does
)

// Config is what a Mover works with.
type Config struct {
	// Connect opens a way to Core that only the Mover uses.
	Connect func(ctx context.Context) (core.Core, error)
	// Open opens the store.
	Open func() (objects.Store, error)
	Log  *zap.Logger
}

// Mover is a goroutine with a Compactor. Each node may have one.
type Mover struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}

	core   core.Core     // nil: it was not opened yet; of the goroutine, as is what follows
	store  objects.Store // likewise
	swept  time.Time
	failed time.Time // when it failed last; zero: it works

	fails atomic.Bool // whoever asks is told
	moved atomic.Uint64
}

// Stands says whether events can move into the object store, as far as is known, and how many have. Any goroutine may ask.
func (m *Mover) Stands() (works bool, moved uint64) { return !m.fails.Load(), m.moved.Load() }

// Begin has events move into objects until the Mover is closed.
func Begin(cfg Config) *Mover {
	m := &Mover{cfg: cfg, done: make(chan struct{})}
	m.ctx, m.end = context.WithCancel(context.Background())
	go m.run() // ends with Close
	return m
}

// Close ends it. A segment that is on its way is made by somebody else, later.
func (m *Mover) Close() {
	m.end()
	<-m.done
}

func (m *Mover) run() {
	defer close(m.done)
	defer m.leave()
	again := time.NewTicker(passEvery)
	defer again.Stop()
	for m.ctx.Err() == nil {
		now := time.Now()
		r, deleted, err := m.turn(now)
		m.note(now, r, deleted, err)
		select {
		case <-again.C:
		case <-m.ctx.Done():
		}
	}
}

// turn is one pass, and now and then a sweep, whatever became of the pass: what goes makes room.
func (m *Mover) turn(now time.Time) (r Report, deleted int, err error) {
	err = m.within(func(ctx context.Context) (err error) {
		r, err = m.compactor().Pass(ctx)
		if ctx.Err() != nil && r.Segments > 0 {
			err = nil // there was more to do than there was time
		}
		return err
	})
	if m.store == nil || now.Sub(m.swept) < sweepEvery {
		return r, 0, err
	}
	failed := m.within(func(ctx context.Context) (err error) {
		deleted, err = m.compactor().Sweep(ctx)
		return err
	})
	if failed == nil {
		m.swept = now
	}
	return r, deleted, cmp.Or(err, failed)
}

func (m *Mover) compactor() *Compactor { return &Compactor{Core: m.core, Store: m.store} }

// within does something with Core and the store, in the time for it.
func (m *Mover) within(do func(ctx context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(m.ctx, passTime)
	defer cancel()
	if m.core == nil {
		if m.core, err = m.cfg.Connect(ctx); err != nil {
			m.core = nil
			return err
		}
	}
	if m.store == nil {
		if m.store, err = m.cfg.Open(); err != nil {
			m.store = nil
			return err
		}
	}
	return do(ctx)
}

// note tells what was done, and when something begins to fail or works again.
func (m *Mover) note(now time.Time, r Report, deleted int, err error) {
	if m.ctx.Err() != nil {
		return
	}
	m.moved.Add(r.Events)
	defer func() { m.fails.Store(!m.failed.IsZero()) }()
	if r.Segments > 0 || deleted > 0 {
		m.cfg.Log.Info("events have moved into the object store", zap.Int("sessions", r.Sessions), zap.Int("segments", r.Segments),
			zap.Uint64("events", r.Events), zap.Int64("line_bytes", r.Lines), zap.Int64("object_bytes", r.Bytes), zap.Int("deleted_objects", deleted))
	}
	switch {
	case err != nil && m.failed.IsZero():
		m.cfg.Log.Warn("events cannot move into the object store; they stay in the database until they can", zap.Error(err))
	case err == nil && !m.failed.IsZero() && (r.Segments > 0 || now.Sub(m.failed) > core.Busy+passEvery): // else nobody has tried it again yet
		m.cfg.Log.Info("events can move into the object store again")
		m.failed = time.Time{}
	}
	if err != nil {
		m.failed = now
	}
}

func (m *Mover) leave() {
	if m.core != nil {
		m.core.Close()
	}
	if m.store != nil {
		m.store.Close()
	}
}
