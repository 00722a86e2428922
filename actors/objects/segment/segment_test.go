package segment_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// made writes lines in pieces of the given sizes, then the rest.
func made(t rapid.TB, first uint64, lines []byte, pieces ...int) ([]byte, segment.Index) {
	t.Helper()
	var file bytes.Buffer
	w := segment.NewWriter(&file, first)
	for _, n := range pieces {
		n = min(n, len(lines))
		if got, err := w.Write(lines[:n]); err != nil || got != n {
			t.Fatal(got, err)
		}
		lines = lines[n:]
	}
	if _, err := w.Write(lines); err != nil {
		t.Fatal(err)
	}
	x, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Check(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), x
}

// in reads ranges of a file in memory, and notes them.
func in(file []byte, asked ...*[2]int64) segment.From {
	return func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
		for _, a := range asked {
			*a = [2]int64{offset, length}
		}
		return io.NopCloser(io.NewSectionReader(bytes.NewReader(file), offset, length)), nil
	}
}

// read collects lines, which must follow one another.
func read(ctx context.Context, from segment.From, x *segment.Index, since, upTo uint64) (lines []byte, err error) {
	next := max(since+1, x.First)
	for run, err := range segment.Lines(ctx, from, x, since, upTo) {
		if err != nil {
			return lines, err
		}
		if run.First != next || len(run.Lines) == 0 {
			return lines, fmt.Errorf("a run begins with %d and has %d bytes, want %d", run.First, len(run.Lines), next)
		}
		next += uint64(bytes.Count(run.Lines, []byte{'\n'}))
		lines = append(lines, run.Lines...)
	}
	return lines, nil
}

// TestAnyLines: any lines, written in any pieces, come back from any cursor to any end, and are one zstd file.
func TestAnyLines(t *testing.T) {
	if raceEnabled {
		t.Skip("one goroutine: looked at without the race detector")
	}
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		first := rapid.Uint64Range(1, 1000).Draw(t, "first")
		var lines [][]byte
		for range rapid.IntRange(1, 25).Draw(t, "count") {
			size := rapid.SampledFrom([]int{0, 1, 100, 4000, 100_000, segment.FrameSize - 1, segment.FrameSize, segment.FrameSize + 1, 600_000}).Draw(t, "size")
			line := make([]byte, size, size+1)
			for i := range line {
				if line[i] = "abcdefgh \x00\xff\r"[random.IntN(12)]; i%7 == 0 {
					line[i] = byte(random.IntN(256))
				}
			}
			lines = append(lines, append(bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '}), '\n'))
		}
		all := bytes.Join(lines, nil)
		var pieces []int
		for range rapid.IntRange(0, 5).Draw(t, "pieces") {
			pieces = append(pieces, random.IntN(len(all)+1))
		}
		file, x := made(t, first, all, pieces...)
		last := first + uint64(len(lines)) - 1
		if x.First != first || x.Last != last || x.Raw != int64(len(all)) || x.Size != int64(len(file)) || x.SHA256 != objects.Bytes(file).SHA256 {
			t.Fatalf("the index is %+v", x)
		}
		for i, f := range x.Frames {
			end := last + 1
			if i+1 < len(x.Frames) {
				end = x.Frames[i+1].First
			}
			if size := len(bytes.Join(lines[f.First-first:end-first], nil)); end-f.First > 1 && size > segment.FrameSize {
				t.Fatalf("frame %d has %d lines of %d bytes", i, end-f.First, size)
			}
		}
		zr, err := zstd.NewReader(bytes.NewReader(file), zstd.WithDecoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		defer zr.Close()
		if got, err := io.ReadAll(zr); err != nil || !bytes.Equal(got, all) {
			t.Fatalf("as a zstd file it has %d bytes, want %d: %v", len(got), len(all), err)
		}
		for range 6 {
			since := first - 1 + random.Uint64N(uint64(len(lines)+2))
			upTo := since + random.Uint64N(uint64(len(lines)+3))
			if random.IntN(4) == 0 {
				since, upTo = 0, math.MaxUint64
			}
			var want []byte
			for i, line := range lines {
				if n := first + uint64(i); n > since && n <= upTo {
					want = append(want, line...)
				}
			}
			if got, err := read(context.Background(), in(file), &x, since, upTo); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("(%d, %d] has %d bytes, want %d: %v", since, upTo, len(got), len(want), err)
			}
		}
	})
}

