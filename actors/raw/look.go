package raw

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// mostRecords is more than a file can hold.
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
	for i := range list {
		s, newest := list[i], i+1 == len(list)
		switch s.suffix {
		case tailSuffix:
			err = d.lookTail(s, newest)
		case packSuffix:
			err = d.lookPack(s, newest || list[i+1].suffix == tailSuffix)
		default:
			err = d.lookLines(s, newest)
		}
		if err != nil {
			return err
		}
	}
	if d.lostCount { // its records are gone, and their numbers must not be given again
		d.next, d.lostCount = d.next+mostRecords, false
		if d.tail.suffix != "" {
			d.finished = append(d.finished, d.tail)
			d.tail = segment{}
		}
	}
	d.filled()
	return nil
}

// lookPack takes the newest pack for the one that grows, without what is torn at its end.
func (d *files) lookPack(s segment, newest bool) error {
	d.next = max(d.next, s.first)
	if !newest {
		d.finished = append(d.finished, s)
		return nil
	}
	if d.pack.suffix != "" {
		d.finished = append(d.finished, d.pack)
	}
	err := d.mend(&s)
	d.pack = s
	return err
}

// lookTail takes the newest tail for the one that grows, and removes those whose records a pack has.
func (d *files) lookTail(s segment, newest bool) error {
	had := d.next
	if err := d.mend(&s); err != nil {
		return err
	}
	switch {
	case s.size == 0 || d.next == had && s.first < had:
		_ = d.remove(&s) // it takes room and no more
	case newest && s.first >= had:
		d.tail = s
	default:
		d.finished = append(d.finished, s)
	}
	return nil
}

// mend cuts a file where its last block ends, and goes on with the numbers of its records. Where it cannot tell how many there were, it says so.
func (d *files) mend(s *segment) error {
	end, lost, err := walk(d.opt.FS, d.path(s), func(_ *block.Walk, h *block.Head) error {
		d.next = max(d.next, h.End())
		return nil
	})
	if err != nil {
		return err
	}
	d.next = max(d.next, s.first)
	d.lostCount = d.lostCount || lost
	if end < s.size {
		f, err := d.opt.FS.Append(d.path(s))
		if err == nil {
			err = errors.Join(f.Truncate(end), f.Close())
		}
		if err != nil {
			return &Error{Op: "truncate", File: d.path(s), Err: err}
		}
	}
	s.size = end
	return nil
}

// lookLines counts the records of a file of version 1.
func (d *files) lookLines(s segment, newest bool) error {
	d.finished = append(d.finished, s)
	d.next = max(d.next, s.first)
	if !newest {
		return nil
	}
	text, err := s.lines(d.opt.FS, d.dir)
	if errors.Is(err, errUnpack) {
		d.lostCount = true
		return nil
	}
	d.next = max(d.next, s.first+uint64(bytes.Count(text, newline)))
	return err
}
