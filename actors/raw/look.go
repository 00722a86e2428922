package raw

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// mostRecords is how many numbers are passed over where nobody knows how many records a file had: far more than a pack of usual lines has.
const mostRecords = 1 << 22

// look lists the folder and repairs what an interrupted write has left.
func (d *files) look() error {
	if err := d.opt.FS.Mkdir(d.dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return &Error{Op: "make", File: d.dir, Err: err}
	}
	list, left, err := scan(d.opt.FS, d.dir)
	if err != nil {
		return err
	}
	for i := range left {
		_ = d.remove(&left[i]) // it takes room and no more
	}
	d.finished, d.pack, d.tail, d.next = nil, segment{}, segment{}, 1
	d.full, d.chains = false, d.chains[:0]
	d.anew()
	unknown := false // how many records there were
	for i := range list {
		var lost bool
		before, s, after := list[:i], list[i], list[i+1:]
		switch s.suffix {
		case tailSuffix:
			lost, err = d.lookTail(before, s, after)
		case packSuffix:
			lost, err = d.lookPack(s, after)
		default:
			lost, err = d.lookLines(s, after)
		}
		if err != nil {
			return err
		}
		unknown = unknown || lost && !slices.ContainsFunc(after, isPack) // a later pack says where the numbers go on
	}
	if unknown {
		if err := d.leap(); err != nil {
			return err
		}
	}
	d.filled()
	return nil
}

func isPack(s segment) bool { return s.suffix == packSuffix }

// finish notes that a file does not grow any more. Those that are finished are in the order of their records.
func (d *files) finish(s *segment) {
	if s.suffix != "" {
		d.finished = append(d.finished, *s)
		*s = segment{}
	}
}

// leap passes over the numbers of records that are gone, nobody knows how many, so that none is given twice. An empty pack says so to whoever looks next.
func (d *files) leap() error {
	d.finish(&d.pack)
	d.finish(&d.tail)
	d.next += mostRecords
	d.pack = segment{first: d.next, suffix: packSuffix}
	return d.hold(&d.pack)
}

// lookPack takes the newest pack for the one that grows.
func (d *files) lookPack(s segment, after []segment) (lost bool, err error) {
	d.next = max(d.next, s.first)
	d.finish(&d.pack)
	newest := !slices.ContainsFunc(after, isPack)
	if newest || after[0].suffix == tailSuffix {
		_, lost, err = d.mend(&s)
	}
	if d.pack = s; !newest || lost {
		d.finish(&d.pack)
	}
	return lost, err
}

// lookTail takes the newest tail for the one that grows, and removes those whose records the pack before gives back. A head alone says nothing: after a loss of
// power it may be there without its text, and blocks behind it, too. With a tail that must stay, the pack before is finished.
func (d *files) lookTail(before []segment, s segment, after []segment) (lost bool, err error) {
	had := d.next
	end, lost, err := d.mend(&s)
	if err != nil {
		return false, err
	}
	switch {
	case !lost && end == s.first || s.first < had && d.next == had && d.given(before, s.first, end):
		_ = d.remove(&s) // it has none, or none that the pack does not give: it takes room and no more
	case len(after) == 0 && !lost && s.first >= had:
		d.tail = s
	default:
		d.finish(&d.pack)
		d.finish(&s)
	}
	return lost, nil
}

// mend goes on with the numbers of a file's records, and says where they end. What is torn behind them is cut. Where that is no beginning of a block, nobody
// knows how many there were: then it is lost, and stays, so that the next look finds the same.
func (d *files) mend(s *segment) (end uint64, lost bool, err error) {
	end = s.first
	size, lost, err := walk(d.opt.FS, d.path(s), func(_ *block.Walk, h *block.Head) error {
		end = max(end, h.End())
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	d.next = max(d.next, end)
	if lost || size == s.size {
		return end, lost, nil
	}
	f, err := d.opt.FS.Append(d.path(s))
	if err == nil {
		err = errors.Join(f.Truncate(size), f.Close())
	}
	if err != nil {
		return 0, false, &Error{Op: "truncate", File: d.path(s), Err: err}
	}
	s.size = size
	return end, false, nil
}

// lookLines counts the records of the last file of version 1. An older build may have written it after packs were there, with the same numbers.
func (d *files) lookLines(s segment, after []segment) (lost bool, err error) {
	d.finish(&d.pack)
	d.finished = append(d.finished, s)
	d.next = max(d.next, s.first)
	if slices.ContainsFunc(after, func(s segment) bool { return s.suffix == plainSuffix || s.suffix == zstdSuffix }) {
		return false, nil
	}
	text, err := s.lines(d.opt.FS, d.dir)
	if errors.Is(err, errUnpack) {
		return true, nil
	}
	d.next = max(d.next, s.first+uint64(bytes.Count(text, newline)))
	return false, err
}
