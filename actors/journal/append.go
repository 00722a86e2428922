package journal

import (
	"hash/crc32"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// Append writes a batch at the end, in a new segment when the last one is full. When it returns nil the batch survives the
// end of the process, and every reader that asks for it gets it; it survives a loss of power only after Sync. The first batch of a segment, and the
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
	if err := b.Check(seg.next); err != nil {
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
	j.reached(seg, &r)
	j.tail.add(r.offset, j.synced, b.Lines)
	return nil
}
