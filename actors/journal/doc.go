// Package journal keeps a session's log on disk: one folder per session, segments whose bytes are exactly the wire bytes
// of /log, and beside each segment an index of its batches with their checksums. FORMAT.md is the layout byte by byte.
//
// What it promises:
//
//   - A batch is the unit: after a crash of the process it is there as a whole, with its Source, or not at all. Its index
//     record is written first, as the intent, its lines after it; only complete lines that match the record's checksum
//     count.
//   - Append returns after the write; Sync makes everything that was appended before it survive a loss of power. Only the
//     lines are synced then: the index can be rebuilt from them. Finished segments are synced with their index.
//   - A write or sync that failed is never tried again on the same file. The journal refuses until Recover goes on in a new
//     segment, whose header says how much of the old one counts, so that nothing of the failed batch ever comes back.
//   - Damage is never skipped: Open names file and offset and returns a read-only journal of all that precedes it.
//   - A journal that is made of what was carried here is there as a whole, or not at all; one that is set aside is in one place or the other.
//   - Readers have their own handles, never wait for the disk of the writer, and stop at the position they were given.
//
// A journal has one owner: Append, Recover, NewEpoch, DropPoint, DropBefore, Release and Close are called by one goroutine at a time.
// Sync and the methods of Log may be called by any goroutine at any time. Two processes must not open one folder for
// writing; the daemon's lock on its data folder sees to that.
package journal
