package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A reader that lags holds one buffer while its client takes what is in it. Its size is that of many events and less than that of
// the longest: a client that does not read costs the same wherever in the log it stands. Where many lag at once, a reader that comes then has a small
// one: thousands that do not read are not to cost thousands of large ones, and none waits for another's. A small one takes more calls.
const (
	catchUpBytes = 48 << 10
	catchUpSmall = 4 << 10
	catchUpLarge = 64 // readers that have a large one
	frameBytes   = 64 // of a frame beside its line
)

// frameGap is by how much frames may be longer than the lines that they are made of in place, in a buffer of so many bytes.
func frameGap(buf int) int { return min(buf/4, 2<<10) }

// catchUpBuffers are shared by all readers that lag.
type catchUpBuffers struct {
	large, small sync.Pool
	lent         atomic.Int64 // large ones
}

var lagging catchUpBuffers

// take gives a buffer; back gives it back.
func (c *catchUpBuffers) take() (buf []byte, back func()) {
	if c.lent.Add(1) <= catchUpLarge {
		large, _ := c.large.Get().(*[catchUpBytes]byte)
		if large == nil {
			large = new([catchUpBytes]byte)
		}
		return large[:], func() { c.large.Put(large); c.lent.Add(-1) }
	}
	c.lent.Add(-1)
	small, _ := c.small.Get().(*[catchUpSmall]byte)
	if small == nil {
		small = new([catchUpSmall]byte)
	}
	return small[:], func() { c.small.Put(small) }
}

// catchUp sends from the journal what the ring no longer has.
func (s *stream) catchUp(ctx context.Context) error {
	err := s.fromJournal(ctx, s.reader.Ring.Head())
	var gone *store.GoneError
	if errors.As(err, &gone) { // retention has overtaken this reader
		return s.restart()
	}
	return err
}

// fromJournal makes frames of the journal's lines where they were read to, in one buffer: they grow from its start towards what
// is still to be framed, and go out when they come near it. A line that is longer than the buffer goes out in pieces.
func (s *stream) fromJournal(ctx context.Context, head uint64) error {
	part, err := s.reader.Log.Range(s.at.Seq, head)
	if err != nil {
		return err
	}
	defer part.Close()
	if err := part.Whole(); err != nil { // before half a line is sent
		return err
	}
	buf, back := lagging.take()
	defer back()
	out, gap := buf[:0], frameGap(len(buf))
	whole := s.at // of the last event whose frame is whole
	begun := false
	for part.Size() > 0 {
		n, err := part.Read(buf[gap:])
		if n == 0 && err != nil {
			if begun { // nothing can follow half a frame
				s.reader.Doubt(ctx, err)
				return fmt.Errorf("half of event %d was sent: %v", whole.Seq+1, err) //nolint:errorlint // nobody is to go on behind it
			}
			return err
		}
		for at, end := gap, gap+n; at < end; {
			if len(out)+frameBytes > at {
				if err := s.send(ctx, out, whole.Seq); err != nil {
					return err
				}
				out = out[:0]
			}
			line, _, ends := bytes.Cut(buf[at:end], newline)
			at += len(line)
			if !begun {
				if !store.Begins(line, whole.Seq+1) {
					return errors.Join(s.send(ctx, out, whole.Seq), s.reader.Log.Damaged(whole.Seq+1, "the line is not the event that should follow"))
				}
				out = protocol.AppendSSEHead(out, protocol.Cursor{Epoch: whole.Epoch, Seq: whole.Seq + 1})
			}
			out = append(out, line...) // moves it
			if begun = !ends; ends {
				at++
				out = append(out, "\n\n"...)
				whole.Seq++
			}
		}
		if err := s.send(ctx, out, whole.Seq); err != nil {
			return err
		}
		out = out[:0]
	}
	return s.flush()
}

var newline = []byte{'\n'}

// send hands on what is framed; last is the last event of which everything is sent then.
func (s *stream) send(ctx context.Context, out []byte, last uint64) error {
	if err := s.put(out); err != nil {
		return err
	}
	s.moved(last)
	return context.Cause(ctx)
}
