package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// Server is where an agent listens.
type Server struct {
	URL   string // ws://HOST:PORT, wss://HOST[:PORT] or unix://PATH, a websocket over a unix socket
	Token string // bearer token; empty: none
	// Dial makes the connection below the websocket; nil: over the machine's network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Error says why an agent could not be attached to. The token is never part of it.
type Error struct {
	Code string // "bad_address", "unreachable" or "refused"
	Op   string
	Hint string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("attach: %s: %v", e.Op, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Dial attaches to an agent. It returns when the websocket stands, or with an *Error; ctx counts only until then.
func Dial(ctx context.Context, s Server) (*Conn, error) {
	l, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return newConn(l, s.open, defaultPulse, defaultRetry), nil
}

// open opens a websocket, or gives an *Error.
func (s Server) open(ctx context.Context) (*link, error) {
	address, dial, err := target(s.URL, s.Dial)
	if err != nil {
		return nil, err
	}
	var below *under
	client := &http.Client{
		Transport: &http.Transport{DialContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			conn, err := dial(ctx, network, host)
			if err != nil {
				return nil, err
			}
			below = &under{Conn: conn}
			return below, nil
		}},
		// Redirects are not followed: the token is for this server alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	options := &websocket.DialOptions{HTTPClient: client, CompressionMode: websocket.CompressionDisabled}
	if s.Token != "" {
		options.HTTPHeader = http.Header{"Authorization": {"Bearer " + s.Token}}
	}
	ws, answer, err := websocket.Dial(ctx, address, options) //nolint:bodyclose // Dial says that it needs no closing
	switch {
	case err == nil:
		return newLink(ws, below), nil
	case answer != nil && (answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden):
		return nil, &Error{Code: "refused", Op: "log in", Hint: "The endpoint's password is the agent's bearer token.", Err: err}
	case answer != nil:
		return nil, &Error{Code: "refused", Op: "open websocket", Hint: "Is this the address of the agent's websocket?", Err: err}
	}
	return nil, &Error{Code: "unreachable", Op: "connect", Hint: "Is the agent running, and does it listen there?", Err: err}
}

// dialer makes the connection below a websocket.
type dialer func(ctx context.Context, network, host string) (net.Conn, error)

// target reads an address. No proxy is asked for: an agent that is attached to is nearby.
func target(address string, dial dialer) (string, dialer, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	if path, ok := strings.CutPrefix(address, "unix://"); ok {
		if !strings.HasPrefix(path, "/") {
			return "", nil, badAddress("the path of a unix socket must be absolute")
		}
		return "ws://localhost/", func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dial(ctx, "unix", path)
		}, nil
	}
	u, err := url.Parse(address)
	switch {
	case err != nil: // whose words hold the address, which may hold a password
		return "", nil, badAddress("not a URL")
	case u.Scheme != "ws" && u.Scheme != "wss", u.Host == "", u.User != nil:
		return "", nil, badAddress("not an address of this kind")
	}
	return address, dial, nil
}

func badAddress(why string) *Error {
	return &Error{
		Code: "bad_address", Op: "read address", Hint: "Addresses are ws://HOST:PORT, wss://HOST or unix:///PATH.", Err: errors.New(why),
	}
}

// pulse is how a silent server is noticed.
type pulse struct {
	every, within time.Duration
}

// defaultPulse asks every half minute whether the server is still there.
var defaultPulse = pulse{every: 30 * time.Second, within: 20 * time.Second}
