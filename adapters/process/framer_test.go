package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// frames reads everything; lines are copied.
func frames(src io.Reader, limit int) (out []Frame, err error) {
	f := NewFramer(src, limit)
	for {
		frame, err := f.Next()
		if err != nil {
			return out, err
		}
		if frame.Line != nil {
			frame.Line = bytes.Clone(frame.Line)
		}
		out = append(out, frame)
	}
}

func TestFramer(t *testing.T) {
	t.Parallel()
	line := func(s string) Frame { return Frame{Line: []byte(s)} }
	tests := []struct {
		name, in string
		want     []Frame
	}{
		{"nothing", "", nil},
		{"lines", "a\nbc\n", []Frame{line("a"), line("bc")}},
		{"empty lines", "\n\na\n", []Frame{line(""), line(""), line("a")}},
		{"CR LF", "a\r\n\r\nb\rc\n", []Frame{line("a"), line(""), line("b\rc")}},
		{"last line without newline", "a\nb", []Frame{line("a"), {Line: []byte("b"), Partial: true}}},
		{"separators are text", "a\u2028b\u2029c\u0085d\n", []Frame{line("a\u2028b\u2029c\u0085d")}},
		{"invalid UTF-8", "a\xff\xfeb\n", []Frame{line("a\uFFFDb")}},
		{"cut rune", "\xe2\x82\n", []Frame{line("\uFFFD")}},
		{"exactly the limit", strings.Repeat("x", 20) + "\n", []Frame{line(strings.Repeat("x", 20))}},
		{"exactly the limit and CR", strings.Repeat("x", 20) + "\r\n", []Frame{line(strings.Repeat("x", 20))}},
		{
			"one over the limit", strings.Repeat("x", 21) + "\nok\n",
			[]Frame{{TooLong: &TooLong{Bytes: 21, Head: strings.Repeat("x", 21)}}, line("ok")},
		},
		{
			"far over the limit", strings.Repeat("x", 500) + "\nok\n",
			[]Frame{{TooLong: &TooLong{Bytes: 500, Head: strings.Repeat("x", 22)}}, line("ok")},
		},
		{
			"over the limit, no newline", "a\n" + strings.Repeat("x", 500),
			[]Frame{line("a"), {TooLong: &TooLong{Bytes: 500, Head: strings.Repeat("x", 22)}, Partial: true}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, src := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)), iotest.DataErrReader(strings.NewReader(tt.in))} {
				got, err := frames(src, 20)
				if err != io.EOF || !reflect.DeepEqual(got, tt.want) {
					t.Errorf("%v\n got %s\nwant %s", err, show(got), show(tt.want))
				}
			}
		})
	}
}

func show(frames []Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "[%.40q partial=%v tooLong=%v] ", f.Line, f.Partial, f.TooLong)
	}
	return b.String()
}

func TestFramerErrorComesAfterTheLines(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	got, err := frames(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 0)
	if !errors.Is(err, broken) || len(got) != 2 || !got[1].Partial {
		t.Errorf("%s, %v", show(got), err)
	}
	if _, err := frames(neverReady{}, 0); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that gives nothing: %v", err)
	}
}

type neverReady struct{}

func (neverReady) Read([]byte) (int, error) { return 0, nil }

func TestFramerBuffered(t *testing.T) {
	t.Parallel()
	f := NewFramer(strings.NewReader("a\nb\nc"), 0)
	for i, want := range []bool{true, false} {
		if _, err := f.Next(); err != nil || f.Buffered() != want {
			t.Errorf("after line %d: %v, %v", i, f.Buffered(), err)
		}
	}
}

// endless says x for ever, and counts.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.left))
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= int64(n)
	return n, nil
}

