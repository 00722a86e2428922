package delta

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// repeated is an update of an agent that says the whole message twice with each word.
func repeated(whole, word string) []byte {
	message := `{"role":"assistant","content":[{"type":"text","text":"` + whole + `"}],"api":"openai-completions","usage":{"input":0,"output":0}}`
	return []byte(`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"` + word + `","partial":` + message + `},"message":` + message + `}`)
}

// TestARepeatedMessageCostsItsWords: the delta of such an update does not grow with the message.
func TestARepeatedMessageCostsItsWords(t *testing.T) {
	var whole strings.Builder
	var before []byte
	for i := range 2000 {
		word := fmt.Sprintf(" word %d of the answer,", i*i)
		whole.WriteString(word)
		line := repeated(whole.String(), word)
		d, ok := Append(nil, before, line)
		if i > 50 && (!ok || len(d) > 4*len(word)+40) {
			t.Fatalf("word %d: %d bytes of a line of %d, %v: %q", i, len(d), len(line), ok, d)
		}
		if ok {
			back, err := Expand(nil, before, d, len(line))
			if err != nil || !bytes.Equal(back, line) {
				t.Fatalf("word %d: %q, %v", i, back, err)
			}
		}
		before = line
	}
}

// TestAnyLineComesBack, also one that is made of pieces of the line before.
func TestAnyLineComesBack(t *testing.T) {
	text := rapid.OneOf(
		rapid.SliceOf(rapid.Byte()),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]byte("ab")), 0, 3000), func(s []byte) []byte { return s }),
	)
	rapid.Check(t, func(t *rapid.T) {
		before := text.Draw(t, "before")
		line := text.Draw(t, "line")
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			from := rapid.IntRange(0, len(before)).Draw(t, "from")
			line = append(line, before[from:rapid.IntRange(from, len(before)).Draw(t, "to")]...)
			line = append(line, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "between")...)
		}
		d, ok := Append([]byte("front"), before, line)
		if !ok {
			if string(d) != "front" {
				t.Fatalf("%q is left", d)
			}
			return
		}
		if len(d)-len("front") > len(line)-len(line)/4 {
			t.Fatalf("%d bytes of a line of %d", len(d), len(line))
		}
		back, err := Expand([]byte("front"), before, d[len("front"):], len(line))
		if err != nil || string(back) != "front"+string(line) {
			t.Fatalf("%q, want %q, %v", back, line, err)
		}
		if len(line) == 0 {
			return
		}
		if _, err := Expand(nil, before, d[len("front"):], len(line)-1); err != ErrBroken {
			t.Fatalf("a line longer than allowed: %v", err)
		}
	})
}

// FuzzExpand: whatever is read, nothing breaks, and no line is longer than allowed.
func FuzzExpand(f *testing.F) {
	f.Add([]byte("the line before"), []byte{3, 1, 2, 'a', 'b'})
	f.Add([]byte("x"), []byte{200})
	f.Fuzz(func(t *testing.T, before, text []byte) {
		line, err := Expand(nil, before, text, 1000)
		if len(line) > 1000 || err != nil && len(line) > 0 {
			t.Fatalf("%d bytes, %v", len(line), err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1, 100, 400, 800} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			word := strings.Repeat("some words of it", 8)
			whole := strings.Repeat("0123456789,abcde", 8*n)
			before, line := repeated(whole, "x"+word[1:]), repeated(whole+word, word)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			var out []byte
			var ok bool
			for b.Loop() {
				if out, ok = Append(out[:0], before, line); !ok {
					b.Fatal("no delta")
				}
			}
			b.ReportMetric(float64(len(out)), "bytes")
		})
	}
	b.Run("slim", func(b *testing.B) {
		const line = `{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"%s"}}`
		before, line2 := fmt.Appendf(nil, line, "some words of an answer, as long as a model's pieces are"), fmt.Appendf(nil, line, "and other words of it, which are a little longer than those before")
		b.SetBytes(int64(len(line2)))
		var out []byte
		for b.Loop() {
			out, _ = Append(out[:0], before, line2)
		}
		b.ReportMetric(float64(len(out)), "bytes")
	})
}
