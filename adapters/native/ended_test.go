package native

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestEnded(t *testing.T) {
	long := strings.Repeat("x", adapters.MaxText) + "é"
	for _, c := range []struct {
		name        string
		said        []string
		final, rest string
		ok          bool
	}{
		{"the same", []string{"I look."}, "I look.", "", true},
		{"more", []string{"I look."}, "I look. So.", " So.", true},
		{"more white space", []string{"I look."}, "I look.\n\n", "", true},
		{"less white space", []string{"I look.\n\n"}, "I look.", "", true},
		{"in pieces", []string{"I look.", "\nSo"}, "I look.\nSo it is.", " it is.", true},
		{"another text", []string{"I look."}, "You look.", "", false},
		{"less", []string{"I look."}, "I", "", false},
		{"nothing", []string{"I look."}, "", "", false},
		{"over the limit", []string{long}, long, "", true},
		{"over the limit, and more", []string{long, "é"}, long + "éa", "a", true},
		{"over the limit, and less", []string{long, "é"}, long, "", false},
		{"within a character", []string{"a\xc3"}, "a\u00e9b", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e Ended
			for _, s := range c.said {
				b := Budget{Limit: adapters.MaxText}
				e.Add(b.Take(s), b.All())
			}
			if rest, ok := e.Rest(c.final); rest != c.rest || ok != c.ok {
				t.Errorf("got %q %v, want %q %v", rest, ok, c.rest, c.ok)
			}
			if e.Is(c.final) != (c.ok && c.rest == "") {
				t.Errorf("Is says %v", e.Is(c.final))
			}
		})
	}
	var none Ended
	if none.Any() || none.Is("") {
		t.Error("nothing has ended")
	}
}

// White space makes no entry; with what follows it does.
func TestEndedMore(t *testing.T) {
	var e Ended
	e.Add("a", 1)
	for _, c := range []struct{ delta, want string }{{"\n", ""}, {" ", ""}, {"b", "\n b"}, {"c", "c"}, {strings.Repeat(" ", 2*maxSpace), ""}} {
		if got := e.More(c.delta); got != c.want {
			t.Errorf("%q gave %q, want %q", c.delta, got, c.want)
		}
	}
	if e.Whole(); e.More("d") != "d" || len(e.space) > maxSpace {
		t.Error("white space that the whole text has came twice")
	}
}

func TestBudgetCut(t *testing.T) {
	b := Budget{Limit: 3}
	if b.Take("ab"); b.Cut().Truncated || b.All() != 2 {
		t.Errorf("%+v", b)
	}
	b.Take("éc")
	b.Take("d")
	if c := b.Cut(); !c.Truncated || c.Bytes != 6 {
		t.Errorf("%+v", c)
	}
	if b.Set(1, "ab", &adapters.Output{}); b.Cut().Truncated {
		t.Error("what was replaced still counts")
	}
}
