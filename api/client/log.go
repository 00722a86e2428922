package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LogQuery says which part of a log is wanted, and how.
type LogQuery struct {
	Since   protocol.Cursor // what follows it; the zero value: everything
	Settled bool            // without the deltas of entries that have ended; the numbers stay
}

// LogBody is a part of a log on its way, as the bytes of its lines. Close ends it.
type LogBody struct {
	io.ReadCloser

	Version uint64 // of the last event that will come
	Epoch   uint64
	Damage  string // what is damaged, so that the last line is no event but the signal of that; empty: nothing
}

// Log reads the session's log from a cursor on, up to the newest event that there is when it begins. The zero cursor means everything. It ends at the first
// error: the *protocol.Problem with the code cursor_reset where the cursor is not of this log (spec §7.5), the one with the code damaged where the log ends
// early on the daemon's disk, *Unreachable where the connection is lost, or the cause of ctx.
func (s Session) Log(ctx context.Context, since protocol.Cursor) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		if err := s.eachLine(ctx, since, yield); err != nil {
			yield(Line{}, err)
		}
	}
}

func (s Session) eachLine(ctx context.Context, since protocol.Cursor, yield func(Line, error) bool) error {
	body, err := s.OpenLog(ctx, LogQuery{Since: since})
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	at := protocol.Cursor{Epoch: body.Epoch, Seq: since.Seq}
	lines := protocol.NewLineReader(body, 0)
	for {
		text, err := lines.Next()
		if errors.Is(err, io.EOF) && at.Seq >= body.Version {
			return nil
		}
		if err != nil {
			return s.client.broken(ctx, err)
		}
		m, err := protocol.DecodeMessage(text)
		if err != nil {
			return fmt.Errorf("the daemon's log: %w", err)
		}
		switch m := m.(type) {
		case *protocol.Damage:
			return protocol.NewProblem(protocol.CodeDamaged, "The log ends early: "+m.String()+".", m.Hint)
		case *protocol.Event:
			if !at.Start() && m.Seq != at.Seq+1 {
				return fmt.Errorf("%w: event %d came after %d", ErrGap, m.Seq, at.Seq)
			}
			at.Seq = m.Seq
			if !yield(Line{Event: *m, At: at, Raw: append([]byte(nil), text...)}, nil) {
				return nil
			}
		default: // of a later version
		}
	}
}

// broken is why an answer ended early.
func (c *Client) broken(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &Unreachable{Where: c.where, Err: err, Sent: true}
}

// OpenLog opens the session's log as NDJSON, for who keeps its bytes.
func (s Session) OpenLog(ctx context.Context, q LogQuery) (*LogBody, error) {
	query := url.Values{}
	if !q.Since.Start() {
		query.Set("since", q.Since.String())
	}
	if q.Settled {
		query.Set("view", "settled")
	}
	resp, err := s.client.open(ctx, s.path("log"), query)
	if err != nil {
		return nil, err
	}
	l := &LogBody{ReadCloser: resp.Body, Damage: resp.Header.Get("X-Session-Damage")}
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
