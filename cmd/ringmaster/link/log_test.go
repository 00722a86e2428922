package link

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const session = "00000000-0000-4000-8000-000000000000"

// linked is a link to a daemon that answers these paths, and nothing else.
func linked(t *testing.T, answer map[string]http.HandlerFunc) *Link {
	t.Helper()
	daemon := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for path, f := range answer {
			if strings.HasSuffix(r.URL.Path, path) {
				f(w, r)
				return
			}
		}
		unavailable(w)
	}))
	t.Cleanup(daemon.Close)
	c, err := client.At(daemon.URL, "", client.Patience(0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	l := New(t.Context(), c, Desktop{})
	t.Cleanup(l.Close)
	return l
}

func unavailable(w http.ResponseWriter) {
	http.Error(w, `{"code":"unavailable","title":"not now"}`, http.StatusServiceUnavailable)
}

// until takes news until one of them is wanted.
func until(t *testing.T, l *Link, is func(n desk.News) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		select {
		case <-l.News():
			over := false
			for _, n := range l.Take() {
				over = is(n) || over
			}
			if over {
				return
			}
		case <-ctx.Done():
			t.Fatal("it never came")
		}
	}
}

// A log that could not be opened, or whose connection was lost, is read again where it was, and says that it goes on: at once when the list of sessions is
// current again, whatever the wait is by then.
func TestLogGoesOn(t *testing.T) {
	var opened, followed atomic.Int64
	event := func(n int) string {
		return fmt.Sprintf(`{"seq":%d,"ts":1,"type":"turn_start","turnId":"t%d"}`, n, n)
	}
	l := linked(t, map[string]http.HandlerFunc{
		session + "/log": func(w http.ResponseWriter, r *http.Request) {
			n := opened.Add(1)
			if n < 12 || n == 13 || n == 14 {
				unavailable(w)
				return
			}
			w.Header().Set("X-Session-Epoch", "1")
			w.Header().Set("X-Session-Version", "2")
			if n == 12 {
				fmt.Fprintln(w, event(1))
				fmt.Fprintln(w, event(2))
			} else if got := r.URL.Query().Get("since"); got != "3" {
				t.Errorf("it goes on behind %q", got)
			}
			if n > 12 {
				w.Header().Set("X-Session-Version", "3")
			}
		},
		session + "/stream": func(w http.ResponseWriter, _ *http.Request) {
			if followed.Add(1) > 1 {
				w.WriteHeader(http.StatusNoContent) // the session is over
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: 3\ndata: %s\n\n", event(3))
		},
	})
	l.Do(desk.Open{Session: session})
	var seqs []uint64
	paused, caught := "", 0
	until(t, l, func(n desk.News) bool {
		switch n := n.(type) {
		case desk.Lines:
			for _, e := range n.Events {
				seqs = append(seqs, e.Seq)
			}
			if n.Caught {
				caught++
			}
		case desk.LogPaused:
			paused = n.Why
			if n.Why != "" {
				l.box.put(desk.Connection{Up: true})
			}
		}
		return opened.Load() == 15 && caught > 0 && paused == "" && len(seqs) == 3
	})
	if fmt.Sprint(seqs) != "[1 2 3]" {
		t.Errorf("events %v", seqs)
	}
}

// That the requests could not be read is told once, and they are read again without anybody's wish.
func TestInboxIsReadAgain(t *testing.T) {
	var read atomic.Int64
	l := linked(t, map[string]http.HandlerFunc{"/requests": func(w http.ResponseWriter, _ *http.Request) {
		if read.Add(1) <= 3 {
			unavailable(w)
			return
		}
		fmt.Fprint(w, `{"requests":[],"total":7}`)
	}})
	l.Do(desk.Look{})
	failed := 0
	until(t, l, func(n desk.News) bool {
		if d, is := n.(desk.Done); is && strings.Contains(d.Err, "not current") {
			failed++
		}
		i, is := n.(desk.Inbox)
		return is && i.Total == 7
	})
	if failed != 1 {
		t.Errorf("it was told %d times", failed)
	}
}

// Why a call could not be read is told.
func TestCallThatIsNotRead(t *testing.T) {
	l := linked(t, nil)
	l.Do(desk.ReadCall{Session: session, Request: "r1", Entry: "e1", Cursor: "9"})
	until(t, l, func(n desk.News) bool {
		c, is := n.(desk.Called)
		return is && c.Request == "r1" && c.Err != ""
	})
}

// What a reading says that nobody wants any more is not taken for another one's, also of the same session.
func TestLateReadingIsNotHeard(t *testing.T) {
	b := newBox()
	first := b.open(session)
	b.pause(first, "connection lost")
	second := b.open(session)
	if b.add(first, &protocol.Event{Seq: 1}, nil) {
		t.Error("its line is kept")
	}
	b.reset(first, true, true)
	b.caught(first)
	b.pause(first, "no daemon answers")
	if got := b.take(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if !b.add(second, &protocol.Event{Seq: 2}, nil) {
		t.Error("the line of the open one is not kept")
	}
	b.open("")
	if b.add(second, &protocol.Event{Seq: 3}, nil) {
		t.Error("a line of a closed log is kept")
	}
}

// A session that has gone and come again is there, and one that comes and goes while nobody looks leaves nothing behind.
func TestGoneIsBounded(t *testing.T) {
	b := newBox()
	b.list(resource.SessionSummary{ID: "a"})
	b.list(resource.SessionSummary{ID: "b"})
	b.take()
	b.gone("a")
	b.list(resource.SessionSummary{ID: "a", Seq: 2})
	for i := range 1000 {
		b.gone("b")
		b.list(resource.SessionSummary{ID: fmt.Sprint(i)})
		b.gone(fmt.Sprint(i))
	}
	got := b.take()
	if len(got) != 2 {
		t.Fatalf("%d news", len(got))
	}
	if l, is := got[0].(desk.Listed); !is || len(l.Sessions) != 1 || l.Sessions[0].Seq != 2 {
		t.Errorf("%+v", got[0])
	}
	if g, is := got[1].(desk.Gone); !is || g.Session != "b" {
		t.Errorf("%+v", got[1])
	}
}
