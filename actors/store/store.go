// Package store says what a store of sessions' logs must do. Package journal is the store on the local disk, package memory one for tests;
// each passes the suite of package storetest, and everything above knows only this package. A place is where a store keeps its data: a disk, a service.
//
// The rules, which the suite checks:
//
//   - A batch is the unit: after the end of the process it is there as a whole, with its Source, or not at all. A loss of power may leave a
//     part of one that was not synced: whole lines, from its front, without its Source.
//   - Append returns when the batch survives the end of the process, Sync when the lines of all that were appended
//     before it survive a loss of power.
//   - A failed write or sync is not tried again: the Writer refuses with the same error until Recover, and nothing of a batch that failed comes back.
//   - Damaged bytes are never served and never skipped: a reader gets a *DamageError with the event from which on nothing can be served.
//   - Readers never wait for the writer's disk, and stop at the position that they were given.
package store

import (
	"io"
	"iter"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Store keeps the logs of all sessions of a daemon, each under its session's id. Its methods may be called by any goroutine, but for one
// log only one writer may be open at a time.
type Store interface {
	// Create makes the log of a new session, in epoch 1. The log survives a loss of power when Create returns. Where there is one already the
	// error is fs.ErrExist; a log whose making, or whose first Append, did not come to its end does not count. Other errors are *WriteError,
	// and Create can then be called again.
	Create(id string) (Writer, error)
	// Open opens a log for writing and calls visit (which may be nil) with each line, in order and without its newline; the line is valid
	// during the call only. An error of visit ends Open and is returned as it is.
	//
	// A *DamageError comes with a read-only Writer that has everything before the damage, a *WriteError with one that has failed.
	// With any other error the Writer is nil: *VersionError, *ReadError, fs.ErrNotExist.
	//
	// With Opening.From it may begin behind a place, and leave what lies before to those that read it: they get a *DamageError where that is
	// not what was written.
	Open(id string, how Opening, visit func(line []byte) error) (Writer, Recovery, error)
	// Stat describes a log without reading its events. Errors are *ReadError, *VersionError, fs.ErrNotExist.
	Stat(id string) (Info, error)
	// Spans goes through the runs of events that batches of the adapter became, in order. The log may be open and growing. Batches without
	// a Source have none. An error, a *ReadError or *VersionError, ends it.
	Spans(id string) iter.Seq2[Span, error]
	// Remove removes a log with everything that is kept beside it under the session's id. The writer must be closed. Remove can be
	// repeated: a log that is gone is no error.
	Remove(id string) error
}

// Opening tells Open what the daemon knows of a log.
type Opening struct {
	// ReadOnly repairs nothing and writes nothing.
	ReadOnly bool
	// PowerLoss: the machine went down after the log was last written, so that batches that were never synced may be missing in the
	// middle too. Such a hole is then cut, with all that follows, and counted; without PowerLoss it is damage.
	PowerLoss bool
	// Least is an event that is known to have been written: a log that ends before it is damaged. 0: none is known.
	Least uint64
	// From is a place of the log, behind which Open may begin; the zero value: none is known. It must have been given by Place, and is of no use
	// after a loss of power. Where the log
	// does not have it, or has it no more, Open begins with the first event.
	From Place
	// Behind is called before the first visit where Open begins behind From, and not where it does not. It must not be nil where From is set.
	Behind func()
}

// Place is where a log stood behind one of its batches. Its store knows what the fields mean; others keep them and give them back.
type Place struct {
	Epoch   uint64 // of the batch
	Seq     uint64 // the batch's last event; 0: this is no place
	Segment uint64
	Records int64  // of the segment, up to there
	Bytes   int64  // likewise
	Sum     uint32 // of the batch
	Last    Source // the newest that is not zero
}

// Writer is the writing side of one session's log. Append, NewEpoch, Recover, DropPoint, DropBefore, Release, Close and CloseUnclean are called by one
// goroutine at a time; Sync and Log by any.
type Writer interface {
	// Append writes a batch at the end. When it returns nil the batch survives the end of the process, and a reader that asks for it
	// gets it; it survives a loss of power only after Sync. The first batch of a log, and the first after a clean end, survives that at
	// once, so that a log that looks clean has lost nothing. A *BatchError is the caller's mistake and changes nothing. After a *WriteError
	// nothing of the batch is visible, and the Writer refuses everything with that error until Recover.
	Append(b Batch) error
	// Sync returns when the lines of everything that was appended before the call survive a loss of power; of their Sources it promises
	// nothing, since the daemon that could send a batch again does not outlive the machine. An error is a *WriteError and fails the
	// Writer as a failed Append does. With ErrClosed or ErrForgotten in it, the place has not failed: the Writer was closed or recovered meanwhile.
	Sync() error
	// NewEpoch begins a higher epoch: events that a reader may have seen were lost. The epoch survives a loss of power when it returns, whatever becomes of its
	// events: its number never names others.
	NewEpoch(epoch uint64) error
	// Recover goes on after a failed Append or Sync. published is the newest event that the session has shown, and the last one of a batch:
	// events after it are forgotten for good. While the place still fails the error is a *WriteError, and Recover can be
	// called again. A Writer that has not failed is left as it is.
	Recover(published uint64) error
	// DropPoint is the seq for which DropBefore leaves at most so many bytes of lines, or, where it cannot, as few as it can; 0: nothing can be removed, or
	// there are no more than that.
	DropPoint(most int64) (seq uint64)
	// DropBefore removes events that are older than seq, as many of them as the place can remove together; never the newest.
	// Readers of these events get a *GoneError from then on.
	DropBefore(seq uint64) error
	// Release frees the file handles, or the like, of an open Writer while its session is passive; the next call opens them again.
	Release() error
	// Close syncs, notes that the log ended in order, and frees everything. It may be repeated.
	Close() error
	// CloseUnclean frees everything and writes nothing: for a caller that does not know how much of its work is written.
	CloseUnclean() error
	// Settled is the newest event of a log that was closed in order, and 0 of any other: neither a crash nor a loss of power takes that
	// event or an earlier one.
	Settled() uint64
	// Place is where the log stands behind its newest batch. It is the zero value where there is none, and may be for a while after Recover.
	Place() Place
	// Log is the reading side. It stays usable after Release and Close.
	Log() Log
}

// Log is the reading side of one session's log, for any number of goroutines. A reader names the event where it stops, which the session has
// published: the log itself does not know which events readers may see.
type Log interface {
	// Bounds are the oldest event that is kept and the newest that was appended; oldest is newest+1 when there is none.
	Bounds() (oldest, newest uint64)
	// Epoch is the epoch of the newest event.
	Epoch() uint64
	// Bytes is the size of all kept events as /log serves them.
	Bytes() int64
	// Range gives the bytes of the events since < seq <= upTo, as /log serves them. A *GoneError says that some of them were dropped, a
	// *BeyondError that upTo was never appended or lies before since.
	Range(since, upTo uint64) (Range, error)
	// Epochs are the epochs of the events that are kept, in order, each with the first of its events that is kept. One that has no event yet is
	// among them, with the event that will come first.
	Epochs() protocol.Epochs
	// Stretch reads the batches behind the event since, which the caller knows up to the event upTo, as many of one epoch as most allows. Where since is not
	// the end of a batch, it begins with the rest of that batch, and where upTo is not, it ends with a part of one. It has no events where since is upTo. What
	// it gives was held against its checksums. Errors are those of Range, and *DamageError, *ReadError and, of a log that is elsewhere, *ChangedError.
	Stretch(since, upTo uint64, most Most) (Stretch, error)
	// Damaged is the *DamageError of an event whose line is not what was written, for a reader that found out by itself.
	Damaged(seq uint64, problem string) error
}

// Range is a run of events as bytes. It is for one goroutine and must be closed; Close may be repeated.
type Range interface {
	io.Reader
	io.WriterTo // in the way that is cheapest for the place: from file to socket, where it can be
	io.Closer
	// Size is how many bytes are left to read.
	Size() int64
	// Whole fails where the place does not have all of the range. The caller asks before it sends the first byte, while it can still answer
	// with an error.
	Whole() error
}

// Recovery is what Open found and repaired.
type Recovery struct {
	Oldest uint64 // newest+1 when there is no event
	Newest uint64
	Epoch  uint64
	// Last is the newest Source that is not zero: of the batches of that incarnation, all up to it are in the log.
	Last Source
	// TornBytes were cut from the end of the log: lines that were not complete or not what was written.
	TornBytes int64
	// Lost counts the events that were appended and are gone, as far as the place can tell. The batch whose Append was interrupted is
	// not among them. Readers may have seen them unless the session publishes synced events only.
	Lost uint64
	// RebuiltIndex says that an index beside the lines was made anew from them.
	RebuiltIndex bool
	// Clean says that the log was closed in order, or never written.
	Clean bool
}

// Info describes a log, as far as that takes no reading of its events.
type Info struct {
	Newest   uint64 // after a crash Open may find a little less, or more
	Epoch    uint64
	Time     int64 // Unix milliseconds of the last batch; 0: not known
	Bytes    int64 // that the log takes, with all that is kept beside its lines
	Segments int
	Modified int64 // Unix milliseconds when the log was last written; before the machine's start: see Opening.PowerLoss
	Records  int64 // batches, and marks between them
	Clean    bool  // it was closed in order, or never written
}

// Span is the run of events that one of the adapter's batches became.
type Span struct {
	Source Source
	First  uint64 // seq
	Last   uint64
}
