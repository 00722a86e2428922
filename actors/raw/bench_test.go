package raw

import (
	"fmt"
	"path/filepath"
	"testing"
)

const typical = `{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":" %d some words of an answer, as long as a model's pieces are"}}`

// BenchmarkRecord is what the port pays for a typical line, in batches of 16, and what the disk's side takes of it.
func BenchmarkRecord(b *testing.B) {
	a := New(filepath.Join(b.TempDir(), "raw"), Options{})
	defer a.Close()
	r := a.Record(1, Beginning{})
	line := fmt.Appendf(nil, typical, 1)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Out(line)
		if i%16 == 15 {
			r.Batch(uint64(i))
			r.Wait()
		}
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
