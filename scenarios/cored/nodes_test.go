package cored

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// neighbour starts a second node on the same database, with a data folder of its own.
func (w *world) neighbour() *world {
	w.t.Helper()
	n := w.beside()
	n.launch()
	return n
}

// beside is a second node that is not started yet.
func (w *world) beside() *world {
	w.t.Helper()
	return &world{
		t: w.t, server: w.server, core: w.core, program: w.program, data: filepath.Join(w.t.TempDir(), "data"), root: w.t.TempDir(), address: free(w.t),
		objects: w.objects, flags: w.flags,
	}
}

// fetch is the whole text of an answer.
func (w *world) fetch(path string) (*http.Response, []byte) {
	w.t.Helper()
	answer, err := w.get(w.t.Context(), path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer, text
}

func (w *world) get(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+w.address+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultClient.Do(r)
}

// follower keeps a session's log as any client of the stream would: what follows its cursor, and after a reset everything anew.
type follower struct {
	of    *world
	id    string
	mu    sync.Mutex
	lines [][]byte
	at    string // cursor
	wrong error
}

func (f *follower) text() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return bytes.Join(f.lines, nil)
}

// run follows until ctx is done, across whatever happens to the stream.
func (f *follower) run(ctx context.Context) {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for ctx.Err() == nil {
		if answer, err := f.of.get(ctx, "/sessions/"+f.id+"/stream?since="+f.at); err == nil {
			if answer.StatusCode == http.StatusOK {
				f.take(answer.Body)
			}
			answer.Body.Close()
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

func (f *follower) take(body io.Reader) {
	frames := protocol.NewSSEReader(body, 1<<20)
	for {
		frame, err := frames.Next()
		if err != nil {
			return
		}
		f.mu.Lock()
		f.frame(frame)
		f.mu.Unlock()
	}
}

func (f *follower) frame(frame protocol.SSEFrame) {
	m, err := protocol.DecodeMessage(frame.Data)
	if err != nil {
		f.wrong = errors.Join(f.wrong, err)
		return
	}
	switch m := m.(type) {
	case *protocol.Reset: // everything follows
		f.lines, f.at = nil, fmt.Sprintf("%d.0", m.Epoch)
	case *protocol.Event:
		if m.Seq != uint64(len(f.lines))+1 {
			f.wrong = errors.Join(f.wrong, fmt.Errorf("event %d follows event %d", m.Seq, len(f.lines)))
		}
		f.lines = append(f.lines, append(bytes.Clone(frame.Data), '\n'))
		f.at = frame.ID
	}
}

// TestAnyNodeAnswers: two nodes on one database. What one of them runs, the other lists, follows and serves, byte for byte, while the first is killed and
// loses the ends of its logs and the database is killed; and when the first is gone for good.
//
// Proves: I16.4/read-real
func TestAnyNodeAnswers(t *testing.T) {
	w := begin(t)
	for range 3 {
		w.create()
	}
	other := w.neighbour()
	other.create()
	other.ids, w.ids = append(other.ids, w.ids...), w.ids[:3:3] // what it can tell of
	other.until("the list has all", func() bool { return len(other.list()) == 4 })

	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	var followers []*follower
	for _, id := range w.ids {
		f := &follower{of: other, id: id}
		followers = append(followers, f)
		all.Go(func() { f.run(ctx) })
	}
	mirror := other.client.Mirror(client.MirrorOptions{States: true})
	all.Go(func() { _ = mirror.Run(ctx) })

	random := rand.New(rand.NewPCG(16, 41))
	rounds := 4
	if os.Getenv("RINGMASTER_CORE") == "full" {
		rounds = 15
	}
	for n := range rounds {
		w.work()
		switch what := (n + random.IntN(2)) % 4; what {
		case 0:
			w.daemon.Kill()
			w.start()
		case 1:
			if err := w.server.Crash(); err != nil {
				t.Fatal(err)
			}
			w.work()
			if err := w.server.Restart(); err != nil {
				t.Fatal(err)
			}
		case 2:
			w.caughtUp() // what was closed in order no loss of power takes
			w.loseSent()
		case 3:
			other.daemon.Kill()
			other.start()
		}
	}
	w.caughtUp()
	for i, id := range w.ids {
		var want []byte
		other.until("the other node has all of "+id, func() bool { // what is followed is asked for four times a second
			answer, got := other.fetch("/sessions/" + id + "/log")
			_, want = w.fetch("/sessions/" + id + "/log")
			if answer.StatusCode == http.StatusServiceUnavailable { // which has not come to the database again yet
				return false
			}
			if !bytes.HasPrefix(want, got) || answer.Header.Get("X-Session-Source") != "core" {
				t.Fatalf("%s: %d bytes at the other node are not those of %d: %.300s", id, len(got), len(want), got)
			}
			return len(got) == len(want)
		})
		f := followers[i]
		other.until("the follower has all of "+id, func() bool { return len(f.text()) >= len(want) })
		if !bytes.Equal(f.text(), want) || f.wrong != nil {
			t.Errorf("%s: who followed has %d bytes, want %d: %v", id, len(f.text()), len(want), f.wrong)
		}
		_, state := w.fetch("/sessions/" + id + "/state")
		if _, got := other.fetch("/sessions/" + id + "/state"); !bytes.Equal(got, state) {
			t.Errorf("%s: the states differ:\n%s\n%s", id, got, state)
		}
		_, page := w.fetch("/sessions/" + id + "/state?entries=2")
		if _, got := other.fetch("/sessions/" + id + "/state?entries=2"); !bytes.Equal(got, page) {
			t.Errorf("%s: the pages of the state differ:\n%s\n%s", id, got, page)
		}
		detail, err := w.client.Session(id).Show(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		other.until("the mirror of a client has all of "+id, func() bool { at, _ := mirror.At(id); return at.String() == detail.Cursor })
		if got := mirror.State(id).AppendJSON(nil); !bytes.Equal(append(got, '\n'), append(bytes.TrimSpace(state), '\n')) {
			t.Errorf("%s: the state that a client keeps is\n%s\nwant\n%s", id, got, state)
		}
		there, err := other.client.Session(id).Show(t.Context())
		if err != nil || there.Node == "" || there.Cursor != detail.Cursor || there.Status != detail.Status || there.Turns != detail.Turns || there.Usage.TotalTokens != detail.Usage.TotalTokens {
			t.Errorf("%s: the other node tells %+v, %v; want %+v", id, there, err, detail)
		}
	}
	polls := map[string][]any{}
	for _, id := range w.ids {
		polls[id] = w.polls(id)
	}
	w.daemon.Kill() // for good
	other.daemon.Kill()
	other.start()
	other.until("the list has all", func() bool { return len(other.list()) == 4 })
	for i, id := range w.ids {
		if _, got := other.fetch("/sessions/" + id + "/log"); !bytes.Equal(got, followers[i].text()) {
			t.Errorf("%s: without its node there are %d bytes, want %d", id, len(got), len(followers[i].text()))
		}
		if got := other.polls(id); !reflect.DeepEqual(got, polls[id]) || len(got) == 0 {
			t.Errorf("%s: without its node a host of MCP is told of %d events, want %d", id, len(got), len(polls[id]))
		}
		if err := other.tryToPlay(t.Context(), id, `[{"say":{"text":"no"}}]`); !strings.Contains(fmt.Sprint(err), "another node") {
			t.Errorf("a prompt is answered with %v", err)
		}
	}
}

// polls are the events of a session as a host of MCP reads them, page by page.
func (w *world) polls(id string) (events []any) {
	w.t.Helper()
	host := w.host()
	in := map[string]any{"session_id": id, "max_events": 1000}
	for {
		page := w.tool(host, "session_events", in)
		if page["reset"] == true {
			w.t.Fatalf("%s: in the middle of a log a host is told to begin anew", id)
		}
		some, _ := page["events"].([]any)
		if events = append(events, some...); page["has_more"] != true {
			return events
		}
		in["since_index"], in["epoch"] = page["last_index"], page["epoch"]
	}
}

// list is the list of sessions.
func (w *world) list() []resource.SessionSummary {
	w.t.Helper()
	page, err := w.client.List(w.t.Context(), client.Query{})
	if err != nil {
		w.t.Fatal(err)
	}
	return page.Sessions
}
