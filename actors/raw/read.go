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
)

// Reader reads an archive as it is when the reader is made, also while it is written. It holds no file open between files, one block in memory at a time,
// and the tail.
type Reader struct {
	files    disk.FS
	dir      string
	segments []segment
	tails    map[uint64][]byte // contents of the tails, by their first records
}

// lookAgain bounds how often a folder is listed that changes meanwhile.
const lookAgain = 8

// Read opens the archive in a folder for reading; a folder that is not there is an empty archive. A nil FS is the operating system's. Errors are *Error.
func Read(dir string, files disk.FS) (*Reader, error) {
	if files == nil {
		files = disk.OS()
	}
	r := &Reader{files: files, dir: dir}
	for range lookAgain {
		list, _, err := scan(files, dir)
		if err != nil {
			return nil, err
		}
		r.segments, r.tails = list, map[uint64][]byte{}
		if whole, err := r.takeTails(); err != nil || whole {
			return r, err
		}
	}
	return r, nil
}

// takeTails reads the tails, which are removed when a pack has their records; false: one was removed since the folder was listed.
func (r *Reader) takeTails() (whole bool, err error) {
	for _, s := range r.segments {
		if s.suffix != tailSuffix {
			continue
		}
		f, err := r.files.Open(filepath.Join(r.dir, segmentName(s.first, s.suffix)))
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, &Error{Op: "open", File: segmentName(s.first, s.suffix), Err: err}
		}
		text, err := io.ReadAll(io.LimitReader(f, maxLines))
		_ = f.Close() // opened for reading: nothing to lose
		if err != nil {
			return false, &Error{Op: "read", File: segmentName(s.first, s.suffix), Err: err}
		}
		r.tails[s.first] = text
	}
	if len(r.tails) == 0 {
		return true, nil
	}
	again, _, err := scan(r.files, r.dir) // a pack may have come between, which the list did not show
	return slices.EqualFunc(again, r.segments, func(a, b segment) bool { return a.first == b.first && a.suffix == b.suffix }), err
}

// First is the number of the first record that is kept; 1: none was removed.
func (r *Reader) First() uint64 {
	if len(r.segments) == 0 {
		return 1
	}
	return r.segments[0].first
}

// Empty says that there is nothing.
func (r *Reader) Empty() bool { return len(r.segments) == 0 }

// Lines gives the records, oldest first. A file that the limit removed meanwhile is passed over. For records that are damaged or missing, a note says so:
// {"event":"damaged"}. An error ends it.
func (r *Reader) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		p := &pass{yield: yield, next: r.First()}
		for i := range r.segments {
			s := &r.segments[i]
			more, err := true, error(nil)
			if s.suffix == packSuffix || s.suffix == tailSuffix {
				more, err = r.blocks(s, p)
			} else {
				more, err = r.lines(s, p)
			}
			if errors.Is(err, errUnpack) {
				p.doubt = true
				continue
			}
			if errors.Is(err, fs.ErrNotExist) {
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

// Missing stands for records at the end that are not there, though it is known that there were some: {"event":"missing"}.
func Missing(number uint64) Line {
	return stated(number, &item{dir: dirNote}, encode(note{Event: "missing"}))
}

// damaged stands for records that cannot be read.
func damaged(number uint64, time int64) Line {
	return stated(number, &item{dir: dirNote, time: time}, encode(note{Event: "damaged"}))
}

func stated(number uint64, it *item, text []byte) Line {
	record, data := appendRecord(nil, it, text)
	return Line{Number: number, Time: it.time, Dir: dirs[it.dir], Record: record, Data: bytes.Clone(record[data : len(record)-1])}
}
