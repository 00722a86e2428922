package raw

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const typical = `{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":" %d some words of an answer, as long as a model's pieces are"}}`

// BenchmarkRecord is what the port pays for a typical line, in batches of 16, and what the disk's side takes of it. The texts differ.
func BenchmarkRecord(b *testing.B) {
	words := strings.Fields(`the a of and to in is it that for was on are as with they be at one have this from or had by not but some what there we can out other were all`)
	list := make([][]byte, 4000)
	size := 0
	for i := range list {
		var text strings.Builder
		for n := uint64(i); text.Len() < 120; n = n*6364136223846793005 + 1442695040888963407 {
			text.WriteString(words[n>>33%uint64(len(words))] + " ")
		}
		list[i] = []byte(strings.Replace(typical, " %d some words of an answer, as long as a model's pieces are", text.String(), 1))
		size += len(list[i])
	}
	a := New(filepath.Join(b.TempDir(), "raw"), Options{Linger: 250 * time.Millisecond})
	defer a.Close()
	r := a.Record(1, Beginning{})
	b.SetBytes(int64(size / len(list)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Out(list[i%len(list)])
		if i%16 == 15 {
			r.Batch(uint64(i))
			r.Wait()
		}
	}
	flush(a)
}

// BenchmarkRepeat is a line of Pi 0.73, whose updates have the whole message twice, of 800 updates each.
func BenchmarkRepeat(b *testing.B) {
	var list [][]byte
	var whole strings.Builder
	for i := range 800 {
		word := fmt.Sprintf("%d words of an answer, which differ from each other in their numbers, as %d does, and are 120 bytes long or a little more; ", i, i*i)
		whole.WriteString(word)
		message := `{"role":"assistant","content":[{"type":"text","text":"` + whole.String() + `"}],"usage":{"input":0,"output":0}}`
		list = append(list, []byte(`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"`+word+`","partial":`+message+`},"message":`+message+`}`))
	}
	a := New(filepath.Join(b.TempDir(), "raw"), Options{Linger: 250 * time.Millisecond})
	defer a.Close()
	r := a.Record(1, Beginning{})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Out(list[i%len(list)])
		r.Batch(uint64(i))
		r.Wait()
	}
	flush(a)
}

// BenchmarkRead reads an archive of typical lines.
func BenchmarkRead(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "raw")
	a := New(dir, Options{})
	r := a.Record(1, Beginning{})
	const lines = 50_000
	for i := range lines {
		r.Out(fmt.Appendf(nil, typical, i))
		r.Batch(uint64(i + 1))
		r.Wait()
	}
	a.Close()
	b.SetBytes(lines * int64(len(typical)))
	for b.Loop() {
		n := 0
		rd, err := Read(dir, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range rd.Lines() {
			if n++; err != nil {
				b.Fatal(err)
			}
		}
		if n != lines+1 {
			b.Fatal(n)
		}
	}
}
