package journal

import (
	"errors"
	"io"
	"io/fs"
)

// readError explains why a file of a segment cannot be opened.
func (l *Log) readError(s *segment, err error) error {
	if oldest, _ := l.Bounds(); errors.Is(err, fs.ErrNotExist) && s.next <= oldest {
		return &GoneError{Oldest: oldest} // dropped meanwhile
	}
	return &ReadError{File: l.path(dataName(s.ordinal)), Err: err, Hint: hint(err)}
}

func (l *Log) shortData(s *segment, at int64, err error) error {
	if !errors.Is(err, io.EOF) {
		return l.readError(s, err)
	}
	return &DamageError{File: l.path(dataName(s.ordinal)), Offset: at, Seq: s.first, Problem: "the file became shorter", Hint: hintBackup}
}

func (l *Log) indexDamage(s *segment, at int64, problem string) error {
	return &DamageError{
		File: l.path(indexName(s.ordinal)), Offset: headerSize + at*recordSize, Seq: s.first,
		Problem: "an index record " + problem, Hint: "restart the daemon: the index is rebuilt from the segment",
	}
}

// batchDamage is the *DamageError of a batch whose lines are not what was written.
func (l *Log) batchDamage(s *segment, r *record, problem string) error {
	return &DamageError{File: l.path(dataName(s.ordinal)), Offset: r.offset, Seq: r.first, Problem: problem, Hint: hintBackup}
}

// Damaged is a *DamageError of the segment that holds an event.
func (l *Log) Damaged(seq uint64, problem string) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	s := &l.segments[max(0, l.holding(seq))]
	return &DamageError{File: l.path(dataName(s.ordinal)), Seq: seq, Problem: problem, Hint: hintBackup}
}