// several is a segment of many frames.
func several(t testing.TB) (lines, file []byte, x segment.Index) {
	for n := range 12_000 {
		lines = fmt.Appendf(lines, `{"seq":%d,"type":"entry_delta","text":"%x"}`+"\n", n+1, n*n*7919)
	}
	file, x = made(t, 1, lines)
	if len(x.Frames) < 3 {
		t.Fatalf("only %d frames", len(x.Frames))
	}
	return lines, file, x
}

// TestRange: no more is read than the frames that have what is wanted.
func TestRange(t *testing.T) {
	_, file, x := several(t)
	for i, f := range x.Frames {
		end, behind := x.Last, x.Size
		if i+1 < len(x.Frames) {
			end, behind = x.Frames[i+1].First-1, x.Frames[i+1].Offset
		}
		for _, c := range [][2]uint64{{f.First - 1, f.First}, {f.First - 1, end}, {end - 1, end}, {f.First, f.First + 5}} {
			var asked [2]int64
			if _, err := read(t.Context(), in(file, &asked), &x, c[0], c[1]); err != nil {
				t.Fatal(err)
			}
			if asked != [2]int64{f.Offset, behind - f.Offset} {
				t.Errorf("for %v it asked for %v, want frame %d: %d to %d", c, asked, i, f.Offset, behind)
			}
		}
	}
	for _, c := range [][2]uint64{{x.Last, math.MaxUint64}, {5, 5}, {7, 3}, {math.MaxUint64, math.MaxUint64}} {
		var asked [2]int64
		if got, err := read(t.Context(), in(file, &asked), &x, c[0], c[1]); err != nil || got != nil || asked != [2]int64{} {
			t.Errorf("(%d, %d] has %d bytes, %v", c[0], c[1], len(got), err)
		}
	}
}

// TestDamage flips bits, and cuts: what is read then is what was written, or a *DamagedError, behind right lines alone.
func TestDamage(t *testing.T) {
	if raceEnabled {
		t.Skip("one goroutine: looked at without the race detector")
	}
	lines, file, x := several(t)
	random := rand.New(rand.NewPCG(3, 3))
	look := func(what string, bad []byte, mustFail bool) {
		t.Helper()
		got, err := read(t.Context(), in(bad), &x, 0, x.Last)
		var damaged *segment.DamagedError
		switch {
		case err != nil && !errors.As(err, &damaged):
			t.Fatalf("%s: %v", what, err)
		case !bytes.HasPrefix(lines, got), err == nil && len(got) != len(lines):
			t.Fatalf("%s: other lines came back", what)
		case mustFail && err == nil:
			t.Fatalf("%s: nobody noticed", what)
		}
	}
	var bits []int
	for _, f := range x.Frames {
		for bit := range 8 * 12 { // heads
			bits = append(bits, int(f.Offset)*8+bit)
		}
	}
	for range 150 {
		bits = append(bits, random.IntN(len(file)*8))
	}
	for _, bit := range bits {
		bad := bytes.Clone(file)
		bad[bit/8] ^= 1 << (bit % 8)
		look(fmt.Sprintf("bit %d", bit), bad, true) // all is read: the digest is of every bit
		// A part of it has no digest, and the checksum of each frame.
		since := uint64(random.IntN(12_000))
		got, err := read(t.Context(), in(bad), &x, since, x.Last-1)
		var damaged *segment.DamagedError
		if err != nil && !errors.As(err, &damaged) || !bytes.Contains(lines, got) {
			t.Fatalf("bit %d, from %d on: %v", bit, since, err)
		}
	}
	for range 30 {
		look("cut", file[:random.IntN(len(file))], true)
	}
	look("another frame in its place", append(bytes.Clone(file[x.Frames[1].Offset:x.Frames[2].Offset]), file[x.Frames[1].Offset:]...), true)
}

