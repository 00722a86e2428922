package raw

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/klauspost/compress/zstd"
)

const (
	plainSuffix = ".ndjson"
	zstdSuffix  = ".ndjson.zst"
	freshSuffix = ".ndjson.zst.new" // being compressed
)

// segment is one segment as the folder shows it.
type segment struct {
	first       uint64 // number of its first record
	plain, zstd int64  // sizes of its files; -1: there is none
}

func (s *segment) size() int64 { return max(s.plain, 0) + max(s.zstd, 0) }

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
	if err != nil || first == 0 || segmentName(first, "") != digits {
		return 0, "", false
	}
	switch suffix = "." + rest; suffix {
	case plainSuffix, zstdSuffix, freshSuffix:
		return first, suffix, true
	}
	return 0, "", false
}

// scan lists the segments of a folder in order, and leftovers. A folder that is not there has none.
func scan(files disk.FS, folder string) (list []segment, left []string, err error) {
	entries, err := files.List(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, &Error{Op: "list", File: folder, Err: err}
	}
	at := map[uint64]*segment{}
	for _, e := range entries {
		first, suffix, ok := parseName(e.Name)
		switch {
		case !ok:
			continue
		case suffix == freshSuffix:
			left = append(left, e.Name)
			continue
		}
		s := at[first]
		if s == nil {
			s = &segment{first: first, plain: -1, zstd: -1}
			at[first] = s
		}
		if suffix == plainSuffix {
			s.plain = e.Size
		} else {
			s.zstd = e.Size
		}
	}
	for _, s := range at {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b segment) int { return int(int64(a.first) - int64(b.first)) })
	return list, left, nil
}

// Error is what the disk did to an archive.
type Error struct {
	Op, File string
	Err      error
}

func (e *Error) Error() string { return "raw archive: " + e.Op + " " + e.File + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// maxSegment bounds what is unpacked: a segment holds at most one record more than Options.Roll, and a line at most the
// framer's 8 MiB, which escapes make longer.
const maxSegment = 128 << 20

// coding bounds the segments that are compressed and unpacked at once: each takes a few megabytes.
var coding = make(chan struct{}, 2)

func pack(text []byte) []byte {
	coding <- struct{}{}
	defer func() { <-coding }()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(true))
	if err != nil {
		panic(err) // the options are valid
	}
	defer enc.Close()
	return enc.EncodeAll(text, nil)
}

func unpack(packed []byte) ([]byte, error) {
	coding <- struct{}{}
	defer func() { <-coding }()
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxSegment))
	if err != nil {
		panic(err) // the options are valid
	}
	defer dec.Close()
	return dec.DecodeAll(packed, nil)
}

// errUnpack says that a compressed file is not what was written.
var errUnpack = errors.New("cannot be unpacked")

// read gives the lines of a segment, whole ones only. The compressed file is believed when its checksum is right. It is
// fs.ErrNotExist when there is neither file.
func (s *segment) read(files disk.FS, folder string) ([]byte, error) {
	packed, err := readFile(files, filepath.Join(folder, segmentName(s.first, zstdSuffix)))
	if err == nil {
		var text []byte
		if text, err = unpack(packed); err == nil {
			return text, nil
		}
		err = &Error{Op: "read", File: segmentName(s.first, zstdSuffix), Err: errors.Join(errUnpack, err)}
	}
	text, plainErr := readFile(files, filepath.Join(folder, segmentName(s.first, plainSuffix)))
	if plainErr != nil {
		if errors.Is(plainErr, fs.ErrNotExist) {
			return nil, err // of the compressed one, which may not be there either
		}
		return nil, plainErr
	}
	return whole(text), nil
}

// whole is what precedes a torn last line.
func whole(text []byte) []byte {
	for i := len(text); i > 0; i-- {
		if text[i-1] == '\n' {
			return text[:i]
		}
	}
	return nil
}

func readFile(files disk.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, &Error{Op: "open", File: name, Err: err}
	}
	defer f.Close() // opened for reading: nothing to lose
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(info.Size()) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(f); err != nil {
		return nil, &Error{Op: "read", File: name, Err: err}
	}
	return b.Bytes(), nil
}
