package raw

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// The kinds of files. Where two have the same number, they are read in the order of these words.
const (
	zstdSuffix  = ".ndjson.zst"     // of version 1
	plainSuffix = ".ndjson"         // of version 1
	freshSuffix = ".ndjson.zst.new" // of version 1: was being compressed
	packSuffix  = ".pack"
	tailSuffix  = ".tail"
)

var suffixes = []string{zstdSuffix, plainSuffix, packSuffix, tailSuffix}

// segment is one file of the folder.
type segment struct {
	first  uint64 // number of its first record
	suffix string
	size   int64 // in bytes
	exists bool  // the file is there
}

func segmentName(first uint64, suffix string) string {
	s := strconv.FormatUint(first, 10)
	if len(s) < 8 {
		s = "00000000"[len(s):] + s
	}
	return s + suffix
}

func parseName(name string) (first uint64, suffix string, ok bool) {
	digits, rest, _ := strings.Cut(name, ".")
	first, err := strconv.ParseUint(digits, 10, 64)
	suffix = "." + rest
	ok = err == nil && first > 0 && segmentName(first, "") == digits && (suffix == freshSuffix || slices.Contains(suffixes, suffix))
	return first, suffix, ok
}

// scan lists the files of a folder in the order of their records, and leftovers. A folder that is not there has none.
func scan(files disk.FS, folder string) (list, left []segment, err error) {
	entries, err := files.List(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, &Error{Op: "list", File: folder, Err: err}
	}
	for _, e := range entries {
		first, suffix, ok := parseName(e.Name)
		s := segment{first: first, suffix: suffix, size: e.Size, exists: true}
		switch {
		case !ok:
		case suffix == freshSuffix:
			left = append(left, s)
		default:
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b segment) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(slices.Index(suffixes, a.suffix), slices.Index(suffixes, b.suffix)))
	})
	return list, left, nil
}

// walk visits the blocks of a file, and says where the last one ends, and whether it is unknown how many records follow it.
func walk(files disk.FS, name string, visit func(*block.Walk, *block.Head) error) (end int64, lost bool, err error) {
	f, err := files.Open(name)
	if err != nil {
		return 0, false, &Error{Op: "open", File: name, Err: err}
	}
	defer f.Close() // opened for reading: nothing to lose
	info, err := f.Stat()
	if err != nil {
		return 0, false, &Error{Op: "read", File: name, Err: err}
	}
	w := block.Over(f, info.Size())
	for {
		h, more, err := w.Next()
		if err == nil && more {
			err = visit(w, h)
		}
		if err != nil {
			return 0, false, &Error{Op: "read", File: name, Err: err}
		}
		if !more {
			return w.End(), w.Lost(), nil
		}
	}
}

// Error is what the disk did to an archive.
type Error struct {
	Op, File string
	Err      error
}

func (e *Error) Error() string { return "raw archive: " + e.Op + " " + e.File + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }
