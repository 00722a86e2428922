package native

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

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
			if got := show(grown(&o, c.now)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// grown is the delta that leads to a text; nil: none does.
func grown(g *Growth, now string) protocol.Delta {
	var out adapters.Output
	g.Grow(1, now, &out)
	for _, d := range out.Drafts {
		if d, is := d.(adapters.EntryChanged); is {
			return d.Delta
		}
	}
	return nil
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
		switch d := grown(&o, now).(type) {
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
		if d, ok := grown(&o, now).(*protocol.TextAppend); ok {
			n += len(d.Text)
		}
	}
	if n > adapters.MaxText || n < adapters.MaxText-3 {
		t.Errorf("%d bytes of deltas", n)
	}
}

// TestOverflow: what does not fit follows what does, whether a text grows by its pieces or is repeated, and never within a character.
// Proves: I15.7/overflow
func TestOverflow(t *testing.T) {
	whole := strings.Repeat("é, ", 200)
	for _, limit := range []int{1, 2, 100, 301, 599, 600, 601} {
		var out adapters.Output
		b, g := Budget{Limit: limit}, Growth{Budget: Budget{Limit: limit}}
		for at := 0; at < len(whole); at += 4 * len("é, ") {
			b.Grow(1, whole[at:at+4*len("é, ")], AsText, &out)
			g.Grow(2, whole[:at+4*len("é, ")], &out)
		}
		kept, all := map[adapters.EntryKey]int{}, map[adapters.EntryKey]string{}
		for _, d := range out.Drafts {
			var key adapters.EntryKey
			var text string
			switch d := d.(type) {
			case adapters.EntryChanged:
				key, text = d.Key, strings.TrimLeft(show(d.Delta), "+=")
				kept[key] += len(text)
			case adapters.EntryOverflow:
				key, text = d.Key, strings.TrimPrefix(show(d.Delta), "+")
				if d.Offset != int64(len(all[key])) {
					t.Fatalf("limit %d: at %d behind %d bytes", limit, d.Offset, len(all[key]))
				}
			}
			if !utf8.ValidString(text) {
				t.Fatalf("limit %d: cut within a character", limit)
			}
			all[key] += text
		}
		for key := adapters.EntryKey(1); key <= 2; key++ {
			if all[key] != whole || kept[key] > limit || kept[key] < min(limit, len(whole))-1 {
				t.Errorf("limit %d: text %d has %d bytes, %d of them kept", limit, key, len(all[key]), kept[key])
			}
		}
	}
}

// TestOverflowBeside: a text's place counts its own bytes, also where another one shares the room, where it is set anew, and never where some of it is not known.
// Proves: I15.7/overflow
func TestOverflowBeside(t *testing.T) {
	var out adapters.Output
	b := Budget{Limit: 4}
	b.Beside("abc")
	b.Grow(1, "12345", AsText, &out)
	b.Set(1, "abcdefg", &out)
	b.Grow(1, "hi", AsText, &out)
	b.Mute()
	b.Grow(1, "jk", AsText, &out)
	var got []string
	for _, d := range out.Drafts {
		switch d := d.(type) {
		case adapters.EntryChanged:
			got = append(got, show(d.Delta))
		case adapters.EntryOverflow:
			got = append(got, strconv.FormatInt(d.Offset, 10)+show(d.Delta))
		}
	}
	if want := "+1 1+2345 =abcd 4+efg 7+hi"; strings.Join(got, " ") != want || b.All() != 11 {
		t.Errorf("got %q of %d bytes, want %q", got, b.All(), want)
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
