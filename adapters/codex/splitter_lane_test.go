package codex

import (
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestWhoHears: what concerns everybody goes to sessions that asked for a lane; without one to the first root, and before there is any it waits.
func TestWhoHears(t *testing.T) {
	s := newLanes()
	var out adapters.Split
	for range maxEarly + 1 {
		s.everybody([]byte("early"), &out)
	}
	born := s.add()
	s.root(born, &out)
	if len(out.Parts) != maxEarly || out.Parts[0].Lane != born.id {
		t.Fatalf("%d early lines", len(out.Parts))
	}
	out = adapters.Split{}
	s.everybody([]byte("x"), &out)
	a, b := s.add(), s.add()
	for _, l := range []*lane{a, b} {
		l.joined = true
		s.root(l, &out)
	}
	s.everybody([]byte("y"), &out)
	s.common([]byte("z"), false, &out)
	s.drop(a)
	s.common([]byte("w"), true, &out)
	got := ""
	for _, p := range out.Parts {
		got += fmt.Sprintf("%d%s ", p.Lane, p.Line)
	}
	if want := fmt.Sprintf("%[1]dx %[2]dy %[3]dy %[2]dz %[3]dw ", born.id, a.id, b.id); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
