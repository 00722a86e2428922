package submission

import (
	"context"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/api/submission/core"
)

// Submissions are all that are known. They may be used from any goroutine.
type Submissions struct {
	now func() time.Time

	mu      sync.Mutex
	core    *core.Register
	ticket  uint64
	tickets map[uint64]chan<- any // the number of what is to be carried out, then its core.Verdict; of one place each
	numbers map[uint64]uint64     // by ticket: of the submission that it waits for

	file   *file // nil: nothing is kept
	closed bool
}

// New keeps submissions in memory alone.
func New(now func() time.Time) *Submissions {
	return &Submissions{now: now, core: core.New(core.Usual), tickets: map[uint64]chan<- any{}, numbers: map[uint64]uint64{}}
}

// Open keeps submissions in a file of a folder, and knows those of the daemon before. A file that is there and cannot be read is an error: without it what was
// done could be done twice.
func Open(dir string, files disk.FS, now func() time.Time) (*Submissions, error) {
	s := New(now)
	s.file = &file{dir: dir, files: files, idle: sync.NewCond(&s.mu)}
	return s, s.file.read(s.core.Read)
}

// Running is a submission that is to be carried out, by whoever got it. One of its methods must follow.
type Running struct {
	of *Submissions
	n  uint64
	ch <-chan any
}

// Submit takes a submission. Where it is new it is on the disk now, and running is not nil. Otherwise the verdict says what to answer; for a submission that
// is at work Submit waits, no longer than its context, whose cause the error then is.
func (s *Submissions) Submit(ctx context.Context, sub core.Submission) (running *Running, v core.Verdict, err error) {
	ch := make(chan any, 1)
	s.mu.Lock()
	s.ticket++
	ticket := s.ticket
	s.tickets[ticket] = ch
	s.step(&core.Submit{Ticket: ticket, Submission: sub, Now: s.now()})
	s.mu.Unlock()
	select {
	case said := <-ch:
		return s.said(said, ch)
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, waits := s.numbers[ticket]
	if waits {
		s.step(&core.Left{Ticket: ticket, N: n})
		s.forget(ticket)
		return nil, core.Verdict{}, context.Cause(ctx)
	}
	s.mu.Unlock() // it is the first of its key, or was just told something: the disk answers in a moment
	said := <-ch
	s.mu.Lock()
	return s.said(said, ch)
}

func (s *Submissions) said(said any, ch <-chan any) (*Running, core.Verdict, error) {
	if n, runs := said.(uint64); runs {
		return &Running{s, n, ch}, core.Verdict{}, nil
	}
	return nil, said.(core.Verdict), nil
}

// Done says that it was carried out, with this answer, and returns when that is on the disk, as far as the disk takes it.
func (r *Running) Done(a core.Answer) { r.end(core.Done, a) }

// Refused says that nothing was done: the key is free again.
func (r *Running) Refused(a core.Answer) { r.end(core.Refused, a) }

// Unsure says that nobody knows whether something was done.
func (r *Running) Unsure() { r.end(core.Unsure, core.Answer{}) }

func (r *Running) end(o core.Outcome, a core.Answer) {
	r.of.mu.Lock()
	r.of.step(&core.Ended{N: r.n, Outcome: o, Answer: a})
	r.of.mu.Unlock()
	<-r.ch
}

// step takes an input and does what follows. With mu held.
func (s *Submissions) step(in core.Input) {
	for _, e := range s.core.Step(in) {
		switch e := e.(type) {
		case *core.Write:
			s.write(e.Line)
		case *core.Rewrite:
			s.rewrite()
		case *core.Run:
			s.tickets[e.Ticket] <- e.N
		case *core.Wait:
			s.numbers[e.Ticket] = e.N
		case *core.Tell:
			if ch := s.tickets[e.Ticket]; ch != nil {
				ch <- e.Verdict
				s.forget(e.Ticket)
			}
		}
	}
}

func (s *Submissions) forget(ticket uint64) {
	delete(s.tickets, ticket)
	delete(s.numbers, ticket)
}

// Removed forgets what was said of a session that was removed, and returns when that is on the disk, as far as the disk takes it: removing must work on a
// full one.
func (s *Submissions) Removed(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.step(&core.Removed{Session: session})
	for s.file != nil && s.file.anew && s.file.running {
		s.file.idle.Wait()
	}
}

// Close returns when what was written is on the disk. Whoever submits something later is refused, and what is still carried out stays without an answer: the
// file may be another daemon's by then.
func (s *Submissions) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return
	}
	for s.file.running {
		s.file.idle.Wait()
	}
	s.file.shut()
	s.closed = true
}
