package stream

import (
	"context"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// stream is one reader of one session: a position, and the goroutine of its HTTP handler. It costs the session's actor a
// member of the subscriber set and nothing per event.
type stream struct {
	logs   *Logs
	id     string
	reader *session.Reader
	isNode bool // another node reads it, for all that read there

	out   *http.ResponseController
	w     http.ResponseWriter
	at    protocol.Cursor // of the last event sent, or where the connection began
	wrote time.Time       // the last frame
	told  bool            // that the log is damaged
	over  []byte          // frames of overflows that are sent next
	again uint64          // the event for which the session has looked at its journal anew; 0: none
}

// tellDamage says, once everything that can be read was sent, that this is not the log's end.
func (s *stream) tellDamage() error {
	s.told = true
	return s.write(protocol.AppendDamageFrame(nil, s.reader.Damage))
}

// overflowed says that there are overflows behind the events that were sent.
func (s *stream) overflowed() bool {
	s.over = s.reader.Overflow(s.at.Seq)
	return len(s.over) > 0
}

func (s *stream) moved(seq uint64) {
	s.at.Seq = seq
	s.reader.At(seq)
}

// restart tells the client that what it holds is void, and begins with the oldest event.
func (s *stream) restart() error {
	since, reset, _ := reading.Locate(s.reader, protocol.Cursor{}, s.reader.Ring.Head())
	s.at = s.reader.Cursor(since)
	return s.write(protocol.AppendReset(nil, reset))
}

// lookAgain has the session look at its journal, once for each event, where that is not as it was written; the stream goes on with what it has
// found.
func (s *stream) lookAgain(ctx context.Context, err error) bool {
	was := s.again
	s.again = s.at.Seq + 1
	return s.again != was && s.reader.Doubt(ctx, err)
}

// rejoin follows a session whose actor was put away or replaced.
func (s *stream) rejoin(ctx context.Context) error {
	reader, err := s.logs.Door.Join(ctx, s.id, s.reader.Name)
	if err != nil {
		return err
	}
	s.reader.Leave()
	s.reader = reader
	since, _, ok := reading.Locate(reader, s.at, reader.Ring.Head())
	if !ok {
		return s.restart()
	}
	s.at = reader.Cursor(since) // the log may be in another epoch, of which all cursors are from here on
	reader.At(since)
	return nil
}

// write sends and flushes; the deadline is armed by answer.
func (s *stream) write(b []byte) error {
	if err := s.put(b); err != nil {
		return err
	}
	return s.flush()
}

// put sends; net/http may hold the last few KiB until flush, or until more is put.
func (s *stream) put(b []byte) error {
	failpoint.Torn("stream/midFrame", s.w, b)
	if _, err := s.w.Write(b); err != nil {
		return answer.Lost(err)
	}
	s.wrote = time.Now()
	return nil
}

func (s *stream) flush() error {
	if err := s.out.Flush(); err != nil {
		return answer.Lost(err)
	}
	return nil
}
