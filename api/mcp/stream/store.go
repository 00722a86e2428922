package stream

import (
	"context"
	"iter"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Store keeps what was sent on the streams of MCP sessions, so that a client which reconnects gets what it missed. It is a
// convenience, bounded for each MCP session: what is promised is kept by since_index. The SDK's own store lets one MCP session
// push out what others need, grows with every request, and refuses a stream for ever once something of it is gone.
type Store struct {
	mu       sync.Mutex
	sessions map[string]*stored
	bytes    int // of all
}

// What is stored, in bytes. While all together are above maxStoredInAll, each gets the smaller share.
const (
	maxStored      = 1 << 20 // for each MCP session
	leastStored    = 64 << 10
	maxStoredInAll = 64 << 20

	maxStoredStreams = 16 // of requests, for each MCP session
)

type stored struct {
	bytes   int
	streams map[string]*storedStream
	order   []string // of the streams of requests, the oldest first
}

type storedStream struct {
	first int // number of data[0]
	data  [][]byte
}

// NewStore keeps nothing yet.
func NewStore() *Store { return &Store{sessions: map[string]*stored{}} }

// Open implements sdk.EventStore. The empty name is that of the stream of notifications.
func (st *Store) Open(_ context.Context, session, stream string) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	s := st.sessions[session]
	if s == nil {
		s = &stored{streams: map[string]*storedStream{}}
		st.sessions[session] = s
	}
	if s.streams[stream] != nil {
		return nil
	}
	s.streams[stream] = &storedStream{}
	if stream != "" {
		s.order = append(s.order, stream)
		if len(s.order) > maxStoredStreams {
			st.dropOldest(s)
		}
	}
	return nil
}

// Append implements sdk.EventStore. What comes after the end of an MCP session, or of a stream that was dropped, is not kept: begun anew,
// that would be numbered anew, and what the client missed before it would not be told to be gone.
func (st *Store) Append(_ context.Context, session, stream string, data []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	s := st.sessions[session]
	if s == nil || s.streams[stream] == nil {
		return nil
	}
	x := s.streams[stream]
	x.data = append(x.data, data)
	st.count(s, len(data))
	limit := maxStored
	if st.bytes > maxStoredInAll {
		limit = leastStored
	}
	for s.bytes > limit && len(s.order) > 0 && s.order[0] != stream {
		st.dropOldest(s)
	}
	for s.bytes > limit && len(x.data) > 0 {
		st.count(s, -len(x.data[0]))
		x.data[0] = nil
		x.data, x.first = x.data[1:], x.first+1
	}
	return nil
}

// dropOldest drops the oldest stream of a request. With mu held.
func (st *Store) dropOldest(s *stored) {
	for _, data := range s.streams[s.order[0]].data {
		st.count(s, -len(data))
	}
	delete(s.streams, s.order[0])
	s.order = s.order[1:]
}

func (st *Store) count(s *stored, n int) {
	s.bytes += n
	st.bytes += n
}

// After implements sdk.EventStore. A client without a last id begins anew: the SDK numbers what it gets from 0.
func (st *Store) After(_ context.Context, session, stream string, index int) iter.Seq2[[]byte, error] {
	st.mu.Lock()
	defer st.mu.Unlock()
	var x *storedStream
	if s := st.sessions[session]; s != nil {
		x = s.streams[stream]
	}
	if x == nil {
		return gone
	}
	if index < 0 {
		x.first = 0
	}
	from := index + 1 - x.first
	if from < 0 {
		return gone
	}
	kept := append([][]byte(nil), x.data[min(from, len(x.data)):]...)
	return func(yield func([]byte, error) bool) {
		for _, d := range kept {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func gone(yield func([]byte, error) bool) { yield(nil, sdk.ErrEventsPurged) }

// SessionClosed implements sdk.EventStore.
func (st *Store) SessionClosed(_ context.Context, session string) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if s := st.sessions[session]; s != nil {
		st.bytes -= s.bytes
		delete(st.sessions, session)
	}
	return nil
}
