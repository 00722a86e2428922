package merged

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// TestSessionThatIsOverInAnotherEpoch: a session that has ended is asked again where the list has another log of it: a later one, or an earlier one, since Core went back
// to before the end. Where the list is only late, it is asked once.
//
// Proves: I16.7/merged
func TestSessionThatIsOverInAnotherEpoch(t *testing.T) {
	const id = "a"
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nobody answers what is asked
	list, w := roster.New(), httptest.NewRecorder()
	says := func(at protocol.Cursor) {
		list.PutAway(&session.Summary{ID: id, Epoch: at.Epoch, Seq: at.Seq, Status: protocol.Status{State: protocol.StateIdle}})
	}
	says(protocol.Cursor{Epoch: 9, Seq: 3})
	s := newStream(&Config{Heartbeat: time.Hour}, &wish{view: resource.ViewFull}, ndjson, &access.Roster{Roster: list})
	s.out.ctx, s.joins.ctx, s.out.w = t.Context(), ctx, w
	s.follow(list.Find(id), protocol.Cursor{Epoch: 9, Seq: 3})
	f := s.feeds[id]
	s.isOver(f)
	s.isOver(f)
	if n := strings.Count(string(s.out.buf), `"over"`); n != 1 || s.left != 0 {
		t.Errorf("it is over %d times, and %d are left", n, s.left)
	}
	asks := func(what string, want bool) {
		t.Helper()
		f.bell.Ring()
		s.joins.queue, s.joins.workers = nil, maxJoins // what is asked waits
		s.turns()
		if asked := f.phase == joining; asked != want {
			t.Errorf("%s: it is asked: %t", what, asked)
		}
	}
	comes := func(epoch, events uint64) {
		log, err := new(memory.Store).Create(id)
		if err == nil {
			batch := store.Batch{First: 1, Count: int(events), Time: 1}
			for seq := range events {
				batch.Lines = fmt.Appendf(batch.Lines, `{"seq":%d,"ts":1}`+"\n", seq+1)
			}
			err = log.Append(batch)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := ring.New(epoch, events, turnBytes)
		r.Close(ring.Ended)
		f.arrived.Store(&arrival{reader: &session.Reader{Ring: r, Log: log.Log(), Epochs: protocol.Epochs{{Epoch: epoch, First: 1}}}})
		f.bell.Ring()
		s.turns()
		for len(s.line.feeds) > 0 {
			s.turns()
		}
	}
	asks("nothing is new", false)
	says(protocol.Cursor{Epoch: 11, Seq: 3})
	asks("the list has a later epoch", true)
	comes(9, 3) // the list has it for longer than the log
	asks("the list is late", false)
	says(protocol.Cursor{Epoch: 7, Seq: 2})
	asks("the list has an earlier epoch", true)
	comes(9, 3) // the list was late
	asks("the list is late", false)
	says(protocol.Cursor{Epoch: 7, Seq: 5})
	asks("the list says something else", true)
	comes(7, 5)
	if text := string(s.out.buf) + w.Body.String(); strings.Count(text, `"reset"`) != 1 || strings.Count(text, `"over"`) != 2 || f.at != (protocol.Cursor{Epoch: 7, Seq: 5}) {
		t.Errorf("%v\n%s", f.at, text)
	}
	says(protocol.Cursor{Epoch: 7, Seq: 6})
	asks("the list has more", true)
}
