package tails

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

const (
	magic      = "RMTAILS\x01\x00\x00\x00\x00\x00\x00\x00\x00"
	headSize   = 40
	sumAt      = 36
	suffix     = ".tails"
	maxID      = 1 << 10
	maxLines   = 1 << 30
	spareBytes = 256 << 10 // of a buffer that is kept
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Folder is where the files are. Left and Begin are for one goroutine at a time, Read and Remove for any.
type Folder struct {
	files disk.FS
	dir   string
	last  uint64 // number of the newest file
}

// In is the folder dir, which is made with its first file.
func In(dir string, files disk.FS) *Folder { return &Folder{files: files, dir: dir} }

// File is a file to which tails are added, by one goroutine at a time.
type File struct {
	in   *Folder
	name string
	w    disk.Writer
	buf  []byte
	size int64
	kept int64 // of these, those that a Commit has made safe
}

// Left names the files of an earlier daemon, the oldest first. No folder is no error.
func (f *Folder) Left() (names []string, err error) {
	found, err := f.files.List(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var numbers []uint64
	for _, e := range found {
		if n, ok := number(e.Name); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		names = append(names, nameOf(n))
		f.last = max(f.last, n)
	}
	return names, err
}

// Begin makes a file, of which the name survives a loss of power.
func (f *Folder) Begin() (*File, error) {
	if err := f.files.Mkdir(f.dir); err == nil {
		err = f.files.SyncDir(filepath.Dir(f.dir))
		if err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	f.last++
	t := &File{in: f, name: nameOf(f.last), size: int64(len(magic)), kept: int64(len(magic))}
	w, err := f.files.Create(filepath.Join(f.dir, t.name))
	if err != nil {
		return nil, err
	}
	t.w = w
	if _, err = io.WriteString(w, magic); err == nil {
		err = w.Sync()
	}
	failpoint.Hit("tails/afterCreate")
	if err == nil {
		err = f.files.SyncDir(f.dir)
	}
	if err != nil {
		return nil, errors.Join(err, t.Close(), f.Remove(t.name))
	}
	return t, nil
}

// Add has a tail written by the next Commit.
func (t *File) Add(id string, x *store.Tail) {
	at := len(t.buf)
	var head [headSize]byte
	binary.LittleEndian.PutUint32(head[0:], uint32(len(id)))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(x.Before)))
	binary.LittleEndian.PutUint64(head[8:], uint64(len(x.Lines)))
	binary.LittleEndian.PutUint64(head[16:], x.Segment)
	binary.LittleEndian.PutUint64(head[24:], uint64(x.At))
	t.buf = append(append(append(append(t.buf, head[:]...), id...), x.Before...), x.Lines...)
	binary.LittleEndian.PutUint32(t.buf[at+sumAt:], sum(t.buf[at:]))
}

// sum is the checksum of a record.
func sum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:sumAt], castagnoli), castagnoli, b[headSize:])
}

// Commit returns when all that was added survives a loss of power. After an error nothing of what was added counts as kept, and the file takes
// nothing any more.
func (t *File) Commit() error {
	b := t.buf
	t.buf = b[:0]
	if cap(b) > spareBytes {
		t.buf = nil
	}
	failpoint.Torn("tails/midWrite", t.w, b)
	n, err := t.w.Write(b)
	t.size += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return err
	}
	failpoint.Hit("tails/beforeSync")
	if err := t.w.Sync(); err != nil {
		return err
	}
	t.kept = t.size
	return nil
}

// Size is how many bytes the file has.
func (t *File) Size() int64 { return t.size }

// Kept is how many of these survive a loss of power: what a Commit that failed has written is not among them.
func (t *File) Kept() int64 { return t.kept }

// Name is the file's name in the folder.
func (t *File) Name() string { return t.name }

// Close closes the file; it stays where it is.
func (t *File) Close() error { return t.w.Close() }

// Remove takes a file away whose logs are synced. A loss of power may bring it back, which harms nobody: what it says is in the logs.
func (f *Folder) Remove(name string) error {
	failpoint.Hit("tails/beforeRemove")
	err := f.files.Remove(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Settle makes removals survive a loss of power.
func (f *Folder) Settle() error { return f.files.SyncDir(f.dir) }

func nameOf(n uint64) string { return fmt.Sprintf("%06d%s", n, suffix) }

func number(name string) (uint64, bool) {
	if len(name) <= len(suffix) || name[len(name)-len(suffix):] != suffix {
		return 0, false
	}
	n, err := strconv.ParseUint(name[:len(name)-len(suffix)], 10, 64)
	return n, err == nil && nameOf(n) == name
}
