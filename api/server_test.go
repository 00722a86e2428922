package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/peer"
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

// TestListenersCloseTogether: what is at work at one listener does not keep the other one open.
func TestListenersCloseTogether(t *testing.T) {
	tr := newTree(t)
	a, err := New(Config{Supervisor: tr, Retention: tr, Token: testToken})
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(a)
	var addr [2]string
	served := make(chan error, 2)
	for i, serve := range []func(net.Listener) error{s.Serve, func(l net.Listener) error { return s.ServePeers(l, peer.Listener{}) }} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr[i] = l.Addr().String()
		go func() { served <- serve(l) }() // ends with Close
	}
	busy, err := net.Dial("tcp", addr[0])
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if _, err := fmt.Fprint(busy, "POST /sessions HTTP/1.1\r\nHost: "+addr[0]+"\r\nAuthorization: Bearer "+testToken+
		"\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(busy).ReadString('\n'); err != nil || !strings.Contains(line, "100") { // its body is waited for
		t.Fatal(line, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error, 1)
	go func() { closed <- s.Close(ctx) }() // ends with ctx
	for begun := time.Now(); ; {
		c, err := net.Dial("tcp", addr[1])
		if err != nil {
			break
		}
		_ = c.Close()
		if time.Since(begun) > patience/8 {
			t.Error("the listener for peers takes connections while the other one ends")
			break
		}
	}
	cancel()
	if err := <-closed; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for range addr {
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
}
