package watch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const session = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"

// take gives a reading a line of a log, and says what it tells.
func take(t *testing.T, r *reading, cursor, members string) string {
	t.Helper()
	at, err := protocol.ParseCursor(cursor)
	if err != nil {
		t.Fatal(err)
	}
	e, err := protocol.Decode(fmt.Appendf(nil, `{"seq":%d,"ts":1767225600000,%s}`, at.Seq, members))
	if err != nil {
		t.Fatal(err)
	}
	told, is := r.event(session, at, &e)
	switch {
	case !is:
		return "-"
	case told.Notice == nil:
		return "read"
	}
	return string(told.Notice.Kind)
}

const (
	begun  = `"type":"session_start","sessionId":"0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a","agentBackend":"pi","metadata":{"cwd":"/w","title":"Cart"}`
	turned = `"type":"turn_end","turnId":"t1","status":"completed"`
	failed = `"type":"turn_end","turnId":"t1","status":"error","cause":"agent"`
	asked  = `"type":"request_opened","requestId":"r1","kind":"question","title":"secret words of an agent"`
	ended  = `"type":"session_end","reason":"client"`
	lost2  = `"type":"epoch","epoch":2,"reason":"the disk lost them"`
)

func all() []notice.Kind { return append(notice.Kinds(), notice.EventsMissed) }

// What came before the watch, or was told before a connection was lost, is not told; what a log has behind a loss of events is, although its numbers are lower.
func TestReading(t *testing.T) {
	for name, c := range map[string]struct {
		at   map[string]protocol.Cursor
		take []string // cursor, event, what it leads to
	}{
		"new":      {nil, []string{"1", begun, "read", "2", turned, "turn_ended", "3", failed, "turn_failed", "4", asked, "request_opened", "5", ended, "session_ended"}},
		"old":      {map[string]protocol.Cursor{session: {Epoch: 1, Seq: 2}}, []string{"1", begun, "-", "2", turned, "-", "3", turned, "turn_ended", "3", turned, "-"}},
		"loss":     {map[string]protocol.Cursor{session: {Epoch: 1, Seq: 5}}, []string{"2.1", begun, "-", "2.2", turned, "-", "2.3", lost2, "read", "2.4", failed, "turn_failed", "2.5", ended, "session_ended"}},
		"no loss":  {map[string]protocol.Cursor{session: {Epoch: 2, Seq: 5}}, []string{"2.3", lost2, "-", "2.4", failed, "-", "2.6", turned, "turn_ended"}},
		"the loss": {map[string]protocol.Cursor{session: {Epoch: 1, Seq: 5}}, []string{"2.6", lost2, "read", "2.7", turned, "turn_ended"}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.at == nil {
				c.at = map[string]protocol.Cursor{}
			}
			r := newReading(all(), c.at)
			for i := 0; i < len(c.take); i += 3 {
				if got := take(t, r, c.take[i], c.take[i+1]); got != c.take[i+2] {
					t.Errorf("%s: %s, want %s", c.take[i], got, c.take[i+2])
				}
			}
		})
	}
}

// A notice has what the list and the first event say of its session, and nothing that an agent wrote.
func TestNotices(t *testing.T) {
	r := newReading(all(), map[string]protocol.Cursor{})
	take(t, r, "1", begun)
	at := protocol.Cursor{Epoch: 1, Seq: 2}
	e, err := protocol.Decode([]byte(`{"seq":2,"ts":1767225600000,` + asked + `}`))
	if err != nil {
		t.Fatal(err)
	}
	told, _ := r.event(session, at, &e)
	body, err := json.Marshal(told.Notice)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"type":"request_opened","timestamp":"2026-01-01T00:00:00.000Z","data":{"sessionId":"` + session + `","cursor":"2","agent":"pi","title":"Cart","requestId":"r1","requestKind":"question"}}`; string(body) != want {
		t.Errorf("the body is\n%s, want\n%s", body, want)
	}
	if env := strings.Join(variables(told.Notice), " "); strings.Contains(env, "secret") || strings.Contains(env, "Cart") || !strings.Contains(env, "RINGMASTER_REQUEST=r1") {
		t.Errorf("the variables are %s", env)
	}
	r.listed(&resource.SessionSummary{ID: session, Agent: "pi", Title: "Basket", ParentSessionID: "p"})
	if told, known := r.gone(session, 0); !known || told.Notice == nil || told.Notice.About.Title != "Basket" || told.Notice.About.Cursor != "" || !told.Gone {
		t.Errorf("deleted: %+v", told)
	}
	if _, known := r.gone(session, 0); known {
		t.Error("it was told twice that a session is gone")
	}
}

// A session whose end was told is deleted without a word; events that were dropped are told as missed.
func TestEndsAndMissed(t *testing.T) {
	r := newReading(all(), map[string]protocol.Cursor{session: {Epoch: 1, Seq: 2}})
	if told, is := r.reset(session, 1, 9, 0); !is || told.At.Seq != 8 || told.Notice.What != (notice.Missed{From: "2", To: "8"}) {
		t.Errorf("dropped: %+v %v", told, is)
	}
	if _, is := r.reset(session, 2, 1, 0); is {
		t.Error("a log that lost its end has dropped nothing before the position")
	}
	take(t, r, "9", ended)
	if told, _ := r.gone(session, 0); told.Notice != nil {
		t.Errorf("an end is told twice: %+v", told.Notice)
	}
}

// TestQueue: random notices of sessions, told by some at once: each session in order, never two of it at once, no more than may be at once, and a session is done up to
// a notice only when that and everything before it was told.
//
// Proves: I13.10/watch
func TestQueue(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := 1 + r.IntN(4)
		q := newQueue(most, map[string]protocol.Cursor{})
		var running []Told
		read, told := map[string]uint64{}, map[string]uint64{}
		unread := 300
		for unread > 0 || !q.idle() {
			if r.IntN(2) == 0 && unread > 0 && !q.full() {
				unread--
				id := fmt.Sprint("s", r.IntN(3))
				read[id]++
				one := Told{Session: id, At: protocol.Cursor{Epoch: 1, Seq: read[id]}}
				if r.IntN(2) == 0 {
					one.Notice = &notice.Notice{}
				}
				q.add(one)
			}
			if one, is := q.next(); is {
				if slices.ContainsFunc(running, func(t Told) bool { return t.Session == one.Session }) || len(running) == most || one.At.Seq <= told[one.Session] {
					t.Fatalf("seed %d: %+v beside %+v, told %v", seed, one, running, told)
				}
				running = append(running, one)
			}
			for id, at := range q.done {
				for _, open := range slices.Concat(running, q.waiting) {
					if open.Session == id && open.At.Seq <= at.Seq {
						t.Fatalf("seed %d: %s is done up to %d, and %d is not told", seed, id, at.Seq, open.At.Seq)
					}
				}
			}
			if n := len(running); n > 0 && r.IntN(3) == 0 {
				i := r.IntN(n)
				one := running[i]
				running = slices.Delete(running, i, i+1)
				if r.IntN(10) == 0 {
					q.leave(one)
					q.waiting = slices.DeleteFunc(q.waiting, func(t Told) bool { return t.Session == one.Session })
					read[one.Session] = q.done[one.Session].Seq // read again
					continue
				}
				told[one.Session] = one.At.Seq
				q.told(one)
			}
		}
		if len(q.waiting) > maxWaiting {
			t.Fatalf("%d wait", len(q.waiting))
		}
	}
}