// TestWrongIndex: an index that is not that of the file is damage, and nothing is asked for where it cannot be one.
func TestWrongIndex(t *testing.T) {
	_, file, right := several(t)
	for name, change := range map[string]func(x *segment.Index){
		"no frames":        func(x *segment.Index) { x.Frames = nil },
		"no lines":         func(x *segment.Index) { x.Last = x.First - 1 },
		"number zero":      func(x *segment.Index) { x.First, x.Frames[0].First = 0, 0 },
		"large number":     func(x *segment.Index) { x.Last = protocol.MaxSeq + 1 },
		"begins late":      func(x *segment.Index) { x.Frames[0].Offset = 1 },
		"backwards":        func(x *segment.Index) { x.Frames[1], x.Frames[2] = x.Frames[2], x.Frames[1] },
		"same place":       func(x *segment.Index) { x.Frames[2].Offset = x.Frames[1].Offset },
		"ends early":       func(x *segment.Index) { x.Size = x.Frames[2].Offset },
		"huge frame":       func(x *segment.Index) { x.Size = 1 << 40 },
		"one line more":    func(x *segment.Index) { x.Last++ },
		"one line less":    func(x *segment.Index) { x.Last-- },
		"shifted":          func(x *segment.Index) { x.Frames[1].Offset++ },
		"frames joined":    func(x *segment.Index) { x.Frames = append(x.Frames[:1:1], x.Frames[2:]...) },
		"other lines":      func(x *segment.Index) { x.Frames[1].First++ },
		"other digest":     func(x *segment.Index) { x.SHA256[0] ^= 1 },
		"longer than that": func(x *segment.Index) { x.Size += 10 },
	} {
		x := right
		x.Frames = append([]segment.Frame(nil), right.Frames...)
		change(&x)
		var damaged *segment.DamagedError
		if _, err := read(t.Context(), in(file), &x, 0, math.MaxUint64-1); !errors.As(err, &damaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWriterRefuses what is no segment.
func TestWriterRefuses(t *testing.T) {
	errFull := errors.New("full")
	for name, c := range map[string]struct {
		first uint64
		write string
		to    io.Writer
		want  string
	}{
		"nothing":     {1, "", io.Discard, "a line at least"},
		"no end":      {1, "a\nb", io.Discard, "no end"},
		"number zero": {0, "a\n", io.Discard, "numbers"},
		"too high":    {protocol.MaxSeq, "a\nb\n", io.Discard, "numbers"},
		"a full disk": {1, "a\n", failing{errFull}, "full"},
	} {
		w := segment.NewWriter(c.to, c.first)
		_, _ = w.Write([]byte(c.write))
		if _, err := w.Close(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w := segment.NewWriter(io.Discard, 1)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	var err error
	written := 0
	for err == nil && written <= segment.MaxLine {
		var n int
		n, err = w.Write(piece)
		written += n
	}
	if !errors.Is(err, segment.ErrLine) || written > segment.MaxLine {
		t.Errorf("a line of %d bytes: %v", written, err)
	}
	if _, err := w.Close(); !errors.Is(err, segment.ErrLine) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestInStore: a segment is put by its content, and read from a store; what the store says is told as it is.
func TestInStore(t *testing.T) {
	const id = "0199a7a0-0000-7000-8000-000000000001"
	lines, file, x := several(t)
	p := new(memory.Place)
	s := p.Store()
	key := x.LogKey(id)
	from := segment.Of(s, key)
	var damaged *segment.DamagedError
	if _, err := read(t.Context(), from, &x, 0, x.Last); !errors.As(err, &damaged) {
		t.Errorf("a segment that is not there: %v", err)
	}
	if fresh, err := s.Put(t.Context(), key, objects.Bytes(file)); !fresh || err != nil {
		t.Fatal(err)
	}
	if fresh, err := s.Put(t.Context(), x.RawKey(id, "n"), objects.Bytes(file)); !fresh || err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), from, &x, 0, x.Last); err != nil || !bytes.Equal(got, lines) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	var away *objects.AwayError
	n := 0
	for _, err := range segment.Lines(t.Context(), from, &x, 0, x.Last) {
		if n++; n == 1 {
			p.Leave()
		} else if !errors.As(err, &away) {
			t.Errorf("the store is away: %v", err)
		}
	}
	if n != 2 {
		t.Errorf("%d runs", n)
	}
}
