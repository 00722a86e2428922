package ring

import "sync/atomic"

// Bells tell one reader of many rings which of them have something new. The reader hangs a bell into each ring; the ring's writer rings it, and the reader
// takes the bells that were rung, the first one first. A bell that was rung and not taken is not rung again, so that a writer pays the same
// beside a reader that is slow.
type Bells struct {
	rung atomic.Pointer[Bell] // newest first
	wake chan struct{}        // has room for one
}

// Bell is what one reader hangs into one ring.
type Bell struct {
	of   *Bells
	down *Bell       // the one that was rung before; of whoever has set rung, until the reader clears it
	rung atomic.Bool // it is among those that were rung
}

// NewBells makes bells of one reader, of which none was rung.
func NewBells() *Bells { return &Bells{wake: make(chan struct{}, 1)} }

// New makes one more bell.
func (s *Bells) New() *Bell { return &Bell{of: s} }

// Ring says that there may be something new. It waits for nobody.
func (b *Bell) Ring() {
	if b.rung.Swap(true) {
		return
	}
	for {
		top := b.of.rung.Load()
		b.down = top
		if !b.of.rung.CompareAndSwap(top, b) {
			continue
		}
		if top == nil {
			select {
			case b.of.wake <- struct{}{}:
			default: // the reader has not taken the wake-up before
			}
		}
		return
	}
}

// Rung gives something when bells were rung since the last Take, and possibly when none were.
func (s *Bells) Rung() <-chan struct{} { return s.wake }

// Take appends to list the bells that were rung, the first one first. What a ring shows must be looked at after its bell was taken: one that is rung from
// then on is taken the next time. Of the reader alone.
func (s *Bells) Take(list []*Bell) []*Bell {
	from := len(list)
	for b := s.rung.Swap(nil); b != nil; {
		list = append(list, b)
		down := b.down
		b.down = nil
		b.rung.Store(false)
		b = down
	}
	for i, j := from, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// Hang has the ring's writer ring a bell at every publish, and when the ring is closed. What was published before is not told of.
func (r *Ring) Hang(b *Bell) {
	for {
		old := r.bells.Load()
		var list []*Bell
		if old != nil {
			list = append(make([]*Bell, 0, len(*old)+1), *old...)
		}
		list = append(list, b)
		if r.bells.CompareAndSwap(old, &list) {
			return
		}
	}
}

// Unhang takes a bell away. It may be rung once more by a publish at the same time.
func (r *Ring) Unhang(b *Bell) {
	for {
		old := r.bells.Load()
		if old == nil {
			return
		}
		list := make([]*Bell, 0, len(*old))
		for _, x := range *old {
			if x != b {
				list = append(list, x)
			}
		}
		next := &list
		if len(list) == 0 {
			next = nil
		}
		if r.bells.CompareAndSwap(old, next) {
			return
		}
	}
}

// ringAll rings every bell that hangs here. Of the writer.
func (r *Ring) ringAll() {
	bells := r.bells.Load()
	switch {
	case bells == nil:
	case len(*bells) <= inlineWake:
		for _, b := range *bells {
			b.Ring()
		}
	default:
		go func() { // the writer does not pay for many readers. Ends at once.
			for _, b := range *bells {
				b.Ring()
			}
		}()
	}
}
