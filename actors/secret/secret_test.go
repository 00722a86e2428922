package secret_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/secret"
)

const (
	bits  = "Zx-9_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-_"
	made  = "ringmaster_abcdefghij27_" + bits
	first = "0123456789abcdef0123456789abcdeffedcba9876543210fedcba9876543210"
)

func knowing() *secret.Tokens {
	t := &secret.Tokens{}
	t.Know(first)
	return t
}

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"it is " + made + ".":       "it is ringmaster_abcdefghij27_redacted***********************************.",
		made + made:                 "ringmaster_abcdefghij27_redacted***********************************ringmaster_abcdefghij27_redacted***********************************",
		`{"a":"` + first + `"}`:     `{"a":"redacted********************************************************"}`,
		"x" + first + first[:63]:    "xredacted********************************************************" + first[:63],
		made[:66]:                   made[:66],
		"mcp__ringmaster_session__": "mcp__ringmaster_session__",
		"ringmaster_" + made:        "ringmaster_ringmaster_abcdefghij27_redacted***********************************",
		strings.ToUpper(made):       strings.ToUpper(made),
	} {
		line := []byte(text)
		if found := knowing().Mask(line); string(line) != want || found != (text != want) || knowing().Text(text) != want {
			t.Errorf("%q became %q (%v), want %q", text, line, found, want)
		}
	}
	if got := (*secret.Tokens)(nil).Text(made + first); strings.Contains(got, bits) || !strings.HasSuffix(got, first) {
		t.Errorf("without a first token: %q", got)
	}
}

// A token is taken out wherever the pieces end in which it comes; what is around it stays.
func TestMaskPieces(t *testing.T) {
	for _, token := range []string{made, first} {
		text := "for 0 rrring " + token + " and on"
		for size := 1; size <= len(text); size++ {
			s := knowing().Streams()
			var all strings.Builder
			for at := 0; at < len(text); at += size {
				piece := text[at:min(at+size, len(text))]
				clean := s.Next(1, piece)
				all.WriteString(clean)
				line := []byte(`{"type":"` + piece + `"}`)
				if secret.Also(line, piece, clean); string(line) != `{"type":"`+clean+`"}` {
					t.Fatalf("in pieces of %d, the line that brought %q is %s", size, piece, line)
				}
			}
			got := all.String()
			if len(got) != len(text) || !strings.HasPrefix(got, "for 0 rrring ") || !strings.HasSuffix(got, " and on") {
				t.Fatalf("in pieces of %d: %q", size, got)
			}
			for at := len("for 0 rrring ") + 24; at+9 < len("for 0 rrring ")+len(token); at++ {
				if strings.Contains(got, text[at:at+9]) {
					t.Fatalf("in pieces of %d: %q", size, got)
				}
			}
		}
	}
	s := knowing().Streams()
	for i, piece := range []string{"ring", "master", " is the daemon, ringmaster_abcdefghij27", "_ab", " is none"} {
		if clean := s.Next(2, piece); clean != piece && i != 3 {
			t.Errorf("%q became %q", piece, clean)
		}
		if clean := s.Next(3, "x"); clean != "x" { // another text, meanwhile
			t.Errorf("another text: %q", clean)
		}
	}
	s.Next(4, made[:40])
	s.Over(4)
	if clean := s.Next(4, made[40:]); clean != made[40:] {
		t.Errorf("of a text that is over: %q", clean)
	}
}
