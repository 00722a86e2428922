package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LogQuery says which part of a log is wanted, and how.
type LogQuery struct {
	Since   protocol.Cursor
	Settled bool // without the deltas of closed entries
}

// Log is a part of a log on its way. Close ends it.
type Log struct {
	io.ReadCloser
	Version uint64 // of the last event that will come
	Epoch   uint64
	Damage  string // what is damaged, so that the last line is no event but the signal of that; empty: nothing
}

// Log opens a session's log as NDJSON.
func (s Session) Log(ctx context.Context, q LogQuery) (*Log, error) {
	query := url.Values{}
	if !q.Since.Start() {
		query.Set("since", q.Since.String())
	}
	if q.Settled {
		query.Set("view", "settled")
	}
	resp, err := s.client.do(ctx, call{method: http.MethodGet, path: s.path("log"), query: query})
	if err != nil {
		return nil, err
	}
	l := &Log{ReadCloser: resp.Body, Damage: resp.Header.Get("X-Session-Damage")}
	if l.Version, err = strconv.ParseUint(resp.Header.Get("X-Session-Version"), 10, 64); err != nil {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the daemon's log has no version: %w", err)
	}
	if l.Epoch, err = strconv.ParseUint(resp.Header.Get("X-Session-Epoch"), 10, 64); err != nil {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the daemon's log has no epoch: %w", err)
	}
	return l, nil
}
