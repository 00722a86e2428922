package shipper

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// parcel is what goes to Core in one statement.
type parcel struct {
	batches []core.Batch
	of      []*item // of each batch
	size    int     // bytes of their lines

	answers []core.Answer
	err     error
	done    chan struct{} // closed when both are there
}

// sending is what a turn sends. While Core takes one parcel, the next is read: where much is to be sent, the disk and the database work at the same time.
type sending struct {
	*talk
	ctx    context.Context
	parcel *parcel // that is being filled
	away   *parcel // that is on its way; nil: none
	size   int     // bytes of all that were filled
}

// round puts a stretch of each session into parcels, and gives those of which more can be sent at once.
func (s *sending) round(items []*item) (left []*item, err error) {
	for _, i := range items {
		if s.size >= s.sizes.turn {
			s.more = true
			return nil, nil
		}
		more, err := s.add(i)
		if err != nil {
			return nil, err
		}
		if more {
			left = append(left, i)
		}
	}
	return left, nil
}

// add puts a session's next stretch into the parcel; more says that there is another behind it.
func (s *sending) add(i *item) (more bool, err error) {
	if !i.known || i.gone || i.problem != nil || i.log == nil {
		return false, nil
	}
	n := compare(i.ahead, i.log, i.shown)
	switch {
	case n.Cut.First > 0:
		if err := s.land(); err != nil {
			return false, err
		}
		return false, s.cut(s.ctx, i, n) // what is left is checked before anything is appended behind it
	case n.Problem != nil:
		s.trouble(i, n.Problem)
		return false, nil
	case !n.Ship || !i.checked:
		return false, nil
	}
	if i.in == s.parcel || s.parcel.size >= s.sizes.parcel {
		if err := s.dispatch(); err != nil {
			return false, err
		}
	}
	stretch, err := i.log.Stretch(i.ahead.Head, i.shown, s.sizes.stretch)
	if err != nil {
		s.unread(i, err)
		return false, nil
	}
	p := s.parcel
	p.batches = append(p.batches, core.Batch{Session: i.id, Lease: i.ahead.Lease, Stretch: stretch, Works: i.works})
	p.of, p.size = append(p.of, i), p.size+len(stretch.Lines)
	s.size += len(stretch.Lines)
	i.in, i.ahead.Head, i.ahead.Epoch = p, stretch.Last(), stretch.Epoch
	return i.ahead.Head < i.shown, nil
}

// dispatch sends the parcel, once Core has answered to the one before.
func (s *sending) dispatch() error {
	if err := s.land(); err != nil {
		return err
	}
	p := s.parcel
	s.parcel = new(parcel)
	p.keepCurrent()
	if len(p.batches) == 0 {
		return nil
	}
	p.done, s.away = make(chan struct{}), p
	go p.deliver(s.ctx, s.core)
	return nil
}

// keepCurrent drops the batches behind one that Core has not taken.
func (p *parcel) keepCurrent() {
	n := 0
	for k, i := range p.of {
		if b := &p.batches[k]; i.known && i.checked && i.at.Lease == b.Lease && i.at.Head+1 == b.First {
			p.batches[n], p.of[n] = *b, i
			n++
		}
	}
	p.batches, p.of = p.batches[:n], p.of[:n]
}

// deliver is the goroutine of a parcel that is on its way.
func (p *parcel) deliver(ctx context.Context, to core.Core) {
	defer close(p.done)
	failpoint.Hit("shipper/beforeAppend")
	if p.answers, p.err = to.Append(ctx, p.batches); p.err == nil {
		failpoint.Hit("shipper/afterAppend")
	}
}

// land waits for the answer to the parcel that is on its way, and takes it over.
func (s *sending) land() error {
	p := s.away
	if s.away = nil; p == nil {
		return nil
	}
	if <-p.done; p.err != nil {
		return p.err
	}
	for n, i := range p.of {
		s.answered(i, &p.batches[n], &p.answers[n])
	}
	return nil
}
