package protocol

// EpochStart says where an epoch of a log begins.
type EpochStart struct {
	Epoch uint64
	First uint64 // seq of its first event; 0: not known, as after a snapshot that did not tell it
}

// Epochs are the epochs of a log after its first, the oldest first (spec §2.3). A log that never lost an event has none.
type Epochs []EpochStart

// Begin notes an epoch with its first event. What others have of the slice stays as it is.
func (e Epochs) Begin(epoch, first uint64) Epochs { return append(e, EpochStart{epoch, first}) }

// Newest is the number of the epoch that the log is in.
func (e Epochs) Newest() uint64 {
	if n := len(e); n > 0 {
		return e[n-1].Epoch
	}
	return 1
}

// After gives the first of the epochs that are later than one.
func (e Epochs) After(epoch uint64) (next EpochStart, ok bool) {
	for _, s := range e {
		if s.Epoch > epoch {
			return s, true
		}
	}
	return EpochStart{}, false
}

// Agree gives the seq up to which this log and what it was in an epoch are the same bytes: MaxSeq in its newest. known is false where it never had the
// epoch, or where that cannot be told any more.
func (e Epochs) Agree(epoch uint64) (upTo uint64, known bool) {
	next, isEarlier := e.After(epoch)
	switch {
	case !e.had(epoch), isEarlier && next.First == 0:
		return 0, false
	case isEarlier:
		return next.First - 1, true
	}
	return MaxSeq, true
}

func (e Epochs) had(epoch uint64) bool {
	for _, s := range e {
		if s.Epoch == epoch {
			return true
		}
	}
	return epoch == 1
}
