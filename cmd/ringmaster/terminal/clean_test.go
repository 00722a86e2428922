package terminal

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// corpus is what could steer a terminal: every control character alone, and the families of sequences, ended in each way
// that terminals know or not at all, short, long and nested.
func corpus() []string {
	var list []string
	for r := rune(0); r < 0x20; r++ {
		list = append(list, string(r), "a"+string(r)+"b")
	}
	for r := rune(0x7f); r <= 0x9f; r++ {
		list = append(list, string(r), "a"+string(r)+"b")
	}
	for b := 0x80; b <= 0x9f; b++ { // bare bytes: C1 for a terminal that is not set to UTF-8
		list = append(list, "a"+string([]byte{byte(b)})+"31mb")
	}
	ends := []string{"\x1b\\", "\u009c", "\a", "", "\n", "\x18", "\x1a", "\x1b"}
	introducers := []string{
		"\x1b[", "\u009b", "\x1b]", "\u009d", "\x1bP", "\u0090", "\x1bX", "\u0098", "\x1b^", "\u009e", "\x1b_", "\u009f",
	}
	bodies := []string{
		"", "31m", "2J", "?1049h", "6n", "0;title", "8;;http://example.org", "52;c;cm0gLXJm", "1337;File=:AAAA",
		"+q544e", "$qm", "38;2;1;2;3m", "\x1b[31m", strings.Repeat("7;", 3000) + "m", "é中\u202e",
	}
	for _, i := range introducers {
		for _, b := range bodies {
			for _, e := range ends {
				list = append(list, "a"+i+b+e+"b")
			}
		}
	}
	for final := rune(0x20); final < 0x7f; final++ { // ESC and every byte that may follow
		list = append(list, "a\x1b"+string(final)+"b", "a\x1b("+string(final)+"b")
	}
	return append(list, "\x1b", "\x1b\x1b\x1b[31m", "\x1b[31", "\xc2", "\xc2\x9b31m", "\xe2\x80\xae", strings.Repeat("\x1b]", 5000),
		"safe\u2028line\u2029para", "\U000e0041\U000e0042", "\u200ename\u200f", "\u2066x\u2069")
}

// steers says why a text must not reach a terminal.
func steers(s string) error {
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !utf8.ValidString(s[i:min(i+4, len(s))]) && s[i] != 0xef:
			return fmt.Errorf("byte %d is not UTF-8", i)
		case r == '\n' || r == '\t':
		case r < 0x20 || r >= 0x7f && r <= 0x9f:
			return fmt.Errorf("byte %d is U+%04X", i, r)
		case r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return fmt.Errorf("byte %d is U+%04X", i, r)
		}
	}
	return nil
}

func TestCorpusIsHarmless(t *testing.T) {
	list := corpus()
	if len(list) < 500 {
		t.Fatalf("only %d sequences", len(list))
	}
	for _, text := range list {
		if err := steers(Strip(text)); err != nil {
			t.Errorf("Strip(%.60q): %v", text, err)
		}
		if err := steers(Visible(text)); err != nil || strings.ContainsAny(Visible(text), "\n\t") {
			t.Errorf("Visible(%.60q) = %.60q: %v", text, Visible(text), err)
		}
	}
}

// However a text is cut into pieces, the same comes out.
func TestCleanerInPieces(t *testing.T) {
	for _, text := range corpus() {
		if len(text) > 200 {
			continue
		}
		want := Strip(text)
		for cut := range len(text) + 1 {
			var c Cleaner
			if got := c.Clean(text[:cut]) + c.Clean(text[cut:]) + c.End(); got != want {
				t.Fatalf("%q cut at %d: got %q, want %q", text, cut, got, want)
			}
		}
		var c Cleaner
		got := ""
		for i := range len(text) {
			got += c.Clean(text[i : i+1])
		}
		if got += c.End(); got != want {
			t.Fatalf("%q byte by byte: got %q, want %q", text, got, want)
		}
	}
}

func TestStrip(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\nand é中", "plain\ttext\nand é中"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"a\x1b]0;title\ab", "ab"},
		{"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink"},
		{"a\x1bP1$r0m\x1b\\b", "ab"},
		{"a\u009b2Jb", "ab"},
		{"10%\r20%\r\ndone", "10%\n20%\ndone"},
		{"an open \x1b]0;swallows\nno further than its line", "an open \nno further than its line"},
		{"rlo \u202e end", `rlo \u202e end`},
		{"tag \U000e0041", `tag \U000e0041`},
		{"bad \xff byte", "bad \ufffd byte"},
		{"half \xe4\xb8", "half \ufffd"},
		{"bell\a backspace\b del\x7f", "bell backspace del"},
	} {
		if got := Strip(c.in); got != c.want {
			t.Errorf("Strip(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// What a person decides about shows everything: nothing can hide behind a sequence.
func TestVisibleHidesNothing(t *testing.T) {
	got := Visible("ls \x1b]0;; rm -rf ~\a\r\n\u009b8m")
	want := `ls \x1b]0;; rm -rf ~\x07\r\n\u009b8m`
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzStrip(f *testing.F) {
	for i, text := range corpus() {
		if i%20 == 0 {
			f.Add(text, 3)
		}
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		got := Strip(text)
		if err := steers(got); err != nil {
			t.Fatal(err)
		}
		cut = min(max(cut, 0), len(text))
		var c Cleaner
		if pieces := c.Clean(text[:cut]) + c.Clean(text[cut:]) + c.End(); pieces != got {
			t.Fatalf("cut at %d: %q, whole: %q", cut, pieces, got)
		}
		if err := steers(Visible(text)); err != nil {
			t.Fatal(err)
		}
		for _, line := range wrap(got, 20) {
			if n := Cells(line); n > 20 {
				t.Fatalf("line %q has %d columns", line, n)
			}
		}
	})
}
