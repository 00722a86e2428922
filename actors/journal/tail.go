package journal

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

const (
	maxTail   = 64 << 10 // bytes: a session that writes more between two ticks syncs by itself
	maxBefore = 64
)

// tail is what of the last segment waits to be kept by somebody else (store.Sharer). The zero value keeps nothing.
type tail struct {
	on     bool
	gap    int64 // bytes of the segment before which not all is here that is not synced
	at     int64
	before []byte
	lines  []byte // behind gap
	last   []byte // the end of the newest batch of this segment; nil: not known
}

// add takes a batch that was appended at an offset; synced bytes of the segment need nobody else.
func (t *tail) add(at, synced int64, lines []byte) {
	if !t.on {
		return
	}
	switch end := at + int64(len(lines)); {
	case end <= synced:
		t.clear()
	case t.last == nil || len(t.lines)+len(lines) > maxTail:
		t.gap, t.lines = end, nil
	default:
		if len(t.lines) == 0 {
			t.at, t.before = at, bytes.Clone(t.last)
		}
		t.lines = append(t.lines, lines...)
	}
	t.last = append(t.last[:0], lines[max(0, len(lines)-maxBefore):]...)
}

// clear: everything that was appended is synced.
func (t *tail) clear() { t.gap, t.before, t.lines = 0, nil, nil }

// Tail gives the lines that were appended since the last Sync and the last Tail (store.Sharer).
func (j *Journal) Tail() (store.Tail, bool) {
	if !j.mu.TryLock() { // it writes, and perhaps waits for its own sync: others are not to wait with it
		return store.Tail{}, false
	}
	defer j.mu.Unlock()
	t := &j.tail
	if !t.on || t.gap > j.synced || j.refusal("sync") != nil {
		return store.Tail{}, false
	}
	given := store.Tail{Segment: j.ordinal, At: t.at, Before: t.before, Lines: t.lines}
	t.clear()
	return given, true
}

// Mend writes what a loss of power took of a segment's end (store.Mender). Records need no mending: they are made anew from lines.
func (s *Store) Mend(id string, segment uint64, tails []store.Tail, anew bool) (m store.Mended, err error) {
	path := filepath.Join(s.dir(id), dataName(segment))
	r, err := s.opt.FS.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil // removed since
	}
	if err != nil {
		return m, &ReadError{File: path, Err: err, Hint: hint(err)}
	}
	defer r.Close()
	var w disk.Patcher
	for i := range tails {
		t := &tails[i]
		have := make([]byte, len(t.Before)+len(t.Lines))
		n, err := r.ReadAt(have, t.At-int64(len(t.Before)))
		if err != nil && !errors.Is(err, io.EOF) {
			return m, errors.Join(&ReadError{File: path, Err: err, Hint: hint(err)}, closePatch(w))
		}
		have = have[:n]
		if !bytes.HasPrefix(have, t.Before) {
			m.Other = true
			return m, closePatch(w)
		}
		have = have[len(t.Before):]
		same := 0
		for same < len(have) && have[same] == t.Lines[same] {
			same++
		}
		if same == len(t.Lines) {
			if !anew {
				continue
			}
		} else if m.Other, err = parted(r, t, same); m.Other || err != nil {
			if err != nil {
				err = &ReadError{File: path, Err: err, Hint: hint(err)}
			}
			return m, errors.Join(err, closePatch(w))
		}
		if anew {
			same = 0
		}
		if w == nil {
			if w, err = s.opt.FS.Patch(path); err != nil {
				return m, writeError("mend", path, err)
			}
		}
		if _, err := w.WriteAt(t.Lines[same:], t.At+int64(same)); err != nil {
			return m, errors.Join(writeError("mend", path, err), closePatch(w))
		}
		m.Bytes += int64(len(t.Lines) - same)
	}
	return m, closePatch(w)
}

// parted says that a log has a whole event of its own where the lines of a tail are other ones from same on: it was cut and has gone on since. A loss of power
// leaves no such thing.
func parted(r disk.Reader, t *store.Tail, same int) (bool, error) {
	info, err := r.Stat()
	if err != nil {
		return false, err
	}
	w := window{file: r, size: info.Size()}
	defer w.close()
	line, err := w.line(t.At+int64(bytes.LastIndexByte(t.Lines[:same], '\n')+1), w.size)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	_, _, whole := parseLine(line)
	return whole, err
}

func closePatch(w disk.Patcher) error {
	if w == nil {
		return nil
	}
	return w.Close()
}

// Settle syncs a segment by its name (store.Mender).
func (s *Store) Settle(id string, segment uint64) error {
	path := filepath.Join(s.dir(id), dataName(segment))
	f, err := s.opt.FS.Append(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return writeError("sync", path, err)
	}
	return nil
}
