package robust

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// observer is a client that stands outside: it keeps a cursor for each session over all lives of the daemon, and writes down
// what it is told.
type observer struct {
	*audit.Recorder
	channel audit.Channel

	mu sync.Mutex
	at map[string]protocol.Cursor
}

func newObserver(path, name string, channel audit.Channel) (*observer, error) {
	r, err := audit.NewRecorder(path, name, sinceBegan)
	return &observer{Recorder: r, channel: channel, at: map[string]protocol.Cursor{}}, err
}

func (o *observer) cursor(session string) protocol.Cursor {
	o.mu.Lock()
	defer o.mu.Unlock()
	c := o.at[session]
	return protocol.Cursor{Epoch: max(c.Epoch, 1), Seq: c.Seq}
}

func (o *observer) move(session string, to protocol.Cursor) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at[session] = to
}

func (o *observer) note(kind audit.Kind, session string, at protocol.Cursor, hash audit.Hash) {
	o.Add(audit.Entry{Channel: o.channel, Kind: kind, Session: session, Epoch: at.Epoch, Seq: at.Seq, Hash: hash})
}

// shown takes an event or an item that has arrived.
func (o *observer) shown(session string, at protocol.Cursor, hash audit.Hash) {
	o.note(audit.Shown, session, at, hash)
	o.move(session, at)
}

// open writes down where the client goes on.
func (o *observer) open(session string) protocol.Cursor {
	at := o.cursor(session)
	o.note(audit.Opened, session, at, 0)
	return at
}

// stream reads server-sent events from where the observer is until the connection breaks. An error is the client's own: the
// daemon said what it must not.
func (o *observer) stream(ctx context.Context, d *daemon, session string) error {
	at := o.open(session)
	header := http.Header{"Accept": {"text/event-stream"}}
	if !at.Start() {
		header.Set("Last-Event-ID", at.String())
	}
	res, err := d.open(ctx, http.MethodGet, "/sessions/"+session+"/stream", nil, header)
	if err != nil {
		return nil // the daemon is dead
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusServiceUnavailable {
		return nil // it is being ended
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("stream of session %s: status %d", session, res.StatusCode)
	}
	frames := protocol.NewSSEReader(res.Body, 0)
	for {
		f, err := frames.Next()
		if err != nil {
			return nil
		}
		if err := o.frame(session, at.Epoch, f); err != nil {
			return err
		}
	}
}

func (o *observer) frame(session string, epoch uint64, f protocol.SSEFrame) error {
	m, err := protocol.DecodeMessage(f.Data)
	if err != nil {
		return fmt.Errorf("frame of session %s: %w: %s", session, err, f.Data)
	}
	id, err := protocol.ParseCursor(f.ID)
	switch m := m.(type) {
	case *protocol.Event:
		if err != nil || id.Seq != m.Seq {
			return fmt.Errorf("%w: event %d has the id %q", audit.ErrOrdered, m.Seq, f.ID)
		}
		o.shown(session, id, audit.HashOf(f.Data))
	case *protocol.Heartbeat:
		o.note(audit.Beat, session, protocol.Cursor{Epoch: epoch, Seq: m.Seq}, 0)
	case *protocol.Reset:
		at := protocol.Cursor{Epoch: m.Epoch, Seq: m.Oldest - min(1, m.Oldest)}
		o.note(audit.Reset, session, at, 0)
		o.move(session, at)
	}
	return nil
}

// pollEvery is the pace of clients that ask again and again.
const pollEvery = 10 * time.Millisecond

// poll asks for patches of the log until ctx is done or the daemon is dead.
func (o *observer) poll(ctx context.Context, d *daemon, sessions []string) error {
	for {
		for _, s := range sessions {
			if alive, err := o.patch(ctx, d, s); !alive || err != nil {
				return err
			}
		}
		if !pause(ctx, pollEvery) {
			return nil
		}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// patch reads what is new. Of an answer that was cut off, whole lines count: they have arrived.
func (o *observer) patch(ctx context.Context, d *daemon, session string) (alive bool, err error) {
	at := o.open(session)
	path := "/sessions/" + session + "/log"
	if !at.Start() {
		path += "?since=" + at.String()
	}
	status, header, body, err := d.call(ctx, http.MethodGet, path, "", nil)
	switch {
	case err != nil && len(body) == 0:
		return false, nil
	case status == http.StatusGone:
		o.note(audit.Reset, session, protocol.Cursor{Epoch: at.Epoch}, 0)
		o.move(session, protocol.Cursor{})
		return true, nil
	case status != http.StatusOK:
		return true, fmt.Errorf("GET %s: %d: %s", path, status, body)
	}
	version, parseErr := strconv.ParseUint(header.Get("X-Session-Version"), 10, 64)
	if parseErr != nil {
		return true, fmt.Errorf("GET %s: X-Session-Version %q", path, header.Get("X-Session-Version"))
	}
	o.note(audit.Version, session, protocol.Cursor{Epoch: at.Epoch, Seq: version}, 0)
	for line := range bytes.Lines(body) {
		if line[len(line)-1] != '\n' {
			break
		}
		line = line[:len(line)-1]
		e, err := protocol.Decode(line)
		if err != nil {
			return true, fmt.Errorf("GET %s: %w: %s", path, err, line)
		}
		at.Seq = e.Seq
		o.shown(session, at, audit.HashOf(line))
	}
	if err == nil && at.Seq != version {
		return true, fmt.Errorf("%w: GET %s ends at event %d, and says %d", audit.ErrReliable, path, at.Seq, version)
	}
	return err == nil, nil
}
