// Package client is the daemon's HTTP API as the commands use it: it finds the daemon by its data folder, decodes
// problems, and reads logs live across lost connections.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxAnswer bounds an answer that is read whole, in bytes.
const maxAnswer = 64 << 20

// Client talks to one daemon. Its methods are safe for concurrent use; what they return of the daemon's own refusals is
// a *protocol.Problem, and *Unreachable where no daemon answers.
type Client struct {
	base  string // without a slash at the end
	where string // for people
	token string
	http  *http.Client
}

// Where says for people which daemon this is.
func (c *Client) Where() string { return c.where }

// Unreachable says that no daemon answers.
type Unreachable struct {
	Where string
	Err   error // nil: there is none
}

func (e *Unreachable) Error() string {
	if e.Err == nil {
		return "no daemon runs for " + e.Where
	}
	return fmt.Sprintf("no daemon answers at %s: %v", e.Where, e.Err)
}

// Hint is what to do.
func (e *Unreachable) Hint() string {
	return "start one with: ringmaster up, or name another with --data or --address"
}

func (e *Unreachable) Unwrap() error { return e.Err }

// call is one request. Members that are zero are left out.
type call struct {
	method string
	path   string // escaped
	query  url.Values
	body   any // sent as JSON
	header http.Header
}

// do sends a request; the answer is a success and has to be closed.
func (c *Client) do(ctx context.Context, q call) (*http.Response, error) {
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
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the address: Where says it better
		}
		return nil, &Unreachable{Where: c.where, Err: err}
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	return nil, problemOf(resp)
}

// problemOf reads the problem of an answer that is none of a success; what is no problem becomes one.
func problemOf(resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var p struct {
		protocol.Problem
		Errors []struct {
			Location string `json:"location"`
			Message  string `json:"message"`
		} `json:"errors"`
		SessionID string `json:"sessionId"`
	}
	if media == protocol.ProblemType && json.Unmarshal(text, &p) == nil && p.Code != "" {
		for _, e := range p.Errors {
			p.Detail += " " + strings.TrimSpace(e.Location+" "+e.Message) + "."
		}
		if p.SessionID != "" {
			p.Detail += " (Session " + p.SessionID + " tells more.)"
		}
		p.Detail, p.Hint = inCommands.Replace(strings.TrimSpace(p.Detail)), inCommands.Replace(p.Hint)
		return &p.Problem
	}
	return fmt.Errorf("the daemon answered %s, which is none of its own answers: is it something else that listens there?", resp.Status)
}

// raw sends a request and returns the JSON of the answer as it came; nil where it has none.
func (c *Client) raw(ctx context.Context, q call) (json.RawMessage, error) {
	resp, err := c.do(ctx, q)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", q.method, q.path, err)
	case len(text) > maxAnswer:
		return nil, fmt.Errorf("%s %s: the answer is too long", q.method, q.path)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, nil
	}
	return text, nil
}

// into sends a request and decodes the JSON of the answer.
func (c *Client) into(ctx context.Context, q call, out any) error {
	text, err := c.raw(ctx, q)
	if err != nil || out == nil {
		return err
	}
	return decode(text, out)
}

func decode(text json.RawMessage, out any) error {
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("the daemon's answer is not as expected: %w", err)
	}
	return nil
}

// baseURL checks an address of the form http://HOST:PORT.
func baseURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("address %q: want http://HOST:PORT, https://HOST:PORT or the path of a unix socket", address)
	}
	return u.Scheme + "://" + u.Host, nil
}
