package store

import (
	"bytes"
	"strconv"
)

// MaxBatch bounds one batch, in bytes, and with it the memory that a store needs to check it. It is far above the batches of a session.
const MaxBatch = 1 << 30

// Batch is what one Append writes: lines of consecutive events, each with its newline, exactly as /log serves them.
type Batch struct {
	First  uint64 // seq of the first line
	Count  int    // lines
	Lines  []byte // not kept
	Time   int64  // Unix milliseconds; kept beside the lines
	Source Source
}

// Check finds mistakes of the caller that would make the log unreadable, as a *BatchError; next is the seq that the batch must begin with.
func (b *Batch) Check(next uint64) error {
	var want [len(`{"seq":,`) + 20]byte
	begin := append(strconv.AppendUint(append(want[:0], `{"seq":`...), b.First, 10), ',')
	switch {
	case b.First != next:
		return &BatchError{"the batch begins with event " + strconv.FormatUint(b.First, 10) +
			", the next one is " + strconv.FormatUint(next, 10)}
	case b.Count <= 0:
		return &BatchError{"no lines"}
	case len(b.Lines) > MaxBatch:
		return &BatchError{"more than " + strconv.Itoa(MaxBatch) + " bytes"}
	case !bytes.HasPrefix(b.Lines, begin):
		return &BatchError{"the first line does not begin with its seq"}
	case b.Lines[len(b.Lines)-1] != '\n' || bytes.Count(b.Lines, []byte{'\n'}) != b.Count:
		return &BatchError{"the number of lines is not Count"}
	}
	return nil
}

// Source names the adapter's batch that a batch of lines was made of, so that the session recognises one that is sent
// again. The zero Source means none.
type Source struct {
	Incarnation uint32
	Batch       uint64
}

// Before says that a batch came earlier than another.
func (s Source) Before(other Source) bool {
	if s.Incarnation != other.Incarnation {
		return s.Incarnation < other.Incarnation
	}
	return s.Batch < other.Batch
}
