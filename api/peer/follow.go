package peer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A node that feeds mirrors says something every 15 s. One that does not for so long is gone, whatever its connections say.
const silence = 40 * time.Second

// What a mirror is given at once, and what it is given of a log that Core does not have yet.
const (
	newsBytes  = 64 << 10
	linesBytes = 1 << 20
	mostEvent  = protocol.MaxEvent + 1
)

// DefaultMirrors is how many mirrors are fed at once.
const DefaultMirrors = 512

// Mirrors is the way of this node's mirrors to the nodes that have their sessions. They ask as the daemon, and read only: whoever reads a mirror is asked here
// for what he may. A Forwarder passes on what clients ask; this is what the node asks for all of them at once.
type Mirrors struct {
	Forwarder *Forwarder
	Most      int // fed at once; 0: DefaultMirrors. Others have Core
	fed       atomic.Int64
}

// Fed is how many mirrors are fed.
func (m *Mirrors) Fed() int { return int(m.fed.Load()) }

// Reaches says why a node cannot be asked; nil: it can be tried.
func (m *Mirrors) Reaches(ctx context.Context, node string) error {
	_, err := m.Forwarder.cfg.Reaches(ctx, node)
	return err
}

var (
	errTooMany = errors.New("peer: enough mirrors are fed")
	errAbsent  = errors.New("peer: the node could not be connected to a moment ago")
	errNoFeed  = errors.New("peer: the node does not tell of the session now")
	errReset   = errors.New("peer: the node has another log")
	errSilent  = errors.New("peer: the node has said nothing for too long")
)

// Follow is mirror.Owner's.
func (m *Mirrors) Follow(ctx context.Context, node, id string, since protocol.Cursor, take func(*mirror.News) error) error {
	most := int64(m.Most)
	if most == 0 {
		most = DefaultMirrors
	}
	if m.fed.Add(1) > most {
		m.fed.Add(-1)
		return errTooMany
	}
	defer m.fed.Add(-1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := m.ask(ctx, node, id, "stream", since)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNoContent:
		return mirror.ErrOver
	case resp.StatusCode != http.StatusOK, resp.Header.Get("X-Session-Epoch") == "": // there is no room for it there
		return errNoFeed
	}
	quiet := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	in := bufio.NewReaderSize(resp.Body, newsBytes) // which the frames' reader takes as it is
	err = (&feed{in: in, frames: protocol.NewSSEReader(in, mostEvent), take: take, heard: func() { quiet.Reset(silence) }}).run()
	if ctx.Err() != nil { // also where the answer has ended as if it were whole
		return context.Cause(ctx)
	}
	return err
}

// Lines is mirror.Owner's.
func (m *Mirrors) Lines(ctx context.Context, node, id string, since protocol.Cursor, upTo uint64) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx) // the rest of the answer is not wanted
	defer cancel()
	resp, err := m.ask(ctx, node, id, "log", since)
	if err == nil {
		defer resp.Body.Close()
	}
	switch {
	case err != nil:
	case resp.StatusCode != http.StatusOK:
		err = errNoFeed
	case resp.Header.Get("X-Session-Epoch") != strconv.FormatUint(since.Epoch, 10): // the cursor is good there, and what is behind it may be of a later epoch
		err = errReset
	}
	var text []byte
	if err == nil {
		text, err = beginning(resp.Body, int(min(upTo-since.Seq, linesBytes)))
	}
	if err != nil {
		m.Forwarder.cfg.Log.Debug("a node does not give the end of a log", zap.String("node", node), zap.Error(err))
		return nil, protocol.NewProblem(protocol.CodeUnavailable, "The session is on another node, "+node+", which does not give what Core lacks of it yet.",
			"Try again in a moment.")
	}
	return text, nil
}

// beginning reads whole lines, at least one and at most so many.
func beginning(from io.Reader, most int) (text []byte, err error) {
	piece := make([]byte, 32<<10)
	for {
		n, err := from.Read(piece)
		for rest := piece[:n]; len(rest) > 0 && most > 0; {
			end := bytes.IndexByte(rest, '\n') + 1
			if end == 0 {
				end = len(rest)
			} else {
				most--
			}
			text, rest = append(text, rest[:end]...), rest[end:]
		}
		whole := bytes.LastIndexByte(text, '\n') + 1
		switch {
		case most == 0, whole > 0 && (len(text) >= linesBytes || errors.Is(err, io.EOF)):
			return text[:whole], nil
		case err != nil:
			return nil, err
		case len(text) > mostEvent:
			return nil, protocol.ErrFrameTooLong
		}
	}
}

