package native

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Proves: C32
func TestOutput(t *testing.T) {
	long := strings.Repeat("0123456789", 10)
	for _, c := range []struct{ name, last, now, want string }{
		{"nothing", "", "", ""},
		{"the first", "", "a\n", "+a\n"},
		{"more", "a\n", "a\nb\n", "+b\n"},
		{"the same", "a\n", "a\n", ""},
		{"a window that moved on", "lost " + long + "abc", long + "abcdef", "+def"},
		{"a window with too little in common", "first\nab", "ab second", "=ab second"},
		{"something else", "progress 10%", "progress 20%", "=progress 20%"},
		{"gone", "a", "", "="},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Growth{last: c.last}
			if got := show(o.Grow(c.now)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func show(d protocol.Delta) string {
	switch d := d.(type) {
	case *protocol.TextAppend:
		return "+" + d.Text
	case *protocol.TextSet:
		return "=" + d.Text
	}
	return ""
}

// TestOutputWindow slides a window over random lines, as Pi does: the deltas add up to the whole output.
func TestOutputWindow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var all, told strings.Builder
	var o Growth
	for range 300 {
		for range rnd.IntN(4) {
			all.WriteString(strings.Repeat("x", 1+rnd.IntN(20)) + string(rune('a'+rnd.IntN(26))) + "\n")
		}
		now := all.String()
		if len(now) > 2000 {
			now = now[len(now)-2000:]
		}
		switch d := o.Grow(now).(type) {
		case *protocol.TextAppend:
			told.WriteString(d.Text)
		case *protocol.TextSet:
			t.Fatalf("did not recognise the window")
		}
	}
	if told.String() != all.String() {
		t.Errorf("the deltas do not add up")
	}
}

func TestOutputLimit(t *testing.T) {
	var o Growth
	n := 0
	now := ""
	for range 30 {
		now += strings.Repeat("é", 5000)
		if d, ok := o.Grow(now).(*protocol.TextAppend); ok {
			n += len(d.Text)
		}
	}
	if n > adapters.MaxText || n < adapters.MaxText-3 {
		t.Errorf("%d bytes of deltas", n)
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "", 0},
		{"", "abc", 0},
		{"abc", "cde", 1},
		{"abcabc", "abcabcd", 6},
		{"xxaab", "aabaab", 3},
		{"aaaa", "aaa", 3},
		{"abcd", "efgh", 0},
		{"xabab", "ababab", 4},
	} {
		if got := overlap(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
