package client

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
)

// RawQuery says which native lines are wanted. Zero members do not filter.
type RawQuery struct {
	From, To uint64 // seqs of the events that they became
	Dir      string // out, in, err, meta or note
}

// Raw is native lines on their way. Close ends it.
type Raw struct {
	io.ReadCloser
	First uint64 // number of the oldest line that is kept
}

// Raw opens the native lines of a session as NDJSON.
func (s Session) Raw(ctx context.Context, q RawQuery) (*Raw, error) {
	query := url.Values{}
	for name, n := range map[string]uint64{"from": q.From, "to": q.To} {
		if n > 0 {
			query.Set(name, strconv.FormatUint(n, 10))
		}
	}
	if q.Dir != "" {
		query.Set("dir", q.Dir)
	}
	resp, err := s.client.open(ctx, s.path("raw"), query)
	if err != nil {
		return nil, err
	}
	first, err := strconv.ParseUint(resp.Header.Get("X-Raw-First-Line"), 10, 64)
	if err != nil {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the daemon's answer does not say where it begins: %w", err)
	}
	return &Raw{resp.Body, first}, nil
}

// EntryText opens the whole text of an entry that has ended, also where the log has only its beginning. The caller closes it.
func (s Session) EntryText(ctx context.Context, entry string) (io.ReadCloser, error) {
	resp, err := s.client.open(ctx, s.path("entries", entry, "text"), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// Image opens an image that an event names, by its digest: the part of the reference between "sha256:" and ";".
func (s Session) Image(ctx context.Context, digest string) (io.ReadCloser, error) {
	resp, err := s.client.open(ctx, s.path("images", digest), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}
