package fold

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Memory is that of all answers that are made as a whole before they are sent, states and whole texts, and of those that are read in large pieces, native
// lines. A caller that wants one takes as much as it may need,
// waits where that is not there, and keeps what the answer takes until its last byte was taken by the client, or the client was let go.
type Memory struct {
	bytes *access.Shares
	most  int64         // that one counts for
	turn  chan struct{} // of the large ones: one is made at a time

	// Large is from how many bytes of log on answers are made one at a time, and of states only the frame is in memory; Long is from how many
	// bytes of a line of such a log on its text stays there. Tests have other values.
	Large int64
	Long  int
	// Elements is how many turns, entries and requests a whole state has at most: of each some hundred bytes are in memory until all is sent. A longer one is
	// read by page.
	Elements int
}

const (
	floor    = 1 << 20 // bytes that each principal is sure of
	largeLog = 4 << 20
	longLine = 512
	elements = 50_000
	patience = 10 * time.Second // how long a caller waits for memory
)

// NewMemory makes it of so many bytes.
func NewMemory(limit int64) *Memory {
	return &Memory{bytes: access.NewShares(limit, floor), most: limit / 2, turn: make(chan struct{}, 1), Large: largeLog, Long: longLine, Elements: elements}
}

// Taken is how many bytes all answers take.
func (m *Memory) Taken() int64 { return m.bytes.Taken() }

// share is an answer that is being made, or sent.
type share struct {
	of    *Memory
	who   *access.Principal
	bytes int64
	turn  bool
}

var errFull = protocol.NewProblem(protocol.CodeOverloaded, "Too many large answers are being made or sent.",
	"Read what was answered to its end, ask again in a moment, or read the log, of which each part is sent as it is read.")

var errLong = protocol.NewProblem(protocol.CodeTooLarge, "The state has more turns, entries and requests than are answered as a whole.",
	"Read it by page, with entries=1000, or read the log.")

// begin takes memory for an answer that is made of so many bytes; end must follow.
func (m *Memory) begin(ctx context.Context, size int64) (*share, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errFull)
	defer cancel()
	x := &share{of: m, who: access.Of(ctx), bytes: m.counts(size)}
	if err := m.bytes.Wait(ctx, x.who, x.bytes); err != nil {
		return nil, err
	}
	if size < m.Large {
		return x, nil
	}
	select {
	case m.turn <- struct{}{}:
		x.turn = true
		return x, nil
	case <-ctx.Done():
		x.end()
		return nil, context.Cause(ctx)
	}
}

// Hold takes memory for an answer that is sent while it is read, of which so many bytes are there at once. It waits, and fails, as for the others; release must
// follow.
func (m *Memory) Hold(ctx context.Context, size int64) (release func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errFull)
	defer cancel()
	who, n := access.Of(ctx), m.counts(size)
	if err := m.bytes.Wait(ctx, who, n); err != nil {
		return nil, err
	}
	return func() { m.bytes.Give(who, n) }, nil
}

// counts is what an answer of a size counts for. The largest are as half of all: a principal has one such at a time, and another one has
// the other half.
func (m *Memory) counts(size int64) int64 { return min(max(size, 4<<10), m.most) }

// made says how long the answer has become: the rest is free for others.
func (x *share) made(size int) {
	if x.turn {
		<-x.of.turn
		x.turn = false
	}
	if rest := x.bytes - x.of.counts(int64(size)); rest > 0 {
		x.of.bytes.Give(x.who, rest)
		x.bytes -= rest
	}
}

func (x *share) end() {
	if x.turn {
		<-x.of.turn
		x.turn = false
	}
	x.of.bytes.Give(x.who, x.bytes)
	x.bytes = 0
}

// piece is how much of an answer a client must take within WriteTimeout.
const piece = 256 << 10

// send writes an answer in pieces: the client's deadline is per write.
func send(w io.Writer, b []byte) error {
	for len(b) > 0 {
		n := min(len(b), piece)
		if _, err := w.Write(b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func length(pieces [][]byte) (n int) {
	for _, b := range pieces {
		n += len(b)
	}
	return n
}

// logSize is how many bytes a run of events has.
func logSize(log store.Log, since, at uint64) (int64, error) {
	part, err := log.Range(since, at)
	if err != nil {
		return 0, err
	}
	return part.Size(), errors.Join(part.Close())
}
