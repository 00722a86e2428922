package feed

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func feedOf(id string, epoch uint64) *Feed {
	return &Feed{ID: id, Epoch: epoch, Reader: &session.Reader{Ring: ring.New(epoch, 0, 0)}}
}

// TestRecentsAreOfOneLog: feeds of a log share what it has, those of another or of another epoch do not, and the last one takes it along.
func TestRecentsAreOfOneLog(t *testing.T) {
	r := NewRecents()
	one, other, again, later := feedOf("a", 1), feedOf("a", 1), feedOf("b", 1), feedOf("a", 2)
	leaves := []func(){r.Share(one), r.Share(other), r.Share(again), r.Share(later)}
	e := &protocol.Event{Seq: 7}
	one.recent.keep(e, 1)
	for _, c := range []struct {
		name string
		feed *Feed
		want *protocol.Event
	}{
		{"its own", one, e}, {"another feed", other, e}, {"another log", again, nil}, {"another epoch", later, nil}, {"a feed that does not share", feedOf("a", 1), nil},
	} {
		if got := c.feed.recent.event(7); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, leave := range leaves {
		leave()
	}
	if len(r.logs) != 0 {
		t.Errorf("%d logs are left", len(r.logs))
	}
}

// TestRecentKeepsTheNewest events of a log, as far as their lines are short.
func TestRecentKeepsTheNewest(t *testing.T) {
	r := new(recent)
	r.keep(&protocol.Event{Seq: 1}, 1)
	if r.event(1) != nil {
		t.Error("kept for nobody")
	}
	r.feeds.Store(2)
	for seq := uint64(1); seq <= 2*recentEvents; seq++ {
		r.keep(&protocol.Event{Seq: seq}, 1)
	}
	r.keep(&protocol.Event{Seq: recentEvents}, 1) // by one who is behind
	for _, c := range []struct {
		seq  uint64
		kept bool
	}{{1, false}, {recentEvents, false}, {recentEvents + 1, true}, {2 * recentEvents, true}, {2*recentEvents + 1, false}} {
		if e := r.event(c.seq); (e != nil) != c.kept || e != nil && e.Seq != c.seq {
			t.Errorf("%d: %v", c.seq, e)
		}
	}
	r.keep(&protocol.Event{Seq: 3 * recentEvents}, recentLine+1)
	if r.event(3*recentEvents) != nil {
		t.Error("a long line is kept")
	}
}
