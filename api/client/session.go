package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Session is one session of a daemon, by its id; Client.Session makes one. Whether there is such a session the daemon says at each call.
type Session struct {
	client *Client
	ID     string
}

// Session gives the session of an id.
func (c *Client) Session(id string) Session { return Session{c, id} }

// path is the route of the session, or of something in it.
func (s Session) path(rest ...string) string {
	p := "/sessions/" + url.PathEscape(s.ID)
	for _, r := range rest {
		p += "/" + url.PathEscape(r)
	}
	return p
}

// Show gives the session with what moves in it: its queue, its open requests, its readers.
func (s Session) Show(ctx context.Context) (resource.SessionDetail, error) {
	return s.detail(ctx, call{method: http.MethodGet, path: s.path()})
}

// End ends the session and returns when its agent has gone. The reason, for the log, may be empty.
func (s Session) End(ctx context.Context, reason string) (resource.SessionDetail, error) {
	q := call{method: http.MethodPost, path: s.path("end")}
	if reason != "" {
		q.body = map[string]string{"reason": reason}
	}
	return s.detail(ctx, q)
}

// Remove ends the session, where it has not ended, and removes its log.
func (s Session) Remove(ctx context.Context) error {
	return s.client.change(ctx, call{method: http.MethodDelete, path: s.path()}, nil)
}

// Interrupt tells the running turn to stop; turn is empty when none was running.
func (s Session) Interrupt(ctx context.Context) (turn string, err error) {
	var done resource.InterruptAccepted
	q := call{method: http.MethodPost, path: s.path("interrupt")}
	if s.client.name != "" {
		q.body = map[string]string{"clientId": s.client.name}
	}
	err = s.client.change(ctx, q, &done)
	return done.TurnID, err
}

// State gives the session's state folded up to a cursor; the zero cursor means the newest event.
func (s Session) State(ctx context.Context, at protocol.Cursor) (*protocol.SessionState, error) {
	q := url.Values{}
	if !at.Start() {
		q.Set("at", at.String())
	}
	state := new(protocol.SessionState)
	if err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("state"), query: q}, state); err != nil {
		return nil, err
	}
	return state, nil
}

// StatePage is a part of a state: the lists have what began in a part of the log, all else is of the whole (spec §7.8).
type StatePage struct {
	protocol.SessionState
	Part protocol.StatePart
}

// ReadStatePage gives the newest entries of a session's state at a cursor that began before an event, at most so many, with the turns and requests of their
// part of the log. The zero cursor means the newest event, before 0 the end; then everything that is open is there, too. Part.From is before for the page
// that comes before.
func ReadStatePage(ctx context.Context, s Session, at protocol.Cursor, entries int, before uint64) (*StatePage, error) {
	q := url.Values{"entries": {strconv.Itoa(entries)}}
	if before > 0 {
		q.Set("before", strconv.FormatUint(before, 10))
	}
	if !at.Start() {
		q.Set("at", at.String())
	}
	page := new(StatePage)
	if err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("state"), query: q}, page); err != nil {
		return nil, err
	}
	return page, nil
}

// UnmarshalJSON decodes a page, as strictly as a state.
func (p *StatePage) UnmarshalJSON(b []byte) error {
	if err := p.SessionState.UnmarshalJSON(b); err != nil {
		return err
	}
	var more struct{ Part protocol.StatePart }
	err := json.Unmarshal(b, &more)
	p.Part = more.Part
	return err
}

func (s Session) detail(ctx context.Context, q call) (d resource.SessionDetail, err error) {
	do := s.client.change
	if q.method == http.MethodGet {
		do = s.client.into
	}
	err = do(ctx, q, &d)
	return d, err
}
