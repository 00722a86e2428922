package shipper

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

// How often it is tried.
const (
	interval    = 50 * time.Millisecond
	firstWait   = 100 * time.Millisecond
	longestWait = 5 * time.Second
	callTime    = 30 * time.Second
	surveyEvery = 10 * time.Minute
	surveyLeast = 5 * time.Second // between two, and surveyPart times what the last one took
	surveyPart  = 20
)

// Shipper carries the logs of a node's sessions to Core. Its methods may be called by any goroutine, and wait for nobody but for Await and Close.
type Shipper struct {
	talk // of the goroutine, as are the next; its book is everybody's

	node   string
	survey time.Time // when the sessions are to be gone through again
	least  time.Time // not before, where Core may have gone back
	alone  bool      // sessions are sent one at a time, since Core has refused some

	ctx     context.Context
	end     context.CancelFunc
	closing chan struct{} // closed by Close
	done    chan struct{}
}

// New makes one. What it is told before Begin waits.
func New(cfg Config) *Shipper {
	s := &Shipper{talk: talk{book: newBook(), cfg: &cfg, sizes: usual}, closing: make(chan struct{}), done: make(chan struct{})}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// Begin starts it for a node, which is the data folder's instance. It is called once.
func (s *Shipper) Begin(node string) {
	s.node = node
	go s.run()
}

// Close is called after Begin. It sends what is still to be sent, for as long as ctx lasts and Core answers, and ends the shipper. It is called once.
func (s *Shipper) Close(ctx context.Context) {
	defer context.AfterFunc(ctx, s.end)()
	close(s.closing)
	<-s.done
}

func (s *Shipper) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// run is the shipper's goroutine.
func (s *Shipper) run() {
	defer close(s.done)
	defer s.end()
	defer s.leave()
	wait := firstWait
	for s.ctx.Err() == nil {
		busy, err := s.turn()
		s.note(err)
		switch {
		case s.isClosing() && (err != nil || !busy):
			return
		case err != nil:
			s.pause(wait, nil)
			wait = min(2*wait, longestWait)
			continue
		case !busy:
			s.pause(s.rest(s.survey), s.arrived)
		}
		wait = firstWait
		if !s.isFull() && !s.alone && !s.more {
			s.pause(interval, s.hurry)
		}
	}
}

// pause waits, at most until there is news, where news is not nil, and not at all while the shipper is closing.
func (s *Shipper) pause(d time.Duration, news <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-news:
	case <-s.closing:
	}
}

// leave ends the connection to Core.
func (s *Shipper) leave() {
	if s.core != nil {
		s.core.Close()
	}
	s.book.end()
}

// note notes what became of a turn, and tells where that is new.
func (s *Shipper) note(err error) {
	var access *core.AccessError
	switch {
	case !s.heard(err):
	case err == nil:
		s.cfg.Log.Info("Core answers")
	case errors.As(err, &access) && access.IsHere():
		s.cfg.Log.Error("nothing is asked of Core until somebody mends this; sessions go on, and what it lacks is sent then", zap.Error(err))
	case s.ctx.Err() == nil:
		s.cfg.Log.Warn("Core does not answer; sessions go on, and what it lacks is sent when it does", zap.Error(err))
	}
}
