package store

// Tail is a run of lines that a Writer has appended and may not have synced.
type Tail struct {
	Segment uint64
	At      int64  // bytes of the segment before the lines
	Before  []byte // the last of these, 64 at most: by them Mend knows the log again
	Lines   []byte // whole batches
}

// Sharer is a Writer of which somebody else can keep the lines that it has not synced yet, so that many Writers share one sync.
type Sharer interface {
	Writer
	// Tail gives the lines that were appended behind the last Sync and the last Tail; none: there is nothing to keep. ok is false where it does
	// not have all of them: only Sync makes them safe then. Any goroutine may call it.
	Tail() (t Tail, ok bool)
}

// Mender is a Store to which lines that somebody has kept can be given back after a loss of power, or after a sync that has failed.
type Mender interface {
	Store
	// Mend writes the lines of tails, which are in the order in which they were taken, over what the log has in their places, where that
	// differs: no Writer of the log may be open then. With anew it writes them also where they are there, since a sync of them has failed and a later one
	// says nothing of what was written before; a Writer may be open that appends behind them. It begins no log, leaves no gap, and writes only behind what
	// stood before the lines; see Mended. It syncs nothing. An error is a *WriteError or *ReadError; then a part may be written.
	Mend(id string, segment uint64, tails []Tail, anew bool) (Mended, error)
	// Settle syncs a segment, also one that a Writer has open; one that is gone is no error. An error is a *WriteError.
	Settle(id string, segment uint64) error
}

// Mended is what Mend found.
type Mended struct {
	Bytes int64 // that were written: missing, or other ones, or all of them anew
	Other bool  // a place was not as the lines' log had it, and was left as it is, with all that was to follow
}
