package scenarios

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// stream is a reader of a session's event stream that keeps everything it was shown.
type stream struct {
	w       *world
	session string // name

	mu      sync.Mutex
	lines   [][]byte // data of the frames, in order; notes of the reader begin with #
	shown   int      // lines that an earlier check has seen
	seen    map[uint64][]byte
	lastSeq uint64
	lastID  string
	wrong   []string // broken promises
	gate    chan struct{}
	cancel  context.CancelFunc
	done    chan struct{}
	arrived chan struct{} // one slot: something was added
}

func (w *world) newStream(session string) *stream {
	return &stream{w: w, session: session, seen: map[uint64][]byte{}, arrived: make(chan struct{}, 1)}
}

func openStream(ctx context.Context, d daemon, id, since, lastID string) (*http.Response, error) {
	path := "/sessions/" + id + "/stream"
	if since != "" {
		path += "?since=" + url.QueryEscape(since)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url()+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token())
	req.Header.Set("Accept", "text/event-stream")
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	return d.client().Do(req)
}

// open connects and reads on in a goroutine, which ends with the connection.
func (s *stream) open(since, lastID string) error {
	s.ended()
	if err := s.w.ensure(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(s.w.ctx)
	res, err := openStream(ctx, s.w.daemon, s.w.id(s.session), since, lastID)
	if err != nil {
		cancel()
		return err
	}
	s.cancel, s.done = cancel, make(chan struct{})
	cursor := since
	if lastID != "" {
		cursor = lastID
	}
	at, err := protocol.ParseCursor(cursor)
	if s.lastSeq = at.Seq; err != nil {
		s.lastSeq = 0
	}
	go func() {
		defer close(s.done)
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			s.note("# " + strconv.Itoa(res.StatusCode))
			return
		}
		s.read(res)
		if ctx.Err() == nil {
			s.note("# closed")
		}
	}()
	return nil
}

func (s *stream) read(res *http.Response) {
	frames := protocol.NewSSEReader(res.Body, 0)
	for {
		s.pass()
		f, err := frames.Next()
		if err != nil {
			return
		}
		s.take(f)
	}
}

// pass waits while the reader does not read.
func (s *stream) pass() {
	s.mu.Lock()
	gate := s.gate
	s.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

// take keeps a frame and holds the server to its word: numbers without gaps, ids that are the cursor, the same bytes for
// the same number whenever it is shown.
func (s *stream) take(f protocol.SSEFrame) {
	data := bytes.Clone(f.Data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, data)
	m, err := protocol.DecodeMessage(data)
	switch m := m.(type) {
	case *protocol.Event:
		if m.Seq != s.lastSeq+1 {
			s.wrong = append(s.wrong, fmt.Sprintf("event %d follows %d", m.Seq, s.lastSeq))
		}
		c, idErr := protocol.ParseCursor(f.ID)
		if idErr != nil || c.Seq != m.Seq {
			s.wrong = append(s.wrong, fmt.Sprintf("event %d has the id %q", m.Seq, f.ID))
		}
		if before, again := s.seen[m.Seq]; again && !bytes.Equal(before, data) {
			s.wrong = append(s.wrong, fmt.Sprintf("event %d changed from %s to %s", m.Seq, before, data))
		}
		s.seen[m.Seq], s.lastSeq, s.lastID = data, m.Seq, f.ID
	case *protocol.Heartbeat:
		if m.Seq != s.lastSeq {
			s.wrong = append(s.wrong, fmt.Sprintf("heartbeat names %d after event %d", m.Seq, s.lastSeq))
		}
		s.lastID = f.ID
	case *protocol.Reset:
		s.lastSeq = m.Oldest - min(1, m.Oldest)
		s.seen = map[uint64][]byte{}
	default:
		s.wrong = append(s.wrong, fmt.Sprintf("frame %s: %v", data, err))
	}
	s.signal()
}

func (s *stream) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, []byte(text))
	s.signal()
}

func (s *stream) signal() {
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}

// stopReading leaves what comes in the connection; disconnecting ends that, too.
func (s *stream) stopReading() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gate == nil {
		s.gate = make(chan struct{})
	}
}

// readOn takes up what waits, or the news that the server has given up.
func (s *stream) readOn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gate != nil {
		close(s.gate)
		s.gate = nil
	}
}

// ended waits for the end of the connection, if there was one.
func (s *stream) ended() {
	if s.done != nil {
		<-s.done
	}
}

// close cuts the connection.
func (s *stream) close() {
	if s.done == nil {
		return
	}
	s.cancel()
	s.readOn()
	<-s.done
}

// news are the lines since the last check.
func (s *stream) news() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[s.shown:]
}

func (s *stream) mark(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown += n
}

// received takes the lines since the last check. Where nothing says that all has come, it waits for as many as the golden
// has.
func (s *stream) received(golden []byte) []byte {
	for s.w.loose {
		if countLines(bytes.Join(s.news(), []byte("\n"))) >= countLines(golden) || s.wait() != nil {
			break // the comparison says what is missing
		}
	}
	lines := s.news()
	s.mark(len(lines))
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

func (s *stream) wait() error {
	ctx, cancel := context.WithTimeout(s.w.ctx, s.w.patient)
	defer cancel()
	select {
	case <-s.arrived:
		return nil
	case <-ctx.Done():
		return errNever
	}
}

// state folds what the reader was shown. In real time more may have come than the version that it is asked for.
func (s *stream) state(version uint64) (*protocol.SessionState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := new(protocol.SessionState)
	for _, line := range s.lines {
		if bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		m, err := protocol.DecodeMessage(line)
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *protocol.Event:
			if !s.w.loose || m.Seq <= version {
				state.Apply(m)
			}
		case *protocol.Reset:
			state = new(protocol.SessionState)
		case *protocol.Heartbeat:
		}
	}
	return state, nil
}
