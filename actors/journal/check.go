package journal

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"math"
)

// check goes through one segment and its index, batch by batch, and finds out how far both are good.
type check struct {
	segment   uint64 // ordinal
	dataName  string
	data      window
	index     window
	limit     int64  // bytes that count
	until     uint64 // seq at which to stop; 0: none
	last      bool   // of the journal: only its tail can be torn
	powerLoss bool
	head      header
	rebuild   bool // the header itself has to be written
	visit     func([]byte) error
	closers   []io.Closer

	pos     int64  // bytes of the segment that are good
	next    uint64 // seq that comes next
	slot    int64  // position in the index as it was found
	records int64  // good records so far
	out     []byte // the index as it should be; nil: as it is
	pending record // lines without a record, being gathered for one
	source  Source
	tail    record // of the last batch that is good; count 0: there is none
	tailAt  int64  // records up to there
	clean   bool
	ended   bool

	torn   int64
	hole   bool // good batches follow the torn place
	lost   uint64
	damage *DamageError
}

// unknown is a seq that no event has.
const unknown = math.MaxUint64

// check prepares the check of a segment; after are the segments that follow.
func (o *opening) check(m *member, after []member) (*check, error) {
	c := &check{
		segment: m.ordinal, dataName: o.j.log.path(dataName(m.ordinal)), limit: max(m.data, 0), last: len(after) == 0,
		powerLoss: o.opt.PowerLoss, head: m.head, rebuild: !m.ok, visit: o.visit, next: m.head.first, clean: true,
	}
	if !c.last {
		if next := &after[0]; next.missing != 0 {
			c.until = unknown // the header of the missing segment said how far this one counts
		} else if next.ok {
			c.limit, c.until = next.head.valid, next.head.first
		} else {
			var err error
			if c.until, _, err = o.firstLine(next); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range []struct {
		w    *window
		name string
		size int64
	}{{&c.data, dataName(m.ordinal), m.data}, {&c.index, indexName(m.ordinal), m.index}} {
		if f.size < 0 {
			continue
		}
		file, err := o.opt.FS.Open(o.j.log.path(f.name))
		if err != nil {
			c.close()
			return nil, &ReadError{File: o.j.log.path(f.name), Err: err, Hint: hint(err)}
		}
		*f.w = window{file: file, size: f.size}
		c.closers = append(c.closers, file)
	}
	return c, nil
}

func (c *check) close() {
	c.data.close()
	c.index.close()
	for _, f := range c.closers {
		f.Close()
	}
}

// run fails on errors of visit and of the disk only; faults of the segment are noted in the check itself.
func (c *check) run() error {
	if c.rebuild {
		c.out = c.head.encode()
	}
	for !c.ended {
		if err := c.step(); err != nil {
			return err
		}
	}
	if c.damage == nil && !c.last && c.next != c.until && c.until != unknown {
		c.damaged("the segment ends too early")
	}
	return nil
}

// step takes one record, or the lines between two.
func (c *check) step() error {
	if !c.last && (c.next >= c.until || c.pos >= c.limit) {
		c.ended = true
		return nil
	}
	r, state, err := c.record(c.slot)
	if err != nil {
		return err
	}
	if state == good && r.offset == c.pos && r.first == c.next {
		return c.batch(r)
	}
	if state != none {
		at, r, err := c.following()
		if err != nil {
			return err
		}
		if at >= 0 {
			if err := c.lines(r.offset, r.first); err != nil || c.ended {
				return err
			}
			c.slot = at
			return nil
		}
	}
	if c.pos < c.limit {
		if err := c.lines(c.limit, 0); err != nil || c.ended {
			return err
		}
	}
	c.ended = true
	if c.last && state != none {
		return c.whole()
	}
	return nil
}

// batch checks the batch of a record that is where it should be.
func (c *check) batch(r record) error {
	if r.isBatch() {
		if r.end() > min(c.limit, c.data.size) {
			return c.bad("the batch is not complete", true, r.end())
		}
		b, err := c.data.bytes(r.offset, int(r.length))
		if err != nil {
			return c.readError(err)
		}
		if crc32.Checksum(b, castagnoli) != r.sum {
			return c.bad("wrong checksum", false, r.end())
		}
		if b[len(b)-1] != '\n' || bytes.Count(b, newline) != int(r.count) {
			c.damaged("the batch has not the lines that its record says")
			return nil
		}
		for len(b) > 0 {
			n := bytes.IndexByte(b, '\n')
			if err := c.visit(b[:n]); err != nil {
				return err
			}
			b = b[n+1:]
		}
		if r.source != (Source{}) {
			c.source = r.source
		}
	}
	c.clean = r.isMark()
	c.pos, c.next = r.end(), r.next()
	c.slot++
	return c.emit(r)
}

// lines checks lines that no record covers, up to an offset where the event first follows; first 0: whatever follows.
func (c *check) lines(end int64, first uint64) error {
	for c.pos < end && (c.last || c.next < c.until) {
		line, err := c.data.line(c.pos, min(end, c.data.size))
		if errors.Is(err, io.EOF) {
			return errors.Join(c.flush(), c.bad("the line is not complete", end == c.data.size, c.pos))
		}
		if err != nil {
			return c.readError(err)
		}
		seq, ts, ok := parseLine(line)
		if !ok || seq != c.next || first != 0 && seq >= first {
			return errors.Join(c.flush(), c.bad("the line is not the event that should follow", false, c.pos))
		}
		if err := c.visit(line); err != nil {
			return err
		}
		c.clean = false
		if err := c.gather(line, ts); err != nil {
			return err
		}
	}
	if first != 0 && c.next != first && (c.last || c.next < c.until) {
		c.damaged("events are missing")
	}
	return c.flush()
}

// Lines that are indexed anew are gathered to batches of this size.
const (
	gatherLines = 256
	gatherBytes = 64 << 10
)

// gather adds a line to the record that is being made for it.
func (c *check) gather(line []byte, ts int64) error {
	p := &c.pending
	if p.count == 0 {
		*p = record{first: c.next, offset: c.pos}
	}
	p.sum = crc32.Update(crc32.Update(p.sum, castagnoli, line), castagnoli, newline)
	p.count++
	p.length += uint32(len(line)) + 1
	p.time = ts
	c.pos += int64(len(line)) + 1
	c.next++
	if p.count < gatherLines && p.length < gatherBytes {
		return nil
	}
	return c.flush()
}

// flush takes the record that is being made into the index.
func (c *check) flush() error {
	r := c.pending
	c.pending = record{}
	if r.count == 0 {
		return nil
	}
	return c.emit(r)
}
