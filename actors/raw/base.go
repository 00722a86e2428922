package raw

import (
	"sync"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/raw/delta"
)

const (
	// maxBase is the longest line in bytes that another is compared with.
	maxBase = 2 << 20
	// maxBases is what all lines take together that others are compared with, in bytes. Beyond it lines are kept whole.
	maxBases = 64 << 20
	// leastLine is the length in bytes below which a line is kept whole.
	leastLine = 64
	// mostChanged is how many bytes of changes follow a whole line at least before the next one: what rot can cost.
	mostChanged = 16 << 10
)

// held is what all bases take, in bytes.
var held atomic.Int64

// base is the line of the agent that the next one of its connection is compared with. It is safe for concurrent use. The zero value has none.
type base struct {
	mu      sync.Mutex
	text    []byte
	changed int    // bytes of changes since the last whole line
	used    bool   // since the last look
	closed  bool   // none is kept any more
	version uint64 // of the archive's files, when the last line was said
}

// say appends a line of the agent to l: what it has other than the line before, where that is shorter, and the archive did not begin anew, with another
// version, since then. Afterwards it is the next one's line before.
func (b *base) say(l *lines, line []byte, version uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	it := item{dir: dirOut, size: len(line)}
	if b.used = true; b.version != version {
		b.version, b.text = version, b.text[:0]
	}
	from := len(l.text)
	if len(b.text) > 0 && len(line) >= leastLine && len(line) <= maxBase && b.changed <= max(mostChanged, 4*len(line)) {
		if text, ok := delta.Append(l.text, b.text, line); ok {
			l.text, it.form = text, changed
			b.changed += len(text) - from
		}
	}
	if it.form == whole {
		l.text = append(l.text, line...)
	}
	if kept := b.keep(line); kept && it.form == whole {
		it.form, b.changed = begins, 0
	}
	it.end = len(l.text)
	l.items = append(l.items, it)
}

// keep keeps a line as the line before; false: there is no room for it, and none is. With mu held.
func (b *base) keep(line []byte) bool {
	if b.closed || len(line) > maxBase || !b.grow(len(line)) {
		b.drop()
		return false
	}
	b.text = append(b.text[:0], line...)
	return true
}

// grow makes room. With mu held.
func (b *base) grow(size int) bool {
	if size <= cap(b.text) {
		return true
	}
	room := size + size/4
	if more := int64(room - cap(b.text)); held.Add(more) > maxBases {
		held.Add(-more)
		return false
	}
	b.text = make([]byte, 0, room)
	return true
}

// drop lets go of it. With mu held.
func (b *base) drop() {
	held.Add(-int64(cap(b.text)))
	b.text = nil
}

// close lets go of it for good.
func (b *base) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.drop()
}

// calm lets go of a line that is large and was not used since the last look.
func (b *base) calm() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cap(b.text) > idleSpare && !b.used {
		b.drop()
	}
	b.used = false
}

// large says that it takes more than an idle session should have.
func (b *base) large() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return cap(b.text) > idleSpare
}
