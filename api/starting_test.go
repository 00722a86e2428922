package api

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestServerBeforeItsAPI: a foreign host is refused, an allowed page may read that it is to ask again, and the server ends without ever having had an API.
func TestServerBeforeItsAPI(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := NewStarting(Config{Version: "v", Origins: []string{"https://page.example"}})
	s.waits = time.Millisecond
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Close
	get := func(path string, change func(*http.Request)) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		change(req)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res
	}
	if res := get("/health", func(r *http.Request) { r.Host = "evil.example" }); res.StatusCode != http.StatusForbidden {
		t.Errorf("another host: %d", res.StatusCode)
	}
	if res := get("/health", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }); res.StatusCode != http.StatusForbidden {
		t.Errorf("another origin: %d", res.StatusCode)
	}
	res := get("/sessions", func(r *http.Request) { r.Header.Set("Origin", "https://page.example") })
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Access-Control-Allow-Origin") != "https://page.example" ||
		res.Header.Get("X-Request-Id") == "" {
		t.Errorf("%d, %v", res.StatusCode, res.Header)
	}
	http.DefaultClient.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
