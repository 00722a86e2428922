package segment_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
)

// FuzzLines reads files that are any bytes by an index of two frames. What is there is given, or damage; a file that was written gives its lines.
func FuzzLines(f *testing.F) {
	file, x := made(f, 5, []byte("{\"seq\":5}\n{\"seq\":6}\n"))
	f.Add(file, x.Last, uint64(5), int64(0))
	f.Add(append(bytes.Clone(file), file...), uint64(8), uint64(7), x.Size)
	f.Add([]byte("\x28\xb5\x2f\xfd\x00\x00"), uint64(6), uint64(6), int64(3))
	f.Add([]byte("\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"), uint64(5), uint64(5), int64(0))
	f.Fuzz(func(t *testing.T, file []byte, last, second uint64, offset int64) {
		x := segment.Index{First: 5, Last: last, Size: int64(len(file)), Frames: []segment.Frame{{First: 5}}}
		if offset > 0 {
			x.Frames = append(x.Frames, segment.Frame{First: second, Offset: offset})
		}
		got, err := read(t.Context(), in(file), &x, 0, last)
		var damaged *segment.DamagedError
		if !errors.As(err, &damaged) { // also where all is right, since the digest is missing
			t.Fatal(err)
		}
		if n := uint64(bytes.Count(got, []byte{'\n'})); n > last-4 {
			t.Fatalf("%d lines", n)
		}
	})
}

// FuzzWrite writes any bytes as lines, cut anywhere.
func FuzzWrite(f *testing.F) {
	f.Add([]byte("{}\n\n{}\n"), 3)
	f.Add([]byte("\n"), 0)
	f.Fuzz(func(t *testing.T, lines []byte, cut int) {
		lines = append(lines, '\n')
		file, x := made(t, 1, lines, max(0, cut))
		got, err := read(t.Context(), in(file), &x, 0, x.Last)
		if err != nil || !bytes.Equal(got, lines) || x.Last != uint64(bytes.Count(lines, []byte{'\n'})) {
			t.Fatalf("%q came back as %q, %v", lines, got, err)
		}
		since := uint64(max(0, cut)) % (x.Last + 1)
		rest, err := read(t.Context(), in(file), &x, since, x.Last)
		if err != nil || !bytes.HasSuffix(lines, rest) || uint64(bytes.Count(rest, []byte{'\n'})) != x.Last-since {
			t.Fatalf("since %d: %q, %v", since, rest, err)
		}
	})
}
