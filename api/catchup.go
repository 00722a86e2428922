package api

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A reader that lags holds one buffer while its client takes what is in it. Its size is that of many events and less than that of
// the longest: a client that does not read costs the same wherever in the log it stands.
const (
	catchUpBytes = 32 << 10
	readBytes    = 8 << 10 // of it: for what is read from the journal at once
	frameBytes   = 64      // of a frame beside its line
)

// catchUpBuffers are shared by all readers that lag.
var catchUpBuffers = sync.Pool{New: func() any { return new([catchUpBytes]byte) }}

// catchUp sends from the journal what the ring no longer has.
func (s *stream) catchUp(ctx context.Context) error {
	err := s.fromJournal(ctx, s.reader.Ring.Head())
	var gone *journal.GoneError
	if errors.As(err, &gone) { // retention has overtaken this reader
		return s.restart()
	}
	return err
}

// fromJournal makes frames of the journal's lines as they come by: a line that is longer than the buffer goes out in pieces.
func (s *stream) fromJournal(ctx context.Context, head uint64) error {
	part, err := s.reader.Log.Range(s.at.Seq, head)
	if err != nil {
		return err
	}
	defer part.Close()
	buf := catchUpBuffers.Get().(*[catchUpBytes]byte)
	defer catchUpBuffers.Put(buf)
	const room = catchUpBytes - readBytes // for frames; the rest is for what was read
	out := buf[:0:room]
	whole := s.at // of the last event whose frame is whole
	begun := false
	for part.Size() > 0 {
		n, err := part.Read(buf[room:])
		if n == 0 && err != nil {
			return err
		}
		for in := buf[room : room+n]; len(in) > 0; {
			line, rest, ends := bytes.Cut(in, []byte{'\n'})
			if len(out)+len(line)+frameBytes > room {
				if err := s.flush(ctx, out, whole.Seq); err != nil {
					return err
				}
				out = out[:0]
			}
			if !begun {
				out = protocol.AppendSSEHead(out, protocol.Cursor{Epoch: whole.Epoch, Seq: whole.Seq + 1})
			}
			out = append(out, line...)
			if begun = !ends; ends {
				out = append(out, "\n\n"...)
				whole.Seq++
			}
			in = rest
		}
	}
	return s.flush(ctx, out, whole.Seq)
}

// flush sends what is framed; last is the last event of which everything is sent then.
func (s *stream) flush(ctx context.Context, out []byte, last uint64) error {
	if err := s.write(out); err != nil {
		return err
	}
	s.moved(last)
	return context.Cause(ctx)
}
