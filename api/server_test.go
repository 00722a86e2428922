package api

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestSilentConnections: connections on which nothing was ever said do not hold up the end of the server.
// Proves: I5/stop
func TestSilentConnections(t *testing.T) {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(a)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Close
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	res, err := http.Get("http://" + l.Addr().String() + "/health") // connections are taken in order: the others are known by now
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // net/http alone waits for 5
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
