package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// maxAnswer bounds an answer that is read whole, in bytes.
const maxAnswer = 64 << 20

// Client talks to one daemon. At and Find make one. Its methods are safe for concurrent use.
type Client struct{ wire }

// wire sends requests to one daemon.
type wire struct {
	base     string // without a slash at the end
	where    string // for people
	token    string
	name     string
	patience time.Duration
	http     *http.Client
}

// Where says for people which daemon this is.
func (c *Client) Where() string { return c.where }

// Close ends the connections that are idle. Streams that are being read go on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// call is one request. Members that are zero are left out.
type call struct {
	method string
	path   string // escaped
	query  url.Values
	body   any // sent as JSON
	header http.Header
}

// do sends a request; the answer is a success and has to be closed.
func (c *wire) do(ctx context.Context, q call) (*http.Response, error) {
	resp, err := c.request(ctx, q)
	if err != nil || resp.StatusCode < 300 {
		return resp, err
	}
	defer func() { _ = resp.Body.Close() }()
	return nil, problemOf(resp)
}

// request sends a request; the answer, whatever its status, has to be closed.
func (c *wire) request(ctx context.Context, q call) (*http.Response, error) {
	target := c.base + q.path
	if len(q.query) > 0 {
		target += "?" + q.query.Encode()
	}
	var body io.Reader
	if q.body != nil {
		text, err := json.Marshal(q.body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", q.method, q.path, err)
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, q.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", q.method, q.path, err)
	}
	for k, v := range q.header {
		req.Header[k] = v
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return c.send(req)
}

// send sends a request in the name of the client's token. The error is the cause of the request's context, or *Unreachable.
func (c *wire) send(req *http.Request) (*http.Response, error) {
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req) //nolint:gosec // the address is the program's own choice
	if err == nil {
		return resp, nil
	}
	if cause := context.Cause(req.Context()); cause != nil {
		return nil, cause
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address: Where says it better
	}
	return nil, unreachable(c.where, err)
}

// into sends a request and decodes the JSON of the answer.
func (c *wire) into(ctx context.Context, q call, out any) error {
	resp, err := c.do(ctx, q)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil && context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case err != nil:
		return &Unreachable{Where: c.where, Err: err, Sent: true}
	case len(text) > maxAnswer:
		return fmt.Errorf("%s %s: the answer is longer than %d MiB", q.method, q.path, maxAnswer>>20)
	}
	keepRaw(ctx, text)
	if out == nil || len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s: the daemon's answer is not as expected: %w", q.method, q.path, err)
	}
	return nil
}

// open sends a request whose answer is read while it comes.
func (c *wire) open(ctx context.Context, path string, query url.Values) (*http.Response, error) {
	return c.do(ctx, call{method: http.MethodGet, path: path, query: query})
}