// ask asks a node about a session, as the daemon.
func (m *Mirrors) ask(ctx context.Context, node, id, what string, since protocol.Cursor) (*http.Response, error) {
	u := &url.URL{Path: "/sessions/" + id + "/" + what, RawQuery: url.Values{"since": {since.String()}}.Encode()}
	return m.Forwarder.ask(ctx, node, access.Daemon, &http.Request{Method: http.MethodGet, URL: u, Header: http.Header{}}, readTime)
}

// ask sends a request that only reads to a node, as somebody. The answer has begun, or it has not in time.
func (f *Forwarder) ask(ctx context.Context, node string, who *access.Principal, r *http.Request, within time.Duration) (*http.Response, error) {
	key, err := f.cfg.Reaches(ctx, node)
	if err != nil {
		return nil, err
	}
	if f.absent.is(node, time.Now()) {
		return nil, errAbsent
	}
	late, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(within, cancel)
	var sent atomic.Bool
	traced := httptrace.WithClientTrace(late, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }})
	r.URL.Scheme, r.URL.Host, r.Host = "https", key+"."+node, node
	r.Header["User-Agent"], r.Header[hopHeader], r.Header[asHeader] = nil, []string{f.cfg.Here}, []string{who.Carry()}
	resp, err := f.transport.RoundTrip(r.WithContext(traced))
	if !timer.Stop() && err == nil { // it has come too late, and its body cannot be read
		_ = resp.Body.Close() // of an answer that is not wanted
		err = context.Cause(late)
	}
	if err != nil {
		cancel()
		if !sent.Load() && ctx.Err() == nil {
			f.absent.note(node, time.Now())
		}
		return nil, fmt.Errorf("peer: %w", err)
	}
	resp.Body = &ending{resp.Body, cancel}
	return resp, nil
}

// ending is a body with which its request's context ends.
type ending struct {
	io.ReadCloser
	end context.CancelFunc
}

func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

// feed makes news of a stream. Events that have come together are one piece of news.
type feed struct {
	in     *bufio.Reader // of frames: what it has was read already
	frames *protocol.SSEReader
	take   func(*mirror.News) error
	heard  func()
	last   string // id of the last frame
	news   mirror.News
}

// run ends with the stream, or where take ends it.
func (f *feed) run() error {
	if err := f.take(&mirror.News{}); err != nil {
		return err
	}
	for {
		frame, err := f.frames.Next()
		f.heard()
		switch {
		case errors.Is(err, io.EOF): // in order
			return f.give()
		case err != nil:
			return errors.Join(f.give(), err)
		}
		if err := f.frame(frame); err != nil {
			return err
		}
		if f.news.Count > 0 && (f.in.Buffered() == 0 || len(f.news.Lines) >= newsBytes) {
			if err := f.give(); err != nil {
				return err
			}
		}
	}
}

// frame takes an event, or what is said beside them.
func (f *feed) frame(frame protocol.SSEFrame) error {
	if frame.ID != f.last {
		at, err := protocol.ParseCursor(frame.ID)
		if err != nil {
			return err
		}
		n := &f.news
		if next := n.First + uint64(n.Count); n.Count > 0 && (at.Epoch != n.Epoch || at.Seq != next) {
			if err := f.give(); err != nil {
				return err
			}
		}
		if !isHeartbeat(frame.Data) {
			f.last = frame.ID
			if n.Count == 0 {
				n.Epoch, n.First = at.Epoch, at.Seq
			}
			n.Count++
			n.Lines = append(append(n.Lines, frame.Data...), '\n')
			return nil
		}
		f.last = frame.ID
		return f.take(&mirror.News{})
	}
	if isHeartbeat(frame.Data) {
		return f.take(&mirror.News{})
	}
	if err := f.give(); err != nil {
		return err
	}
	said, err := protocol.DecodeMessage(frame.Data)
	switch x := said.(type) {
	case *protocol.Overflow:
		if err == nil {
			return f.take(&mirror.News{Overflow: x})
		}
	case *protocol.Reset, *protocol.Damage:
		return errReset
	case *protocol.Event, *protocol.Heartbeat: // without an id of their own they are none
	}
	return nil // of a later build
}

// isHeartbeat says that the data of a frame is no event, though the frame has an id.
func isHeartbeat(data []byte) bool {
	return bytes.HasPrefix(data, []byte(`{"type":"heartbeat"`))
}

// give has what was collected taken.
func (f *feed) give() error {
	n := &f.news
	if n.Count == 0 {
		return nil
	}
	err := f.take(n)
	if cap(n.Lines) > 2*newsBytes {
		n.Lines = nil
	}
	n.Lines, n.Count = n.Lines[:0], 0
	return err
}
