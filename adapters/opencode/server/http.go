package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// server is where a server listens, and the credentials for it.
type server struct {
	base               *url.URL
	username, password string
	client             *http.Client
}

// maxBody is how much of an answer is taken, in bytes: a connection's lines are limited.
const maxBody = 7 << 20

// statusError is an answer that says no.
type statusError struct{ code int }

func (e *statusError) Error() string {
	return fmt.Sprintf("HTTP status %d %s", e.code, http.StatusText(e.code))
}

// do makes a request. The caller closes the body of the response.
func (s *server) do(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return nil, fmt.Errorf("%q is no path", path)
	}
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, s.base.String()+path, content)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.password != "" {
		r.SetBasicAuth(s.username, s.password)
	}
	response, err := s.client.Do(r)
	if err != nil {
		return nil, cause(err)
	}
	return response, nil
}

// cause leaves out the method and URL that the client puts before an error.
func cause(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// call makes a call and waits for its answer.
func (s *server) call(ctx context.Context, c *httpline.Call) *httpline.Answer {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	a := &httpline.Answer{N: c.N}
	r, err := s.do(ctx, c.Method, c.Path, c.Body)
	if err != nil {
		a.Error = err.Error()
		return a
	}
	defer r.Body.Close()
	a.Status = r.StatusCode
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case err != nil:
		a.Error = "read the answer: " + err.Error()
	case len(body) > maxBody:
		a.Error = fmt.Sprintf("the answer has more than %d bytes", maxBody)
	default:
		a.Body = body
	}
	return a
}
