package raw

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Reader reads an archive as it is when the reader is made, also while it is written. It holds no file open between segments,
// and one segment in memory at a time.
type Reader struct {
	files    disk.FS
	dir      string
	segments []segment
}

// Read opens the archive in a folder for reading; a folder that is not there is an empty archive. A nil FS is the operating system's. Errors are *Error.
func Read(dir string, files disk.FS) (*Reader, error) {
	if files == nil {
		files = disk.OS()
	}
	list, _, err := scan(files, dir)
	if err != nil {
		return nil, err
	}
	return &Reader{files: files, dir: dir, segments: list}, nil
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

// Lines gives the records, oldest first. A segment that the limit removed meanwhile is passed over. For a record that is
// damaged, a segment, or records that are missing, a note says so: {"event":"damaged"}. An error ends it.
func (r *Reader) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for i := range r.segments {
			text, err := r.segments[i].read(r.files, r.dir)
			told := errors.Is(err, errUnpack)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case told:
				text, err = []byte("\n"), nil // one record that cannot be read
			}
			if err != nil {
				yield(Line{}, err)
				return
			}
			n := r.segments[i].first
			for ; len(text) > 0; n++ {
				record, rest, _ := bytes.Cut(text, newline)
				text = rest
				l, ok := parse(record)
				if !ok {
					l = damaged(l.Time)
				}
				l.Number = n
				if !yield(l, nil) {
					return
				}
			}
			if i+1 < len(r.segments) && !told && n < r.segments[i+1].first { // the segment had more records
				l := damaged(0)
				if l.Number = n; !yield(l, nil) {
					return
				}
			}
		}
	}
}

// Missing stands for records at the end that are not there, though it is known that there were some: {"event":"missing"}.
func Missing(number uint64) Line {
	l := Line{Number: number, Dir: dirs[dirNote], Data: encode(note{Event: "missing"})}
	l.Record = bytes.TrimSuffix(appendRecord(nil, &item{dir: dirNote}, l.Data), newline)
	return l
}

// damaged stands for a record that cannot be read.
func damaged(time int64) Line {
	l := Line{Time: time, Dir: dirs[dirNote], Data: encode(note{Event: "damaged"})}
	l.Record = bytes.TrimSuffix(appendRecord(nil, &item{dir: dirNote, time: time}, l.Data), newline)
	return l
}
