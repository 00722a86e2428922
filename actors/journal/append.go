package journal

import (
	"bytes"
	"hash/crc32"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// maxBatch bounds one batch, and with it the memory that Open needs to check it; in bytes. It is far above what a session
// appends at once and below what a record can say.
const maxBatch = 1 << 30

// Batch is what one Append writes: lines of consecutive events, each with its newline, exactly as /log serves them.
type Batch struct {
	First  uint64 // seq of the first line
	Count  int    // lines
	Lines  []byte // not kept
	Time   int64  // Unix milliseconds; kept in the index only
	Source Source
}

// check finds the mistakes of a caller that would make the segment unreadable.
func (b *Batch) check(next uint64) error {
	var want [len(`{"seq":,`) + 20]byte
	begin := append(strconv.AppendUint(append(want[:0], `{"seq":`...), b.First, 10), ',')
	switch {
	case b.First != next:
		return &BatchError{"the batch begins with event " + strconv.FormatUint(b.First, 10) +
			", the next one is " + strconv.FormatUint(next, 10)}
	case b.Count <= 0:
		return &BatchError{"no lines"}
	case len(b.Lines) > maxBatch:
		return &BatchError{"more than " + strconv.Itoa(maxBatch) + " bytes"}
	case !bytes.HasPrefix(b.Lines, begin):
		return &BatchError{"the first line does not begin with its seq"}
	case b.Lines[len(b.Lines)-1] != '\n' || bytes.Count(b.Lines, newline) != b.Count:
		return &BatchError{"the number of lines is not Count"}
	}
	return nil
}

var newline = []byte{'\n'}

// Append writes a batch at the end, in a new segment when the last one is full. When it returns nil the batch survives the
// end of the process, and every reader that asks for it gets it; a loss of power only after Sync. The first batch of a segment, and the
// first after a clean end, is synced, so that a journal that looks clean has lost nothing.
//
// A *BatchError is the caller's mistake and changes nothing. A *WriteError is the disk's: nothing of the batch is visible,
// and the journal refuses everything with that error until Recover.
func (j *Journal) Append(b Batch) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.refusal("append"); err != nil {
		return err
	}
	seg := j.log.last()
	if err := b.check(seg.next); err != nil {
		return err
	}
	if seg.size > 0 && seg.size+int64(len(b.Lines)) > j.limit {
		if err := j.roll(seg.epoch); err != nil {
			return err
		}
		seg = j.log.last()
	}
	j.released = false
	if err := j.reopen(); err != nil {
		return err
	}
	r := record{
		first: b.First, offset: seg.size, synced: j.synced, time: b.Time, source: b.Source,
		count: uint32(b.Count), length: uint32(len(b.Lines)), sum: crc32.Checksum(b.Lines, castagnoli),
	}
	r.encode(j.slot[:])
	failpoint.Hit("journal/beforeRecord")
	if err := writeAll(j.index, j.slot[:]); err != nil {
		return j.fail("append", indexName(j.ordinal), err)
	}
	failpoint.Torn("journal/midWrite", j.data, b.Lines)
	if err := writeAll(j.data, b.Lines); err != nil {
		return j.fail("append", dataName(j.ordinal), err)
	}
	failpoint.Hit("journal/afterWrite")
	if j.clean { // what is shown from now on can be lost with the power: this batch, which cannot, tells the next start so
		if err := j.settle("append", r.end()); err != nil {
			return err
		}
	}
	j.clean = false
	j.log.grow(r)
	return nil
}
