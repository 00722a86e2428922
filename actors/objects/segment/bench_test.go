package segment_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
)

// session makes a log as sessions have it: answers in pieces of some words, each said whole at its end, and calls of tools with what they give. The texts
// are this repository's own: prose of its documents, and its sources.
func session(b *testing.B, size int) (lines []byte, events int) {
	b.Helper()
	var prose, code []string
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "DECISIONS.md", "protocol/spec.md"} {
		text, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			b.Fatal(err)
		}
		prose = append(prose, strings.Fields(string(text))...)
	}
	names, err := filepath.Glob("../../journal/*.go")
	if err != nil || len(names) == 0 {
		b.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		code = append(code, string(text))
	}
	random := rand.New(rand.NewPCG(1, 1))
	at, entry := 1_767_225_600_000, 0
	say := func(format string, args ...any) {
		events++
		at += random.IntN(60)
		lines = fmt.Appendf(lines, `{"seq":%d,"ts":%d,`+format+"}\n", append([]any{events, at}, args...)...)
	}
	quote := func(s string) string {
		q, err := json.Marshal(s)
		if err != nil {
			b.Fatal(err)
		}
		return string(q)
	}
	for turn := 1; len(lines) < size; turn++ {
		say(`"type":"turn_start","turnId":"t%d","prompt":{"text":%s,"promptId":"p%d","clientId":"web-1"}`, turn, quote(strings.Join(prose[random.IntN(len(prose)-40):][:30], " ")), turn)
		for range 1 + random.IntN(6) {
			entry++
			say(`"type":"entry_start","turnId":"t%d","entryId":"e%d","entryType":"assistant_message","data":{"role":"assistant","text":""},"round":1`, turn, entry)
			from := random.IntN(len(prose) - 500)
			words := prose[from:][:20+random.IntN(300)]
			for n := 0; n < len(words); {
				some := min(1+random.IntN(6), len(words)-n)
				say(`"type":"entry_delta","entryId":"e%d","delta":{"op":"text_append","text":%s}`, entry, quote(strings.Join(words[n:][:some], " ")+" "))
				n += some
			}
			say(`"type":"entry_end","turnId":"t%d","entryId":"e%d","entryType":"assistant_message","data":{"role":"assistant","text":%s}`, turn, entry, quote(strings.Join(words, " ")))
			entry++
			file := code[random.IntN(len(code))]
			from = random.IntN(len(file))
			out := file[from:min(len(file), from+random.IntN(6000))]
			say(`"type":"entry_start","turnId":"t%d","entryId":"e%d","entryType":"tool_call","data":{"tool":"bash","kind":"execute","input":{"command":%s}}`, turn, entry, quote("sed -n 1,200p "+names[random.IntN(len(names))]))
			say(`"type":"entry_end","turnId":"t%d","entryId":"e%d","entryType":"tool_call","data":{"tool":"bash","kind":"execute","status":"completed","output":%s}`, turn, entry, quote(out))
		}
		say(`"type":"usage","turnId":"t%d","usage":{"inputTokens":%d,"outputTokens":%d}`, turn, random.IntN(90_000), random.IntN(4000))
		say(`"type":"turn_end","turnId":"t%d","stopReason":"end_turn"`, turn)
	}
	return lines, events
}

// BenchmarkWrite makes segments, and says what they have beside what the same lines have as one frame of each level of compression.
func BenchmarkWrite(b *testing.B) {
	lines, events := session(b, 8<<20)
	b.Run("segment", func(b *testing.B) {
		b.SetBytes(int64(len(lines)))
		b.ReportAllocs()
		var x segment.Index
		for b.Loop() {
			w := segment.NewWriter(io.Discard, 1)
			if _, err := w.Write(lines); err != nil {
				b.Fatal(err)
			}
			var err error
			if x, err = w.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(x.Size)/float64(events), "B/event")
		b.ReportMetric(float64(x.Raw)/float64(events), "raw-B/event")
		b.ReportMetric(float64(len(x.Frames)), "frames")
	})
	for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression, zstd.SpeedBestCompression} {
		for _, size := range []int{segment.FrameSize, len(lines)} {
			b.Run(fmt.Sprintf("%s/%dKiB", level, size>>10), func(b *testing.B) {
				enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level))
				if err != nil {
					b.Fatal(err)
				}
				defer enc.Close()
				b.SetBytes(int64(len(lines)))
				total := 0
				var out []byte
				for b.Loop() {
					total = 0
					for from := 0; from < len(lines); from += size {
						out = enc.EncodeAll(lines[from:min(from+size, len(lines))], out[:0])
						total += len(out)
					}
				}
				b.ReportMetric(float64(total)/float64(events), "B/event")
			})
		}
	}
}

// BenchmarkRead reads a whole segment, and the last 40 lines of one, beside the file that is expanded and not looked at.
func BenchmarkRead(b *testing.B) {
	lines, _ := session(b, 8<<20)
	file, x := made(b, 1, lines)
	s := new(memory.Place).Store()
	key := x.LogKey("0199a7a0-0000-7000-8000-000000000001")
	if _, err := s.Put(b.Context(), key, objects.Bytes(file)); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		since uint64
	}{{"whole", 0}, {"last40", x.Last - 40}} {
		b.Run(c.name, func(b *testing.B) {
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				size = 0
				for run, err := range segment.Lines(b.Context(), segment.Of(s, key), &x, c.since, x.Last) {
					if err != nil {
						b.Fatal(err)
					}
					size += len(run.Lines)
				}
			}
			b.SetBytes(int64(size))
			if c.since == 0 && !bytes.HasSuffix(lines, []byte("\n")) || c.since == 0 && size != len(lines) {
				b.Fatal(size)
			}
		})
	}
	b.Run("expanded", func(b *testing.B) {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			b.Fatal(err)
		}
		defer dec.Close()
		b.SetBytes(int64(len(lines)))
		var out []byte
		for b.Loop() {
			if out, err = dec.DecodeAll(file, out[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
