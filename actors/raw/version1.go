package raw

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// Archives of version 1 had a file of lines, of a MiB, for each part: plain while it grew, then zstd. They are read, and removed by the limit.

var newline = []byte{'\n'}

// errUnpack says that a compressed file is not what was written.
var errUnpack = errors.New("cannot be unpacked")

// lines gives the whole lines of a file of version 1.
func (s *segment) lines(files disk.FS, folder string) ([]byte, error) {
	name := filepath.Join(folder, segmentName(s.first, s.suffix))
	f, err := files.Open(name)
	if err != nil {
		return nil, &Error{Op: "open", File: name, Err: err}
	}
	defer f.Close() // opened for reading: nothing to lose
	var b bytes.Buffer
	b.Grow(int(max(min(s.size, maxLines), 0)) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, maxLines)); err != nil {
		return nil, &Error{Op: "read", File: name, Err: err}
	}
	text := b.Bytes()
	if s.suffix == zstdSuffix {
		if text, err = block.Unpack(text); err != nil {
			return nil, &Error{Op: "read", File: name, Err: errors.Join(errUnpack, err)}
		}
	}
	return text[:bytes.LastIndexByte(text, '\n')+1], nil // without a torn one
}

// linesAtLeast is how many bytes of lines a compressed file has; a long one more takes as much there, or its repetitions do.
const linesAtLeast = 1 << 20

// maxLines bounds a file that is read: it had a line more than a MiB.
const maxLines = block.MaxText

// parse reads a line of a file of version 1; ok is false for anything else.
func parse(record []byte) (l Line, ok bool) {
	l.Record = record
	rest, ok := bytes.CutPrefix(record, []byte(`{"t_ms":`))
	if !ok {
		return l, false
	}
	var n uint64
	if n, rest, ok = number(rest); !ok {
		return l, false
	}
	l.Time = int64(n)
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"dir":"`)); !ok {
		return l, false
	}
	word, rest, ok := bytes.Cut(rest, []byte(`","incarnation":`))
	if l.Dir = word2dir(word); !ok || l.Dir == "" {
		return l, false
	}
	if n, rest, ok = number(rest); !ok {
		return l, false
	}
	l.Incarnation = uint32(n)
	if more, has := bytes.CutPrefix(rest, []byte(`,"batch":`)); has {
		if l.Batch, rest, ok = number(more); !ok {
			return l, false
		}
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"data":`)); !ok {
		return l, false
	}
	if rest, ok = bytes.CutSuffix(rest, []byte("}")); !ok || !json.Valid(rest) {
		return l, false
	}
	l.Data = json.RawMessage(rest)
	return l, true
}

func word2dir(word []byte) string {
	for _, d := range dirs {
		if string(word) == d {
			return d
		}
	}
	return ""
}

// number reads the digits at the front.
func number(b []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && i < 20 && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	n, err := strconv.ParseUint(string(b[:i]), 10, 64)
	return n, b[i:], err == nil
}
