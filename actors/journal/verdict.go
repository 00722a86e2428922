package journal

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// state is what a place of the index holds.
type state int

const (
	none  state = iota // the index has ended
	wrong              // no record
	good
)

// record reads the record at a position of the index as it was found.
func (c *check) record(at int64) (record, state, error) {
	b, err := c.index.bytes(headerSize+at*recordSize, recordSize)
	if errors.Is(err, io.EOF) {
		return record{}, none, nil
	}
	if err != nil {
		return record{}, none, c.readError(err)
	}
	r, ok := decodeRecord(b)
	if !ok {
		return r, wrong, nil
	}
	return r, good, nil
}

// following finds the next record that can follow what was read so far; at is -1 when there is none.
func (c *check) following() (at int64, r record, err error) {
	for at = c.slot; ; at++ {
		r, state, err := c.record(at)
		if err != nil || state == none {
			return -1, r, err
		}
		if state == good && r.offset >= c.pos && r.first >= c.next && r.offset <= c.limit {
			return at, r, nil
		}
	}
}

// emit adds a record to the index as it should be. As long as that equals the index on the disk, no copy of it is made.
func (c *check) emit(r record) error {
	c.records++
	if r.isBatch() {
		c.tail, c.tailAt = r, c.records
	}
	if c.out == nil {
		if c.records == c.slot {
			return nil // it is in its place
		}
		if err := c.copy(c.records - 1); err != nil {
			return err
		}
	}
	var b [recordSize]byte
	r.encode(b[:])
	c.out = append(c.out, b[:]...)
	return nil
}

// copy begins a new index with the first n records, all of which were read before.
func (c *check) copy(n int64) error {
	out := c.head.encode()
	for i := range n {
		b, err := c.index.bytes(headerSize+i*recordSize, recordSize)
		if err != nil {
			return c.readError(err)
		}
		out = append(out, b...)
	}
	c.out = out
	return nil
}

// bad decides between a torn tail, a hole and damage, where the segment is not good from pos on. short: the file ends inside of a batch. after is
// where the search for later good batches begins.
func (c *check) bad(problem string, short bool, after int64) error {
	c.ended = true
	if !c.last {
		c.damaged(problem)
		return nil
	}
	rest, err := c.survey(after)
	if err != nil {
		return err
	}
	switch {
	case rest.good && c.powerLoss && c.pos >= rest.synced:
		c.hole = true
	case rest.good:
		c.damaged(problem + ", and good events follow")
		return nil
	case c.pos < rest.synced:
		if c.damaged(problem); short {
			c.cutOff(rest.synced)
		}
		return nil
	}
	c.torn, c.lost = c.data.size-c.pos, rest.lost
	c.clean = false
	return nil
}

// cutOff reports damage that neither a crash nor a loss of power explains: bytes are gone that were synced before a record said so.
func (c *check) cutOff(synced int64) {
	c.damaged(fmt.Sprintf("the segment has %d bytes, and its index says that %d were synced", c.data.size, synced))
	c.damage.Hint = hintBackup
}

// whole looks at the records that point behind the end of the lines, once everything else is good: one of them may say that more was synced.
func (c *check) whole() error {
	rest, err := c.survey(c.pos)
	if err == nil && c.pos < rest.synced {
		c.cutOff(rest.synced)
	}
	return err
}

func (c *check) damaged(problem string) {
	c.ended = true
	hint := hintBackup
	if c.last && !c.powerLoss {
		hint += "; bytes that a loss of power took are cut when the daemon knows of it"
	}
	c.damage = &DamageError{File: c.dataName, Offset: c.pos, Seq: c.next, Problem: problem, Hint: hint}
}

// rest describes the segment and its index behind a bad place.
type rest struct {
	good   bool   // batches or lines that are as they were written
	synced int64  // bytes that some record knows to be synced
	lost   uint64 // events that some record, but for the last one, knows to be appended
}

// survey looks through the rest of the index, and through the lines behind what it covers.
func (c *check) survey(after int64) (rest, error) {
	var s rest
	var pending uint64 // of the last record, whose Append may have been interrupted
	for at := int64(0); ; at++ {
		r, state, err := c.record(at)
		if err != nil {
			return s, err
		}
		if state == none {
			break
		}
		if state == wrong {
			continue
		}
		s.synced = max(s.synced, r.synced)
		if at < c.slot || r.offset < c.pos || r.first < c.next {
			continue
		}
		s.lost += pending
		pending = uint64(r.count)
		if r.isMark() || r.offset < after || r.end() > c.data.size || s.good {
			continue
		}
		b, err := c.data.bytes(r.offset, int(r.length))
		if err != nil {
			return s, c.readError(err)
		}
		s.good = crc32.Checksum(b, castagnoli) == r.sum
	}
	if s.good {
		return s, nil
	}
	found, err := c.goodLine(after)
	s.good = found
	return s, err
}

// goodLine looks for a complete line of a later event. A place that is no beginning of a line is passed over.
func (c *check) goodLine(at int64) (bool, error) {
	for {
		line, err := c.data.line(at, c.data.size)
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, c.readError(err)
		}
		if seq, _, ok := parseLine(line); ok && seq > c.next {
			return true, nil
		}
		at += int64(len(line)) + 1
	}
}

func (c *check) readError(err error) error {
	return &ReadError{File: c.dataName, Err: err, Hint: hint(err)}
}
