package raw

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// Extent is how far an archive reaches, by the names of the files in its folder as it was listed.
type Extent struct {
	files    disk.FS
	dir      string
	segments []segment
}

// Look lists the folder of an archive, and opens no file: for whoever only wants to know what there is. A folder that is not there is an empty archive. A nil
// FS is the operating system's. Errors are *Error.
func Look(dir string, files disk.FS) (*Extent, error) {
	if files == nil {
		files = disk.OS()
	}
	list, _, err := scan(files, dir)
	if err != nil {
		return nil, err
	}
	return &Extent{files, dir, list}, nil
}

// First is the number of the first record that is kept; 1: none was removed.
func (e *Extent) First() uint64 {
	if len(e.segments) == 0 {
		return 1
	}
	return e.segments[0].first
}

// Empty says that there is nothing.
func (e *Extent) Empty() bool { return len(e.segments) == 0 }

// Newest is the number of the newest record; 0: there is none. Heads of the newest files are read for it, and no text. Errors are *Error.
func (e *Extent) Newest() (uint64, error) {
	for i := len(e.segments) - 1; i >= 0; i-- {
		s := &e.segments[i]
		if s.suffix != packSuffix && s.suffix != tailSuffix {
			return e.newestLine(s)
		}
		end := s.first
		_, _, err := walk(e.files, filepath.Join(e.dir, segmentName(s.first, s.suffix)), func(_ *block.Walk, h *block.Head) error {
			end = max(end, h.End())
			return nil
		})
		if err != nil && !e.removed(err) {
			return 0, err
		}
		if err == nil && (end > s.first || i == 0 || isPack(*s)) {
			return end - 1, nil
		}
	}
	return 0, nil
}

// newestLine is Newest of a file of version 1.
func (e *Extent) newestLine(s *segment) (uint64, error) {
	text, err := s.lines(e.files, e.dir)
	if errors.Is(err, errUnpack) || errors.Is(err, fs.ErrNotExist) {
		return s.first, nil
	}
	return s.first + uint64(bytes.Count(text, newline)) - 1, err
}

// Finished is the number of the newest record that is in a file which does not grow any more; 0: there is none.
func (e *Extent) Finished() uint64 {
	for i := len(e.segments) - 1; i >= 0; i-- {
		if isPack(e.segments[i]) {
			return e.segments[i].first - 1
		}
	}
	return 0
}

// removed says that an error is of a file that the limit has removed. Where the folder is not there, either, all of the archive has gone elsewhere, and the
// reader, which has the newest records in memory, must not give these alone.
func (e *Extent) removed(err error) bool {
	if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err = e.files.List(e.dir)
	return !errors.Is(err, fs.ErrNotExist)
}
