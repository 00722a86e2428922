package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// limitedDisk is the file system under the journals of a bubble: the real one, on which room can be limited.
type limitedDisk struct {
	mu      sync.Mutex
	limited bool
	room    int // bytes that still fit
}

var _ disk.FS = (*limitedDisk)(nil)

// set limits the room to so many more bytes; "none" takes the limit away.
func (d *limitedDisk) set(value string) error {
	n, err := strconv.Atoi(value)
	if value != "none" && (err != nil || n < 0) {
		return fmt.Errorf("limit disk takes a number of bytes or none, not %q", value)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limited, d.room = value != "none", n
	return nil
}

// take says how many of n bytes fit.
func (d *limitedDisk) take(n int) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.limited || n <= d.room {
		d.room -= n
		return n, nil
	}
	n, d.room = d.room, 0
	return n, syscall.ENOSPC
}

// written is a file on the disk.
type written struct {
	*os.File
	disk *limitedDisk
}

func (w written) Write(b []byte) (int, error) {
	fits, full := w.disk.take(len(b))
	n, err := w.File.Write(b[:fits])
	if err == nil {
		err = full
	}
	return n, err
}

// ReadFrom keeps the embedded file from writing past the limit.
func (w written) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{w}, r)
}

func (d *limitedDisk) Mkdir(dir string) error { return os.Mkdir(dir, 0o700) }

func (d *limitedDisk) Create(name string) (disk.Writer, error) {
	return d.writer(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND)
}

func (d *limitedDisk) Append(name string) (disk.Writer, error) {
	return d.writer(name, os.O_WRONLY|os.O_APPEND)
}

// Patch writes over what is there, which takes no room.
func (d *limitedDisk) Patch(name string) (disk.Patcher, error) { return disk.OS().Patch(name) }

func (d *limitedDisk) writer(name string, flags int) (disk.Writer, error) {
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return written{f, d}, nil
}

func (d *limitedDisk) Open(name string) (disk.Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d *limitedDisk) Rename(from, to string) error { return os.Rename(from, to) }
func (d *limitedDisk) Remove(name string) error     { return os.Remove(name) }
func (d *limitedDisk) RemoveAll(dir string) error   { return os.RemoveAll(dir) }

func (d *limitedDisk) Subfolders(dir string) (names []string, err error) {
	found, err := os.ReadDir(dir)
	for _, e := range found {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (d *limitedDisk) List(dir string) ([]disk.Entry, error) {
	found, err := os.ReadDir(dir)
	var list []disk.Entry
	for _, e := range found {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // renamed since
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			list = append(list, disk.Entry{Name: e.Name(), Size: info.Size(), Modified: info.ModTime().UnixMilli()})
		}
	}
	return list, err
}

func (d *limitedDisk) SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (d *limitedDisk) Stamp(name string, anew bool) (disk.Stamp, error) {
	return disk.OS().Stamp(name, anew)
}
