package link

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// A panic of a part of the link ends the face in order: the terminal is given back first.
func TestPanicIsFatal(t *testing.T) {
	l := New(t.Context(), nobody(t), Desktop{})
	defer l.Close()
	l.spawn(func() { panic("a mistake") })
	if err := <-l.Fatal(); err == nil || !strings.Contains(err.Error(), "a mistake") {
		t.Errorf("%v", err)
	}
}

// nobody is a client of a daemon that does not answer.
func nobody(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.At("unix:"+t.TempDir()+"/none", "", client.Patience(0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// What waits for a face that takes nothing is bounded: of the list the newest of each session, of the log so many events, and the reader waits.
func TestBoxIsBounded(t *testing.T) {
	b := newBox()
	for i := range 10_000 {
		b.list(resource.SessionSummary{ID: fmt.Sprint(i % 10), Seq: uint64(i)})
		b.put(desk.Inbox{Total: i})
		b.put(desk.Connection{Why: fmt.Sprint(i)})
	}
	number := b.open("s")
	ctx, cancel := context.WithCancel(t.Context())
	full, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for n := uint64(1); b.add(number, &protocol.Event{Seq: n}, ctx.Done()); n++ {
			if n == maxEvents {
				close(full)
			}
		}
	}()
	<-full
	first := b.take()
	if l := first[0].(desk.Listed); len(l.Sessions) != 10 {
		t.Errorf("%d sessions", len(l.Sessions))
	}
	if l := first[1].(desk.Lines); len(l.Events) != maxTaken || l.Events[0].Seq != 1 {
		t.Errorf("%d events", len(l.Events))
	}
	if len(first) != 4 {
		t.Errorf("%d news", len(first))
	}
	for next := uint64(maxTaken) + 1; next <= 3*maxEvents; { // nothing is lost, and nothing doubled
		<-b.ready
		for _, n := range b.take() {
			for _, e := range n.(desk.Lines).Events {
				if e.Seq != next {
					t.Fatalf("event %d came, want %d", e.Seq, next)
				}
				next++
			}
		}
	}
	b.open("another")
	cancel()
	<-ended
}

// More calls than there may be at once are refused, and say so.
func TestCallsAreBounded(t *testing.T) {
	block := make(chan struct{})
	var calls atomic.Int64
	daemon := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/interrupt") {
			calls.Add(1)
			select {
			case <-block:
			case <-r.Context().Done():
			}
		}
		http.Error(w, `{"code":"unavailable"}`, http.StatusServiceUnavailable)
	}))
	defer daemon.Close()
	c, err := client.At(daemon.URL, "", client.Patience(0))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	l := New(t.Context(), c, Desktop{})
	defer l.Close()
	for range maxCalls + 3 {
		l.Do(desk.Interrupt{Session: "00000000-0000-4000-8000-000000000000"})
	}
	refused := 0
	for refused < 3 {
		<-l.News()
		for _, n := range l.Take() {
			if d, is := n.(desk.Done); is && strings.Contains(d.Err, "too much") {
				refused++
			}
		}
	}
	close(block)
	for answered := 0; answered < maxCalls; {
		select {
		case <-l.News():
			for _, n := range l.Take() {
				if _, is := n.(desk.Done); is {
					answered++
				}
			}
		case err := <-l.Fatal():
			t.Fatal(errors.Join(errors.New("the link ended"), err))
		}
	}
	if n := calls.Load(); n > maxCalls {
		t.Errorf("%d calls at once", n)
	}
}
