package tty

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty/ttytest"
)

// Whatever is drawn in whatever order, the screen shows the last frame; and what has not changed is not drawn.
func TestScreenShowsTheLastFrame(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		glass := ttytest.NewScreen(30, 8)
		var out bytes.Buffer
		s := Screen{Out: &out}
		var f terminal.Frame
		for range 30 {
			next := terminal.Frame{Lines: slices.Clone(f.Lines), X: r.IntN(30), Y: r.IntN(9) - 1, Title: fmt.Sprint("title ", r.IntN(2))}
			for len(next.Lines) < r.IntN(10) {
				next.Lines = append(next.Lines, "")
			}
			for y := range next.Lines {
				if r.IntN(3) == 0 {
					next.Lines[y] = strings.Repeat([]string{"x", "中", "\x1b[31mé\x1b[0m"}[r.IntN(3)], r.IntN(15))
				}
			}
			if r.IntN(10) == 0 {
				s.Forget()
			}
			f = next
			if err := s.Draw(f, 8); err != nil {
				t.Fatal(err)
			}
			_, _ = glass.Write(out.Bytes())
			out.Reset()
			for y, line := range glass.Lines() {
				want := ""
				if y < len(f.Lines) {
					want = strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(f.Lines[y])
				}
				if line != want {
					t.Fatalf("seed %d: row %d is %q, want %q", seed, y, line, want)
				}
			}
			if glass.Title != f.Title || len(glass.Problems) > 0 || glass.Scrolled() > 0 {
				t.Fatalf("seed %d: %q, %q", seed, glass.Title, glass.Problems)
			}
			if x, y := glass.Cursor(); f.Y >= 0 && (x != f.X || y != f.Y) {
				t.Fatalf("seed %d: the cursor is at %d %d, want %d %d", seed, x, y, f.X, f.Y)
			}
			if err := s.Draw(f, 8); err != nil || out.Len() > 0 {
				t.Fatalf("seed %d: the same frame was drawn again: %q, %v", seed, out.String(), err)
			}
		}
	}
}

// A line that was not cleaned steers nothing all the same.
func TestScreenIsTheLastGuard(t *testing.T) {
	t.Setenv("TERM", "xterm")
	glass := ttytest.NewScreen(40, 2)
	s := Screen{Out: glass}
	err := s.Draw(terminal.Frame{Y: -1, Title: "a\x1b]52;c;cm0=\ab", Lines: []string{"a\x1b[2Jb\x1b]0;x\a\u009b1m\rc\nd\x1b[31mred\x1b[0m\x1b[1"}}, 2)
	if err != nil || len(glass.Problems) > 0 || glass.Bells > 0 || glass.Title != "a]52;c;cm0=b" {
		t.Errorf("%v, %q, %d bells, title %q", err, glass.Problems, glass.Bells, glass.Title)
	}
	if got := glass.Lines(); !strings.HasPrefix(got[0], "a\ufffd[2Jb\ufffd]0;x\ufffd\ufffd1m\ufffdc\ufffddred\ufffd[1") || got[1] != "" {
		t.Errorf("%q", got)
	}
}
