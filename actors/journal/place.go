package journal

import (
	"hash/crc32"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// begin is the position of the segment with which the check begins: the one of Options.From where the journal has that place, else the first. The segments
// before it are believed as their successors' headers and their own last records say, and their bytes are checked when somebody reads them (verify).
func (o *opening) begin(members []member) int {
	from := &o.opt.From
	if from.Seq == 0 {
		return 0
	}
	list := make([]segment, 0, len(members))
	for i := range members {
		m := &members[i]
		if !m.ok || m.missing != 0 {
			return 0
		}
		if m.ordinal == from.Segment {
			r, ok := o.recordAt(m, from.Records-1)
			if i+1 < len(members) && (!members[i+1].ok || members[i+1].head.valid < from.Bytes) { // Recover has gone back before it
				return 0
			}
			if !ok || m.head.epoch != from.Epoch || r.next() != from.Seq+1 || r.end() != from.Bytes || r.sum != from.Sum || m.data < from.Bytes {
				return 0
			}
			o.j.log.segments, o.j.place, o.behind, o.rec.Last = list, *from, true, from.Last
			o.opt.Behind()
			return i
		}
		if i+1 == len(members) || !members[i+1].ok {
			return 0
		}
		s, ok := o.believed(m, &members[i+1].head)
		if !ok {
			return 0
		}
		list = append(list, s)
	}
	return 0
}

// spare is how many records may follow the last one that counts: those of writes that failed.
const spare = 64

// believed describes a segment by what its successor's header says of it, and by the record that ends there; ok is false where the two differ.
func (o *opening) believed(m *member, next *header) (s segment, ok bool) {
	if m.data < next.valid || next.prev != m.ordinal {
		return s, false
	}
	if next.valid == 0 {
		return segment{ordinal: m.ordinal, first: m.head.first, next: next.first, epoch: m.head.epoch}, next.first == m.head.first
	}
	n := (m.index - headerSize) / recordSize
	for at := n - 1; at >= max(0, n-spare); at-- {
		if r, ok := o.recordAt(m, at); ok && r.end() == next.valid && r.next() == next.first {
			return segment{
				ordinal: m.ordinal, first: m.head.first, next: next.first, epoch: m.head.epoch, size: next.valid, records: at + 1, unread: next.valid,
			}, true
		}
	}
	return s, false
}

// recordAt reads one record of an index.
func (o *opening) recordAt(m *member, at int64) (r record, ok bool) {
	if at < 0 || m.index < headerSize+(at+1)*recordSize {
		return r, false
	}
	f, err := o.opt.FS.Open(o.j.log.path(indexName(m.ordinal)))
	if err != nil {
		return r, false
	}
	defer f.Close()
	var b [recordSize]byte
	if n, _ := f.ReadAt(b[:], headerSize+at*recordSize); n < len(b) {
		return r, false
	}
	return decodeRecord(b[:])
}

// resume has the check of the segment with Options.From begin there, and gives the bytes before that.
func (o *opening) resume(c *check) (unread int64) {
	if !o.behind {
		return 0
	}
	o.behind = false
	from := &o.opt.From
	c.pos, c.next, c.slot, c.records, c.source, c.clean = from.Bytes, from.Seq+1, from.Records, from.Records, from.Last, false
	return from.Bytes
}

// verify checks those bytes of a segment that Open has left unread, before they are served for the first time. A *DamageError says that they are not what
// was written: the session then opens its journal anew, as a whole.
func (l *Log) verify(s *segment) error {
	if s.unread == 0 {
		return nil
	}
	l.verifying.Lock()
	defer l.verifying.Unlock()
	if l.unreadOf(s.ordinal) == 0 {
		return nil
	}
	index, done, err := l.openIndex(s)
	if err != nil {
		return err
	}
	defer done()
	data, err := l.fs.Open(l.path(dataName(s.ordinal)))
	if err != nil {
		return l.readError(s, err)
	}
	defer data.Close()
	if err := l.verifyBatches(s, index, data); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.segments {
		if l.segments[i].ordinal == s.ordinal {
			l.segments[i].unread = 0
		}
	}
	return nil
}

func (l *Log) unreadOf(ordinal uint64) int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i := range l.segments {
		if l.segments[i].ordinal == ordinal {
			return l.segments[i].unread
		}
	}
	return 0 // dropped meanwhile
}

func (l *Log) verifyBatches(s *segment, index io.ReaderAt, data disk.Reader) error {
	w := window{file: data, size: s.size}
	defer w.close()
	records := window{file: index, size: headerSize + s.records*recordSize}
	defer records.close()
	pos, next := int64(0), s.first
	for at := int64(0); pos < s.unread; at++ {
		b, err := records.bytes(headerSize+at*recordSize, recordSize)
		if err != nil {
			return l.indexDamage(s, at, "cannot be read")
		}
		r, ok := decodeRecord(b)
		if !ok || r.offset != pos || r.first != next {
			return l.indexDamage(s, at, "does not hold what it should")
		}
		lines, err := w.bytes(r.offset, int(r.length))
		if err != nil {
			return l.shortData(s, r.offset, err)
		}
		if crc32.Checksum(lines, castagnoli) != r.sum {
			return l.batchDamage(s, &r, "wrong checksum")
		}
		pos, next = r.end(), r.next()
	}
	return nil
}
