package journal

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Open opens an existing journal. It checks every batch and calls visit (which may be nil) with each line, in order and
// without its newline; the line is valid during the call only. An error of visit ends Open and is returned as it is.
//
// A torn tail is cut and counted, a missing or torn index rebuilt; the second Open after that finds nothing to do. These
// errors come with a journal that holds all that is good:
//
//   - *DamageError: bytes in the middle are not what was written, or bytes are gone that the index knows to be synced, or events that
//     Options.Least tells of; everything before them was visited, and the journal is read-only
//   - *WriteError: the disk refused the repair; the journal has failed, and Recover goes on behind all that was visited
//
// With any other error the journal is nil: *VersionError, *ReadError, fs.ErrNotExist when the folder holds no journal.
func Open(dir string, opt Options, visit func(line []byte) error) (*Journal, Recovery, error) {
	opt = opt.withDefaults()
	if visit == nil {
		visit = func([]byte) error { return nil }
	}
	o := opening{
		j:     &Journal{log: Log{fs: opt.FS, dir: dir}, limit: opt.SegmentBytes, tail: tail{on: opt.Share}},
		opt:   opt,
		visit: visit,
	}
	err := o.run()
	if len(o.j.log.segments) == 0 {
		return nil, o.rec, err
	}
	o.rec.Oldest, o.rec.Newest = o.j.log.Bounds()
	o.rec.Epoch = o.j.log.Epoch()
	o.j.place.Last = o.rec.Last
	if err == nil && opt.ReadOnly {
		o.j.readOnly = &WriteError{Op: "append", File: dir, Err: ErrReadOnly}
	}
	return o.j, o.rec, err
}

// opening is the state of one Open.
type opening struct {
	j     *Journal
	opt   Options
	visit func([]byte) error
	rec   Recovery

	rebuilt []rebuilt
	behind  bool // the next segment is the one of Options.From, and is read from there on
}

// rebuilt is an index that has to be written.
type rebuilt struct {
	segment int // position in the log
	bytes   []byte
}

func (o *opening) run() error {
	members, unused, err := o.members()
	if err != nil {
		return err
	}
	if len(members) == 0 {
		return fmt.Errorf("journal: open %s: %w", o.j.log.dir, fs.ErrNotExist)
	}
	var c *check
	for i := o.begin(members); i < len(members); i++ {
		if c, err = o.segment(members, i); err != nil {
			return o.stop(err)
		}
	}
	if next := o.next(); next <= o.opt.Least {
		last := o.j.log.last()
		return o.stop(&DamageError{
			File: o.j.log.path(dataName(last.ordinal)), Offset: last.size, Seq: next, Hint: hintBackup,
			Problem: fmt.Sprintf("the log ends here, and events up to %d are known to have been written", o.opt.Least),
		})
	}
	if o.opt.ReadOnly {
		o.keepInMemory()
		return nil
	}
	if err := o.repair(c, unused); err != nil {
		o.keepInMemory()
		return o.stop(err)
	}
	return nil
}

// stop makes the journal read-only, or one that has failed, where the error leaves something to read.
func (o *opening) stop(err error) error {
	var damage *DamageError
	var write *WriteError
	switch {
	case errors.As(err, &damage):
		o.keepInMemory()
		o.j.readOnly = &WriteError{Op: "append", File: damage.File, Err: fmt.Errorf("%w: %w", ErrReadOnly, err), Hint: damage.Hint}
		if len(o.j.log.segments) == 0 {
			o.j.log.segments = []segment{{first: 1, next: 1, epoch: 1}}
		}
	case errors.As(err, &write):
		o.j.failed = write
	default:
		o.j.log.segments = nil
	}
	return err
}

// keepInMemory gives readers the rebuilt indexes that were not written: the disk refuses them, or Open may write nothing.
func (o *opening) keepInMemory() {
	for _, r := range o.rebuilt {
		o.j.log.segments[r.segment].index = r.bytes
	}
}

// segment checks the segment at position i and adds it to the log.
func (o *opening) segment(members []member, i int) (*check, error) {
	m := &members[i]
	if m.missing != 0 {
		return nil, &DamageError{File: o.j.log.path(dataName(m.missing)), Seq: o.next(), Problem: "the segment is missing", Hint: hintBackup}
	}
	if !m.ok {
		if err := o.guessHeader(m); err != nil {
			return nil, err
		}
	}
	if i > 0 && m.head.first != o.next() {
		return nil, &DamageError{
			File: o.j.log.path(dataName(m.ordinal)), Seq: o.next(),
			Problem: fmt.Sprintf("the segment begins with event %d", m.head.first), Hint: hintBackup,
		}
	}
	if m.data < 0 && m.index > headerSize {
		return nil, &DamageError{File: o.j.log.path(dataName(m.ordinal)), Seq: m.head.first, Problem: "the file is missing", Hint: hintBackup}
	}
	c, err := o.check(m, members[i+1:])
	if err != nil {
		return nil, err
	}
	defer c.close()
	unread := o.resume(c)
	if err := c.run(); err != nil {
		return nil, err
	}
	o.j.log.add(segment{ordinal: m.ordinal, first: m.head.first, next: c.next, epoch: m.head.epoch, size: c.pos, records: c.records, unread: unread})
	if c.out != nil {
		o.rec.RebuiltIndex = true
		o.rebuilt = append(o.rebuilt, rebuilt{len(o.j.log.segments) - 1, c.out})
	}
	if c.source != (Source{}) {
		o.rec.Last = c.source
	}
	if t := &c.tail; t.isBatch() {
		o.j.place = store.Place{Epoch: m.head.epoch, Seq: t.next() - 1, Segment: m.ordinal, Records: c.tailAt, Bytes: t.end(), Sum: t.sum}
	}
	if c.damage != nil {
		return nil, c.damage
	}
	o.rec.TornBytes, o.rec.Lost, o.rec.Clean = c.torn, c.lost, c.clean
	return c, nil
}

// next is the seq that follows what was read so far.
func (o *opening) next() uint64 {
	if len(o.j.log.segments) == 0 {
		return 1
	}
	return o.j.log.last().next
}
