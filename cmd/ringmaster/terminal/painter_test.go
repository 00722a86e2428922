package terminal

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// glass is a terminal as far as a Painter needs one: endless rows, a cursor, CR, LF, cursor up, erase below.
type glass struct {
	t    *testing.T
	rows []string
	y    int
	x    int
}

func (g *glass) Write(b []byte) (int, error) {
	text := string(b)
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexAny(rest, "AJ")
			if end < 0 {
				g.t.Fatalf("unknown sequence in %q", text)
			}
			g.control(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		ch := text[0]
		text = text[1:]
		switch ch {
		case '\r':
			g.x = 0
		case '\n':
			g.y, g.x = g.y+1, 0
		default:
			g.put(ch)
		}
	}
	return len(b), nil
}

func (g *glass) put(ch byte) {
	for len(g.rows) <= g.y {
		g.rows = append(g.rows, "")
	}
	row := []byte(g.rows[g.y])
	for len(row) <= g.x {
		row = append(row, ' ')
	}
	row[g.x] = ch
	g.rows[g.y] = string(row)
	g.x++
}

func (g *glass) control(n string, final byte) {
	switch final {
	case 'A':
		up, err := strconv.Atoi(n)
		if g.y -= up; err != nil || g.y < 0 {
			g.t.Fatalf("cursor up %q from row %d", n, g.y)
		}
	case 'J':
		if g.y < len(g.rows) {
			g.rows = g.rows[:g.y+1]
			g.rows[g.y] = g.rows[g.y][:min(g.x, len(g.rows[g.y]))]
		}
	}
}

func (g *glass) screen() []string {
	rows := slices.Clone(g.rows)
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// Whatever is painted in whatever order: above are all final lines, below the last live ones, and nothing of earlier ones.
func TestPainter(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := &glass{t: t}
		p := NewPainter(g)
		var final []string
		line := func(kind string) string { return kind + strings.Repeat("x", r.IntN(9)) + strconv.Itoa(r.IntN(100)) }
		for range 30 {
			var more, live []string
			for range r.IntN(3) {
				more = append(more, line("final"))
			}
			for range r.IntN(4) {
				live = append(live, line("live"))
			}
			final = append(final, more...)
			if err := p.Paint(more, live); err != nil {
				t.Fatal(err)
			}
			if want := slices.Concat(final, live); !slices.Equal(g.screen(), want) {
				t.Fatalf("seed %d: the screen is\n%q\nwant\n%q", seed, g.screen(), want)
			}
		}
		if err := p.Done(); err != nil || !slices.Equal(g.screen(), final) || g.x != 0 {
			t.Fatalf("seed %d: at the end\n%q at column %d, %v", seed, g.screen(), g.x, err)
		}
	}
}

// A line that did not change is not painted again.
func TestPainterIsQuiet(t *testing.T) {
	var b strings.Builder
	p := NewPainter(&b)
	for range 3 {
		if err := p.Paint(nil, []string{"same"}); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != "same" {
		t.Errorf("painted %q", b.String())
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9]+m")

func TestLiveLinesTakeOneRow(t *testing.T) {
	for _, columns := range []int{20, 33, 80} {
		for _, bad := range []string{strings.Repeat("long ", 100), strings.Repeat("中", 100), strings.Repeat("a\tb", 50), "a\nb\r\nc"} {
			v := NewView(Options{Columns: columns, Colour: len(bad)%2 == 0})
			for i, e := range everywhere(bad) {
				v.Event(&protocol.Event{Seq: uint64(i) + 1, Time: int64(i), Payload: e})
				for _, l := range v.Live(i, int64(i)) {
					if n := Cells(colours.ReplaceAllString(l, "")); n > columns {
						t.Fatalf("%d columns: %q has %d", columns, l, n)
					}
				}
			}
		}
	}
}
