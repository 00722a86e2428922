package model_test

import (
	"io"
	"strings"
	"sync"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// fullDisk is the file system under the journals and session.json: the real one, which refuses writes and syncs when it is told to. Syncs cost nothing:
// what a loss of power leaves is for other proofs.
type fullDisk struct {
	disk.FS
	mu      sync.Mutex
	full    bool
	room    int  // bytes that still fit
	unsyncs bool // syncs fail
	refused bool // something was
}

// fill leaves so much room, and lets syncs fail as well.
func (d *fullDisk) fill(room int, unsyncs bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.room, d.unsyncs, d.refused = true, room, unsyncs, false
}

// free mends the disk.
func (d *fullDisk) free() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.unsyncs = false, false
}

func (d *fullDisk) refuses() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.refused
}

func (d *fullDisk) take(n int) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.full || n <= d.room {
		d.room -= n
		return n, nil
	}
	n, d.room, d.refused = d.room, 0, true
	return n, syscall.ENOSPC
}

func (d *fullDisk) Create(name string) (disk.Writer, error) {
	if _, err := d.take(0); err != nil {
		return nil, err
	}
	w, err := d.FS.Create(name)
	return d.file(w, name), err
}

func (d *fullDisk) Append(name string) (disk.Writer, error) {
	w, err := d.FS.Append(name)
	return d.file(w, name), err
}

// file leaves the raw archive alone: it is written in its own time.
func (d *fullDisk) file(w disk.Writer, name string) disk.Writer {
	if w == nil || strings.Contains(name, "/raw/") {
		return w
	}
	return &file{w, d}
}

func (d *fullDisk) SyncDir(string) error { return nil }

type file struct {
	disk.Writer
	disk *fullDisk
}

func (f *file) Write(b []byte) (int, error) {
	fit, full := f.disk.take(len(b))
	n, err := f.Writer.Write(b[:fit])
	if err == nil {
		err = full
	}
	return n, err
}

// ReadFrom keeps the file's own from writing past the limit.
func (f *file) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{f}, r) }

func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.unsyncs {
		f.disk.refused = true
		return syscall.EIO
	}
	return nil
}
