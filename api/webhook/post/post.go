package post

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// The bounds of a try (spec §7.17).
const (
	whole   = 15 * time.Second // of it
	connect = 5 * time.Second  // of it, for the connection, and again for TLS
	answer  = 64 << 10         // bytes that are read of an answer
	headers = 16 << 10         // bytes of its headers
)

// Sender sends deliveries. It is safe for concurrent use.
type Sender struct {
	client *http.Client
	agent  string
	now    func() time.Time
	allow  *Allow
	by     atomic.Pointer[[]entry] // the list by which the connections were dialled that are kept
}

// New makes a sender of a daemon of this version. allow says which addresses are reached.
func New(version string, now func() time.Time, allow *Allow) *Sender {
	return sender(version, now, allow, nil)
}

// sender trusts these roots besides; nil: those of the system alone.
func sender(version string, now func() time.Time, allow *Allow, roots *x509.CertPool) *Sender {
	return &Sender{agent: "ringmaster/" + version, now: now, allow: allow, client: &http.Client{
		Transport: &http.Transport{ // without Proxy: a proxy of the environment would reach what the daemon must not
			DialContext: dialing(allow), TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}, TLSHandshakeTimeout: connect,
			ResponseHeaderTimeout: whole, MaxResponseHeaderBytes: headers, DisableCompression: true, IdleConnTimeout: 30 * time.Second,
			MaxIdleConns: 64, MaxIdleConnsPerHost: 2,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// errClosed says that a host has an address that no webhook may reach.
var errClosed = errors.New("an address that is not reached")

// dialing looks at each address when it is dialled: what the name was looked up for before may be another one by now.
func dialing(allow *Allow) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, on, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return dialer(allow, host, on).DialContext(ctx, network, address)
	}
}

// dialer dials for a URL of this host and port.
func dialer(allow *Allow, host, on string) *net.Dialer {
	return &net.Dialer{Timeout: connect, Control: func(_, to string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(to)
		if err != nil || !allow.Reaches(host, on, at.Addr()) {
			return errClosed
		}
		return nil
	}}
}

// Message is what is sent once.
type Message struct {
	ID, URL, Body string
	Secrets       []string
}

// Outcome is what came of it.
type Outcome struct {
	Status     int    // 0: there was no answer
	Error      string // a word; empty: it was delivered
	RetryAfter time.Duration
}

// Send sends a message once.
func (s *Sender) Send(ctx context.Context, m *Message) Outcome {
	ctx, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	// What an earlier list reached may be beyond this one.
	if list := s.allow.entries.Load(); s.by.Swap(list) != list {
		s.client.CloseIdleConnections()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader([]byte(m.Body)))
	if err != nil {
		return Outcome{Error: "refused"}
	}
	at := strconv.FormatInt(s.now().Unix(), 10)
	r.Header["webhook-id"] = []string{m.ID} // as they are written: HTTP/1.1 does not mind, and people compare
	r.Header["webhook-timestamp"] = []string{at}
	r.Header["webhook-signature"] = []string{signatures(m.Secrets, m.ID, at, m.Body)}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", s.agent)
	in, err := s.client.Do(r)
	if err != nil {
		return Outcome{Error: word(err)}
	}
	defer in.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(in.Body, answer)) // so that the connection can be used again; nothing of it is kept
	o := Outcome{Status: in.StatusCode}
	switch {
	case in.StatusCode >= 200 && in.StatusCode < 300:
	case in.StatusCode >= 300 && in.StatusCode < 400:
		o.Error = "redirect"
	default:
		o.Error = "status"
		if in.StatusCode == http.StatusTooManyRequests || in.StatusCode == http.StatusServiceUnavailable {
			o.RetryAfter = s.after(in.Header.Get("Retry-After"))
		}
	}
	return o
}

// after reads Retry-After: seconds, or a date.
func (s *Sender) after(text string) time.Duration {
	const most = 365 * 24 * time.Hour
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(n, 0), int64(most/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(s.now()), 0), most)
	}
	return 0
}

// word is what is told of an error: nothing of the receiver's, and no address.
func word(err error) string {
	var dns *net.DNSError
	var deadline interface{ Timeout() bool }
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.Is(err, errClosed):
		return "refused"
	case errors.As(err, &dns):
		return "dns"
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &alert):
		return "tls"
	case errors.As(err, &deadline) && deadline.Timeout():
		return "timeout"
	}
	return "connection"
}

// Close lets go of connections that nobody uses.
func (s *Sender) Close() { s.client.CloseIdleConnections() }