// A line without end costs no more memory than the limit (threat T12). Not parallel: it measures the heap.
func TestFramerMemory(t *testing.T) {
	const limit, size = 1 << 20, 256 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f := NewFramer(io.MultiReader(&endless{left: size}, strings.NewReader("\nafter\n")), limit)
	frame, err := f.Next()
	if err != nil || frame.TooLong == nil || frame.TooLong.Bytes != size {
		t.Fatalf("%+v, %v", frame, err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 3*limit {
		t.Errorf("allocated %d bytes for a limit of %d", got, limit)
	}
	if frame, err = f.Next(); err != nil || string(frame.Line) != "after" {
		t.Errorf("%q, %v", frame.Line, err)
	}
	if cap(f.buf) > largeBuffer {
		t.Errorf("keeps %d bytes", cap(f.buf))
	}
}

// TestFramerIsSmallWhileItWaits, whatever it has read before, and reads much at once from a source that has much.
// Proves: I15.6/framer
func TestFramerIsSmallWhileItWaits(t *testing.T) {
	t.Parallel()
	pieces := make(chan string)
	src := &pausing{pieces: pieces}
	f := NewFramer(src, 0)
	src.before = func() int { return len(f.buf) }
	go func() { // ends with the pieces
		defer close(pieces)
		flood := strings.Repeat(strings.Repeat("x", 120)+"\n", 4000)
		for _, s := range []string{"a\n", flood, "b\n", strings.Repeat("y", 1<<20) + "\n", "c\n", strings.Repeat("z", smallBuffer-1) + "\n"} {
			pieces <- s
		}
	}()
	lines := 0
	for {
		frame, err := f.Next()
		if err == io.EOF {
			break
		}
		if len(frame.Line) == 0 || err != nil {
			t.Fatalf("%+v, %v", frame, err)
		}
		lines++
	}
	if lines != 4005 {
		t.Errorf("%d lines", lines)
	}
	if want := []int{smallBuffer, smallBuffer, smallBuffer, smallBuffer, smallBuffer, smallBuffer, largeBuffer}; !slices.Equal(src.waits, want) {
		t.Errorf("waits with buffers of %v bytes, want %v", src.waits, want) // the last piece fills the small one: there could be more
	}
	if src.most < largeBuffer-smallBuffer {
		t.Errorf("reads at most %d bytes at once", src.most)
	}
	if f.buf != nil {
		t.Errorf("keeps %d bytes after the end", len(f.buf))
	}
}

// pausing gives pieces one after the other, and notes how large the reader's buffer is whenever it waits for one.
type pausing struct {
	pieces <-chan string
	have   string
	before func() int
	waits  []int
	most   int
}

func (p *pausing) Read(b []byte) (int, error) {
	if p.have == "" {
		p.waits = append(p.waits, p.before())
		p.have = <-p.pieces
	}
	if p.have == "" {
		return 0, io.EOF
	}
	n := copy(b, p.have)
	p.have = p.have[n:]
	p.most = max(p.most, n)
	return n, nil
}

// The frames depend on the bytes alone, whatever the pieces.
func FuzzFramer(f *testing.F) {
	for _, seed := range []string{"a\nb\r\n\xff\n", strings.Repeat("x", 70) + "\n\u2028\nend", "\r\r\n\r", "\xe2\x82\xac\n\xe2\x82"} {
		f.Add([]byte(seed), uint8(1), uint8(16))
	}
	f.Fuzz(func(t *testing.T, in []byte, piece, limit uint8) {
		bound := int(limit) + 1
		whole, err := frames(bytes.NewReader(in), bound)
		if err != io.EOF {
			t.Fatal(err)
		}
		pieces, err := frames(&chunked{in: in, size: int(piece)}, bound)
		if err != io.EOF || !reflect.DeepEqual(whole, pieces) {
			t.Fatalf("pieces of %d: %v\n%s\n%s", piece, err, show(whole), show(pieces))
		}
		newlines := bytes.Count(in, []byte("\n"))
		if n := len(whole); n != newlines && n != newlines+1 {
			t.Fatalf("%d frames of %d newlines", n, newlines)
		}
		for i, fr := range whole {
			if fr.Partial != (i == newlines) {
				t.Fatalf("frame %d of %d newlines: partial=%v", i, newlines, fr.Partial)
			}
			if (fr.Line == nil) == (fr.TooLong == nil) || !utf8.Valid(fr.Line) || bytes.Contains(fr.Line, []byte("\n")) {
				t.Fatalf("frame %s", show(whole[i:i+1]))
			}
		}
	})
}

// chunked gives pieces of changing sizes.
type chunked struct {
	in   []byte
	size int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		return 0, io.EOF
	}
	c.size = c.size*5%31 + 1
	n := copy(p[:min(len(p), c.size)], c.in)
	c.in = c.in[n:]
	return n, nil
}

func BenchmarkFramer(b *testing.B) {
	line := []byte(`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"flood it"}}` + "\n")
	block := bytes.Repeat(line, 1000)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	src := &looping{block: block}
	f := NewFramer(src, 0)
	for b.Loop() {
		if _, err := f.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

type looping struct {
	block []byte
	at    int
}

func (l *looping) Read(p []byte) (int, error) {
	n := copy(p, l.block[l.at:])
	l.at = (l.at + n) % len(l.block)
	return n, nil
}
