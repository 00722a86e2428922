package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

// Options are what an operator may choose.
type Options struct {
	// Token gives the credential of this node. It is asked again when the server does not take the last one, so that it can change while a way is open.
	Token func() (string, error)
	// Authorities are those who may vouch for the server of an https address; nil: whom the system trusts. It is asked for each connection.
	Authorities func() (*x509.CertPool, error)
	// Connect bounds the making of a connection; 0: 5 s.
	Connect time.Duration
}

// way is a way to a server.
type way struct {
	base    string // scheme, host and port
	http    *http.Client
	token   func() (string, error)
	closing context.Context // done when it is closed
	close   context.CancelCauseFunc

	mu   sync.Mutex
	held string // the token that was read last
}

var (
	errClosed = errors.New("closed")
	errNoCore = errors.New("what answers there is no Core of this kind")
)

func newWay(address string, options Options) *way {
	if options.Connect == 0 {
		options.Connect = 5 * time.Second
	}
	dialer := &net.Dialer{Timeout: options.Connect, KeepAlive: 15 * time.Second}
	transport := &http.Transport{
		DialContext: dialer.DialContext, DialTLSContext: secured(dialer, options.Authorities),
		// A connection for each call that is under way: a beat does not wait behind a batch.
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{},
		MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, DisableCompression: true, WriteBufferSize: 64 << 10, ReadBufferSize: 64 << 10,
	}
	w := &way{base: strings.TrimSuffix(address, "/"), token: options.Token, http: &http.Client{
		Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	w.closing, w.close = context.WithCancelCause(context.Background())
	return w
}

func (w *way) end() {
	w.close(errClosed)
	w.http.CloseIdleConnections()
}

// request is one call.
type request struct {
	method, path, media, accept string
	body                        []byte
	header                      map[string]string
}

func post(call, media, accept string, body []byte) request {
	return request{method: http.MethodPost, path: wire.Path(call), media: media, accept: accept, body: body}
}

// asked is a call of which the answer has begun. It must be closed.
type asked struct {
	*http.Response
	cancel func()
}

func (a *asked) close() {
	_ = a.Body.Close()
	a.cancel()
}

// ask sends a request. A problem is what the server says instead of an answer; every other error says nothing.
func (w *way) ask(ctx context.Context, r request) (*asked, error) {
	token, err := w.current(false)
	if err != nil {
		return nil, err
	}
	a, err := w.send(ctx, r, token)
	var p *problemError
	if errors.As(err, &p) && p.Code == wire.CodeCredential { // nothing has happened
		if fresh, failed := w.current(true); failed == nil && fresh != token {
			return w.send(ctx, r, fresh)
		}
	}
	return a, err
}

// current is the token.
func (w *way) current(anew bool) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.token == nil || w.held != "" && !anew {
		return w.held, nil
	}
	token, err := w.token()
	if err != nil {
		return "", &ownError{err}
	}
	w.held = token
	return token, nil
}

// problemError is what the server has said.
type problemError struct{ *wire.Problem }

func (p *problemError) Error() string { return p.Detail }

func (w *way) send(ctx context.Context, r request, token string) (*asked, error) {
	if w.closing.Err() != nil {
		return nil, errClosed
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(w.closing, func() { cancel(errClosed) })
	a := &asked{cancel: func() { stop(); cancel(nil) }}
	req, err := http.NewRequestWithContext(ctx, r.method, w.base+r.path, bytes.NewReader(r.body))
	if err != nil {
		a.cancel()
		return nil, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if r.media != "" {
		req.Header.Set("Content-Type", r.media)
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if a.Response, err = w.http.Do(req); err != nil { //nolint:bodyclose // asked.close does
		a.cancel()
		if w.closing.Err() != nil {
			return nil, errClosed
		}
		return nil, plain(err)
	}
	media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if a.StatusCode == http.StatusOK && (media == r.accept || r.accept == "") {
		return a, nil
	}
	err = told(a.Response)
	a.close()
	return nil, err
}

// plain leaves out the address, which is in the configuration.
func plain(err error) error {
	var of interface{ Unwrap() error }
	if errors.As(err, &of) && of.Unwrap() != nil {
		return of.Unwrap()
	}
	return err
}

// told is the problem of an answer that is none.
func told(r *http.Response) error {
	const most = 64 << 10
	text, err := io.ReadAll(io.LimitReader(r.Body, most))
	if err != nil {
		return err
	}
	var p wire.Problem
	if json.Unmarshal(text, &p) == nil && p.Code != "" && strings.HasPrefix(p.Type, wire.Kind) {
		return &problemError{&p}
	}
	return fmt.Errorf("%w: status %d", errNoCore, r.StatusCode)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
