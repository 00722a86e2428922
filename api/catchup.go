package api

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// catchUpBytes is how much of the journal is framed before it is written: several events per write, and little memory per
// lagging reader.
const catchUpBytes = 32 << 10

// catchUp sends from the journal what the ring no longer has.
func (s *stream) catchUp(ctx context.Context) error {
	err := s.fromJournal(ctx, s.reader.Ring.Head())
	var gone *journal.GoneError
	if errors.As(err, &gone) { // retention has overtaken this reader
		return s.restart()
	}
	return err
}

func (s *stream) fromJournal(ctx context.Context, head uint64) error {
	lines, err := s.reader.Log.Lines(s.at.Seq, head)
	if err != nil {
		return err
	}
	defer lines.Close()
	s.buf = make([]byte, 0, catchUpBytes)
	defer func() { s.buf = nil }()
	for lines.Next() {
		at := protocol.Cursor{Epoch: s.at.Epoch, Seq: lines.Seq()}
		if len(s.buf) > 0 && len(s.buf)+len(lines.Line())+64 > catchUpBytes {
			if err := s.flush(at.Seq - 1); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		s.buf = protocol.AppendSSE(s.buf, at, lines.Line())
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return s.flush(head)
}

func (s *stream) flush(last uint64) error {
	if len(s.buf) == 0 {
		return nil
	}
	err := s.write(s.buf)
	s.buf = s.buf[:0]
	if err == nil {
		s.moved(last)
	}
	return err
}
