package merged

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestSessionsTakeTurns: of a session that is far behind a turn sends no more than one event above turnBytes, so that the others come to theirs.
func TestSessionsTakeTurns(t *testing.T) {
	const events, size = 100, 4 << 10
	w := httptest.NewRecorder()
	s := newStream(&Config{}, &wish{view: resource.ViewFull}, ndjson, nil)
	s.out.ctx, s.out.w = t.Context(), w
	var places memory.Store
	for _, id := range []string{"a", "b"} {
		log, err := places.Create(id)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		batch := store.Batch{First: 1, Count: events, Time: 1}
		for seq := range uint64(events) {
			batch.Lines = fmt.Appendf(batch.Lines, `{"seq":%d,"text":"%s"}`+"\n", seq+1, strings.Repeat("x", size))
		}
		if err := log.Append(batch); err != nil {
			t.Fatal(err)
		}
		f := &feed{id: id, at: start, phase: open, reader: &session.Reader{Ring: ring.New(1, events, turnBytes), Log: log.Log()}}
		s.line.hang(f)
		s.feeds[id] = f
		s.line.add(f)
	}
	for turns := uint64(1); len(s.line.feeds) > 0; turns++ {
		s.turns()
		for id, f := range s.feeds {
			if most := turns * (turnBytes/size + 1); f.at.Seq > most || f.at.Seq < min(turns, events) {
				t.Fatalf("after %d turns %s was sent up to %d: want at most %d", turns, id, f.at.Seq, most)
			}
		}
	}
	if err := s.out.bad; err != nil || s.feeds["a"].at.Seq != events || s.feeds["b"].at.Seq != events {
		t.Errorf("%v: %v and %v", err, s.feeds["a"].at, s.feeds["b"].at)
	}
}
