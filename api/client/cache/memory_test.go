package cache

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"
)

// memory is a folder of files in memory. It ends the process that uses it in the middle of a change, is full, loses what was not flushed, and rots, where a test wants it.
type memory struct {
	r     *rand.Rand
	now   map[string][]byte
	safe  map[string][]byte // what was flushed
	loose map[string][]change
	used  map[string]time.Time
	fuse  int // changes until the process ends; below 0: never
	dead  bool
	limit int64 // bytes of all files; 0: none
}

// change is one that was not flushed.
type change struct {
	kind string // write, cut, remove
	at   int64
	data []byte
}

var errDead = errors.New("the process has ended")

func newMemory(r *rand.Rand) *memory {
	return &memory{r: r, now: map[string][]byte{}, safe: map[string][]byte{}, loose: map[string][]change{}, used: map[string]time.Time{}, fuse: -1}
}

// on makes a change on a copy; nil: there is no file.
func (c change) on(b []byte) []byte {
	switch c.kind {
	case "remove":
		return nil
	case "cut":
		return append([]byte{}, b[:min(c.at, int64(len(b)))]...)
	}
	to := make([]byte, max(int64(len(b)), c.at+int64(len(c.data))))
	copy(to, b)
	copy(to[c.at:], c.data)
	return to
}

func set(files map[string][]byte, name string, b []byte) {
	if b == nil {
		delete(files, name)
		return
	}
	files[name] = b
}

func (m *memory) do(name string, c change) error {
	if m.dead {
		return errDead
	}
	if m.fuse == 0 {
		m.dead = true
		if c.data = c.data[:m.r.IntN(len(c.data)+1)]; c.kind != "write" && m.r.IntN(2) == 0 {
			return errDead
		}
	}
	m.fuse--
	set(m.now, name, c.on(m.now[name]))
	m.loose[name] = append(m.loose[name], c)
	if m.dead {
		return errDead
	}
	return nil
}

func (m *memory) write(name string, at int64, b []byte, flush bool) error {
	c := change{"write", at, slices.Clone(b)}
	var full error
	if free := m.limit - m.sum(); m.limit > 0 && max(0, at+int64(len(b))-int64(len(m.now[name]))) > free {
		c.data, full = c.data[:max(0, min(int64(len(b)), int64(len(m.now[name]))+free-at))], syscall.ENOSPC
	}
	if err := errors.Join(m.do(name, c), full); err != nil {
		return err
	}
	if flush {
		m.safe[name] = slices.Clone(m.now[name])
		delete(m.loose, name)
	}
	return nil
}

func (m *memory) sum() (n int64) {
	for _, b := range m.now {
		n += int64(len(b))
	}
	return n
}

func (m *memory) cut(name string, size int64) error {
	if _, there := m.now[name]; !there {
		return fs.ErrNotExist
	}
	return m.do(name, change{kind: "cut", at: size})
}

func (m *memory) remove(name string) error {
	if _, there := m.now[name]; !there {
		return nil
	}
	return m.do(name, change{kind: "remove"})
}

func (m *memory) touch(name string, now time.Time) error {
	m.used[name] = now
	return nil
}

func (m *memory) list() (list []entry, err error) {
	for name, b := range m.now {
		list = append(list, entry{name, int64(len(b)), m.used[name]})
	}
	return list, nil
}

func (m *memory) open(name string) (source, error) {
	b, there := m.now[name]
	switch {
	case m.dead:
		return nil, errDead
	case !there:
		return nil, fs.ErrNotExist
	}
	return memorySource{bytes.NewReader(b)}, nil
}

type memorySource struct{ *bytes.Reader }

func (s memorySource) size() (int64, error) { return s.Size(), nil }
func (memorySource) Close() error           { return nil }

var _ io.ReaderAt = memorySource{}

// restart begins the next process on what the last one left.
func (m *memory) restart() { m.dead, m.fuse = false, -1 }

// powerLoss keeps of each change that was not flushed all, nothing or a part, whichever it likes, and a part may be zeros.
func (m *memory) powerLoss() {
	for _, name := range slices.Sorted(maps.Keys(m.loose)) {
		b := m.safe[name]
		for _, c := range m.loose[name] {
			switch m.r.IntN(4) {
			case 0:
				continue
			case 1:
				c.data = c.data[:m.r.IntN(len(c.data)+1)]
			case 2:
				c.data = make([]byte, len(c.data))
			}
			b = c.on(b)
		}
		set(m.now, name, b)
		set(m.safe, name, b)
	}
	clear(m.loose)
	m.restart()
}

// flip turns one bit of one file over.
func (m *memory) flip() {
	for _, name := range slices.Sorted(maps.Keys(m.now)) {
		if b := m.now[name]; len(b) > 0 && m.r.IntN(2) == 0 {
			b = slices.Clone(b)
			b[m.r.IntN(len(b))] ^= 1 << m.r.IntN(8)
			m.now[name], m.safe[name] = b, b
			delete(m.loose, name)
			return
		}
	}
}
