package tails

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Log names a part of a log that tails are of.
type Log struct {
	ID      string
	Segment uint64
}

// ErrVersion says that a later build has written a file.
var ErrVersion = errors.New("a later version of the program has written it")

// Read gives the tails of a file by their logs, those of each in their order. They share the file's bytes, all of which are in memory. A file
// that is not one, or of which the end is missing, has as many as are whole.
func (f *Folder) Read(name string) (map[Log][]store.Tail, error) {
	return f.ReadTo(name, math.MaxInt64)
}

// ReadTo is Read of the first bytes of a file.
func (f *Folder) ReadTo(name string, end int64) (map[Log][]store.Tail, error) {
	r, err := f.files.Open(filepath.Join(f.dir, name))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, end))
	if err != nil {
		return nil, err
	}
	found := map[Log][]store.Tail{}
	rest, ok := strings.CutPrefix(string(b[:min(len(b), len(magic))]), magic)
	if !ok || rest != "" {
		if len(b) >= len(magic) && strings.HasPrefix(string(b), magic[:7]) && b[7] > magic[7] {
			return nil, fmt.Errorf("%s: %w", filepath.Join(f.dir, name), ErrVersion)
		}
		return found, nil // it was made when the power was lost
	}
	b = b[len(magic):]
	for {
		log, t, n := record(b)
		if n == 0 {
			return found, nil
		}
		found[log] = append(found[log], t)
		b = b[n:]
	}
}

// record reads the first record, of n bytes; 0: it is not whole.
func record(b []byte) (l Log, t store.Tail, n int) {
	if len(b) < headSize {
		return l, t, 0
	}
	id, before := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	lines := binary.LittleEndian.Uint64(b[8:])
	t.Segment, t.At = binary.LittleEndian.Uint64(b[16:]), int64(binary.LittleEndian.Uint64(b[24:]))
	if id > maxID || before > maxID || lines > maxLines || t.At < int64(before) {
		return l, t, 0
	}
	n = headSize + id + before + int(lines)
	if len(b) < n || sum(b[:n]) != binary.LittleEndian.Uint32(b[sumAt:]) {
		return l, t, 0
	}
	l = Log{ID: string(b[headSize:][:id]), Segment: t.Segment}
	t.Before = b[headSize+id:][:before]
	t.Lines = b[headSize+id+before : n]
	return l, t, n
}
