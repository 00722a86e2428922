package codex

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func lines(out *adapters.Output) string {
	var b strings.Builder
	for _, l := range out.Lines {
		b.WriteString(text(l, "method") + " " + text(member(l, "params"), "turnId") + "\n")
	}
	return b.String()
}

// TestInterruptAnswered: a refused interrupt is sent again where the refusal tells something new, and not where the turn's end is on the way.
func TestInterruptAnswered(t *testing.T) {
	for _, c := range []struct {
		name    string
		turn    turn
		problem string
		id      string // of the turn then
		again   bool
	}{
		{"taken", turn{started: true}, "", "1", false},
		{"the end is on the way", turn{started: true}, "no active turn", "1", false},
		{"it has not begun there", turn{}, "no active turn", "1", false},
		{"it has another id there", turn{started: true}, "expected active turn id `1` but found `2`", "2", true},
		{"known by its items only", turn{alias: "0"}, "no active turn", "1", true},
		{"the other id is known", turn{started: true, alias: "2"}, "expected active turn id `1` but found `2`", "1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, l := c.turn, newLink("A")
			r.on, r.id = true, "1"
			var out adapters.Output
			r.interrupt(&l, &out)
			if lines(&out) != "turn/interrupt 1\n" {
				t.Fatalf("sent %q", lines(&out))
			}
			out = adapters.Output{}
			r.interruptAnswered(l.take([]byte(`"t1"`)), c.problem, &l, &out)
			want := ""
			if c.again {
				want = "turn/interrupt " + c.id + "\n"
			}
			if lines(&out) != want || r.id != c.id || !r.is("1") {
				t.Errorf("sent %q, the turn is %+v", lines(&out), r)
			}
		})
	}
}

// TestInterruptWaits: nothing is sent while no answer would come, nor to a turn that is not known; later it is, once.
func TestInterruptWaits(t *testing.T) {
	var out adapters.Output
	r, l := turn{on: true}, newLink("A")
	l.away = true
	r.interrupt(&l, &out)
	r.id = "1"
	r.stopNow(&l, &out)
	l.away, l.rejoining = false, true
	r.stopNow(&l, &out)
	if len(out.Lines) != 0 {
		t.Fatalf("sent %q", lines(&out))
	}
	l.rejoining = false
	r.stopNow(&l, &out)
	r.stopNow(&l, &out)
	if lines(&out) != "turn/interrupt 1\n" {
		t.Errorf("sent %q", lines(&out))
	}
}

// TestEndedTurns: the newest are known; no id is none.
func TestEndedTurns(t *testing.T) {
	var e endedTurns
	e.add("")
	if e.next != 0 {
		t.Error("no id was counted")
	}
	e.add("first")
	for range len(e.ids) - 1 {
		e.add("x")
	}
	if !e.has("first") {
		t.Error("forgotten too early")
	}
	if e.add("last"); e.has("first") || !e.has("last") {
		t.Errorf("%q", e.ids)
	}
}
