package session

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
)

// TestHeadTells: a summary that is older than what is shown does not tell, nor does one of events that are not shown yet.
func TestHeadTells(t *testing.T) {
	var none *Head
	h := new(Head)
	h.set(9, 7, 0)
	for _, c := range []struct {
		head *Head
		of   Summary
		want bool
	}{
		{none, Summary{}, true},
		{h, Summary{Changed: 7}, true},
		{h, Summary{Changed: 6}, false},
		{h, Summary{Changed: 9}, true},
		{h, Summary{Changed: 10}, false},
		{new(Head), Summary{Changed: 7}, false}, // its actor has not begun
	} {
		if got := c.head.Tells(&c.of); got != c.want {
			t.Errorf("changed %d: %v", c.of.Changed, got)
		}
	}
}

// TestHeadWakes once, at the number and not before it, and at once where the log has come there.
func TestHeadWakes(t *testing.T) {
	var none *Head
	s, h := ring.NewBells(), new(Head)
	b := s.New()
	none.Wake(1, b)
	h.Wake(5, b)
	rung := func() bool { return len(s.Take(nil)) > 0 }
	for _, step := range []struct {
		seq  uint64
		want bool
	}{{4, false}, {6, true}, {7, false}} {
		if h.set(step.seq, 0, 0); rung() != step.want {
			t.Errorf("at %d it rang: %v", step.seq, !step.want)
		}
	}
	if h.Wake(7, b); !rung() {
		t.Error("it did not ring for what is there")
	}
	h.Wake(8, b)
	h.Wake(0, nil)
	if h.set(8, 0, 0); rung() {
		t.Error("it rang though it was taken away")
	}
}
