package api

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
)

// TestRoomIsFull: a connection more than there is room for waits, is served when another one ends, and does not hold up the end of
// the server.
func TestRoomIsFull(t *testing.T) {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken, MaxConnections: 2})
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, served := NewServer(a), make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Close
	dial := func() net.Conn {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
		if err == nil {
			_, err = io.WriteString(c, "GET /health HTTP/1.1\r\nHost: "+l.Addr().String()+"\r\n\r\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	healthy := func(c net.Conn) {
		t.Helper()
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", res, err)
		}
		_ = res.Body.Close()
	}
	first, second := dial(), dial()
	healthy(first)
	healthy(second)
	third, fourth := dial(), dial()
	if n := len(s.room.places); n != 2 {
		t.Errorf("%d places are taken of 2", n)
	}
	_ = first.Close()
	healthy(third)
	if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	for len(s.room.places) > 0 { // connections tell of their end when they have ended
		runtime.Gosched()
	}
	for _, c := range []net.Conn{second, third, fourth} {
		_ = c.Close()
	}
}
