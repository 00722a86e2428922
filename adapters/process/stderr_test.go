package process

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   string
		want []string
	}{
		{"nothing", "", nil},
		{"lines", "one\ntwo\n", []string{"one", "two"}},
		{"blank lines", "one\n\n \r\n\x1b[0m\ntwo", []string{"one", "two"}},
		{"colours", "\x1b[1;31merror\x1b[0m: \x1b]0;title\x07bad\x1b]8;;http://x\x1b\\link", []string{"error: badlink"}},
		{"C1 forms", "\u009b31mred \u009dtitle\u009cend \u0090q\u009cx", []string{"red end x"}},
		{"unfinished sequences", "a\x1b\nb\x1b[\nc\x1b]0;t", []string{"a", "b", "c"}},
		{"controls and direction", "a\x00b\x08c\td\u202ee\u2066f\u2028g\ufeffh", []string{"abc defgh"}},
		{"invalid UTF-8", "a\xffb", []string{"a\uFFFDb"}},
		{"long line", strings.Repeat("é", 600), []string{strings.Repeat("é", stderrRunes) + "…"}},
	}
	for _, tt := range tests {
		var one, pieces tail
		one.add([]byte(tt.in))
		for i := range len(tt.in) {
			pieces.add([]byte(tt.in[i : i+1]))
		}
		for _, got := range [][]string{one.lines(), pieces.lines()} {
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
	}
}

func TestTailKeepsTheLast(t *testing.T) {
	t.Parallel()
	var kept tail
	for i := range 20000 {
		kept.add(fmt.Appendf(nil, "line %d\n", i))
	}
	kept.add(make([]byte, 3*stderrBytes))
	for i := range 20000 {
		kept.add(fmt.Appendf(nil, "later %d\n", i))
	}
	got := kept.lines()
	if len(got) != stderrLines || got[0] != "later 19960" || got[stderrLines-1] != "later 19999" {
		t.Errorf("%d lines from %q to %q", len(got), got[0], got[len(got)-1])
	}
	if len(kept.buf) != stderrBytes {
		t.Errorf("kept %d bytes", len(kept.buf))
	}
}
