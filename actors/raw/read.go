package raw

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// Reader reads an archive as it is when the reader is made, also while it is written. It holds no file open between files, one block in memory at a time,
// and the tail.
type Reader struct {
	Extent
	tail []byte // the content of the newest file, where that is a tail
}

// lookAgain bounds how often a folder is listed that changes meanwhile.
const lookAgain = 8

// Read opens the archive in a folder for reading; a folder that is not there is an empty archive. A nil FS is the operating system's. Errors are *Error.
func Read(dir string, files disk.FS) (*Reader, error) {
	r := new(Reader)
	for range lookAgain {
		e, err := Look(dir, files)
		if err != nil {
			return nil, err
		}
		r.Extent, r.tail = *e, nil
		if whole, err := r.takeTail(); err != nil || whole {
			return r, err
		}
	}
	return r, nil
}

// takeTail reads the tail that grows, which is removed when a pack has its records; false: that happened since the folder was listed. Tails that are not the
// newest file do not go before what a pack that was listed has of them.
func (r *Reader) takeTail() (whole bool, err error) {
	if len(r.segments) == 0 || !r.grows(&r.segments[len(r.segments)-1]) {
		return true, nil
	}
	s := &r.segments[len(r.segments)-1]
	f, err := r.files.Open(filepath.Join(r.dir, segmentName(s.first, s.suffix)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, &Error{Op: "open", File: segmentName(s.first, s.suffix), Err: err}
	}
	r.tail, err = io.ReadAll(io.LimitReader(f, maxLines))
	_ = f.Close() // opened for reading: nothing to lose
	if err != nil {
		return false, &Error{Op: "read", File: segmentName(s.first, s.suffix), Err: err}
	}
	again, _, err := scan(r.files, r.dir) // a pack may have come between, which the list did not show
	return slices.EqualFunc(again, r.segments, func(a, b segment) bool { return a.first == b.first && a.suffix == b.suffix }), err
}

// grows says that a file is the tail that grows.
func (r *Reader) grows(s *segment) bool {
	return s.suffix == tailSuffix && s == &r.segments[len(r.segments)-1]
}

// Largest is about how many bytes of text a pass through the records has in memory at once: of a block, or of a file of version 1. Heads are read for it,
// and no text. Errors are *Error.
func (r *Reader) Largest() (most int64, err error) {
	for i := range r.segments {
		s := &r.segments[i]
		if s.suffix != packSuffix && s.suffix != tailSuffix {
			most = max(most, linesAtLeast+s.size)
			continue
		}
		_, _, err := walk(r.files, filepath.Join(r.dir, segmentName(s.first, s.suffix)), func(_ *block.Walk, h *block.Head) error {
			most = max(most, h.Size())
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return most, err
		}
	}
	return most, nil
}

// Lines gives the records, oldest first. A file that the limit removed meanwhile is passed over. For records that are damaged or missing, a note says so:
// {"event":"damaged"}. An error ends it: fs.ErrNotExist where the folder was removed or renamed meanwhile.
func (r *Reader) Lines() iter.Seq2[Line, error] { return r.From(1) }

// From is Lines without the records before a number. Files are passed over that have none of the others; the one before these is read, since a line may be
// kept as a change of one there.
func (r *Reader) From(number uint64) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		begin := r.begin(number)
		p := &pass{next: r.First(), yield: func(l Line, err error) bool {
			return err == nil && l.Number < number || yield(l, err)
		}}
		if begin > 0 {
			p.next = r.segments[begin].first
		}
		for i := begin; i < len(r.segments); i++ {
			s := &r.segments[i]
			var more bool
			var err error
			if s.suffix == packSuffix || s.suffix == tailSuffix {
				more, err = r.blocks(s, p)
			} else {
				more, err = r.lines(s, p)
			}
			if errors.Is(err, errUnpack) {
				p.doubt = true
				continue
			}
			if r.removed(err) {
				p.gone = true
				continue
			}
			if err != nil {
				yield(Line{}, err)
				return
			}
			if !more {
				return
			}
		}
		if p.doubt {
			yield(damaged(p.next, p.last), nil)
		}
	}
}

// begin is the file with which a pass begins that is to give records from a number on: the pack before the one that has it.
func (r *Reader) begin(number uint64) int {
	at, before := 0, 0
	for i := range r.segments {
		if s := &r.segments[i]; isPack(*s) && s.first <= number {
			at, before = i, at
		}
	}
	return before
}

// blocks gives the records of a file of blocks, as long as it was when it was found.
func (r *Reader) blocks(s *segment, p *pass) (more bool, err error) {
	var from io.ReaderAt
	size := s.size
	if r.grows(s) {
		from, size = bytes.NewReader(r.tail), int64(len(r.tail))
	} else {
		f, err := r.files.Open(filepath.Join(r.dir, segmentName(s.first, s.suffix)))
		if err != nil {
			return false, &Error{Op: "open", File: segmentName(s.first, s.suffix), Err: err}
		}
		defer f.Close() // opened for reading: nothing to lose
		from = f
	}
	w := block.Over(from, size)
	var text []byte
	for {
		h, more, err := w.Next()
		if err != nil {
			return false, &Error{Op: "read", File: segmentName(s.first, s.suffix), Err: err}
		}
		if !more {
			p.doubt = p.doubt || w.Lost()
			return true, nil
		}
		if s.suffix == packSuffix && h.First > p.next {
			if more, err := r.fill(s, p, h.First); err != nil || !more {
				return false, err
			}
		}
		if h.End() <= p.next {
			continue
		}
		text, err = w.Text(text[:0])
		switch {
		case errors.Is(err, block.ErrDamaged):
			p.doubt = true
		case err != nil:
			return false, &Error{Op: "read", File: segmentName(s.first, s.suffix), Err: err}
		default:
			more = p.entries(text, h)
		}
		if !more {
			return false, nil
		}
	}
}

// fill gives the records of the tails behind a pack that it should have before a number, and does not give back.
func (r *Reader) fill(pack *segment, p *pass, before uint64) (more bool, err error) {
	behind := false
	for i := range r.segments {
		s := &r.segments[i]
		if behind && isPack(*s) {
			break
		}
		behind = behind || s == pack
		if !behind || s.suffix != tailSuffix || s.first >= before {
			continue
		}
		more, err := r.blocks(s, p)
		if err != nil && !r.removed(err) || err == nil && !more {
			return false, err
		}
	}
	return true, nil
}

// lines gives the records of a file of version 1.
func (r *Reader) lines(s *segment, p *pass) (more bool, err error) {
	text, err := s.lines(r.files, r.dir)
	if err != nil {
		return false, err
	}
	for number := s.first; len(text) > 0; number++ {
		record, rest, _ := bytes.Cut(text, newline)
		text = rest
		due, more := p.comes(number)
		if due && more {
			l, ok := parse(record)
			if !ok {
				l = damaged(number, l.Time)
			}
			l.Number = number
			more = p.yield(l, nil)
		}
		if !more {
			return false, nil
		}
	}
	return true, nil
}
