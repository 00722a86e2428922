package supervisor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// recorded is the system's disk, on which every change below the sessions' folder is made on a disktest.Disk too: that one
// remembers all of them, and fails where it is told to.
type recorded struct {
	disk.FS
	root string // of the data folder
	mem  *disktest.Disk
	mu   sync.Mutex // both change in the same order
}

func record(root string) *recorded {
	d := &recorded{FS: swift{disk.OS()}, root: root, mem: disktest.New()}
	if err := d.mem.Mkdir("sessions"); err != nil {
		panic(err)
	}
	if err := d.mem.SyncDir("."); err != nil {
		panic(err)
	}
	return d
}

func (d *recorded) name(path string) string {
	if path == d.root {
		return "."
	}
	name, ok := strings.CutPrefix(path, d.root+string(filepath.Separator))
	if !ok {
		panic(path + " is outside of the data folder")
	}
	return name
}

// both makes a change on both disks; one that fails as it was told to is made on neither.
func (d *recorded) both(mem, disk func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := mem(); err != nil {
		return err
	}
	return disk()
}

func (d *recorded) Mkdir(dir string) error {
	return d.both(func() error { return d.mem.Mkdir(d.name(dir)) }, func() error { return d.FS.Mkdir(dir) })
}

func (d *recorded) Rename(from, to string) error {
	return d.both(func() error { return d.mem.Rename(d.name(from), d.name(to)) }, func() error { return d.FS.Rename(from, to) })
}

func (d *recorded) Remove(name string) error {
	return d.both(func() error { return d.mem.Remove(d.name(name)) }, func() error { return d.FS.Remove(name) })
}

func (d *recorded) RemoveAll(dir string) error {
	return d.both(func() error { return d.mem.RemoveAll(d.name(dir)) }, func() error { return d.FS.RemoveAll(dir) })
}

func (d *recorded) SyncDir(dir string) error { return d.mem.SyncDir(d.name(dir)) }

func (d *recorded) Create(name string) (disk.Writer, error) {
	return d.writer(name, d.mem.Create, d.FS.Create)
}

func (d *recorded) Append(name string) (disk.Writer, error) {
	return d.writer(name, d.mem.Append, d.FS.Append)
}

// Patch: what is mended at a start is mended on both.
func (d *recorded) Patch(name string) (disk.Patcher, error) {
	mem, err := d.mem.Patch(d.name(name))
	if err != nil {
		return nil, err
	}
	f, err := d.FS.Patch(name)
	return recordedPatch{f, mem, d}, err
}

type recordedPatch struct {
	disk.Patcher
	mem  disk.Patcher
	disk *recorded
}

func (f recordedPatch) WriteAt(b []byte, at int64) (n int, err error) {
	err = f.disk.both(
		func() (err error) { _, err = f.mem.WriteAt(b, at); return err },
		func() (err error) { n, err = f.Patcher.WriteAt(b, at); return err },
	)
	return n, err
}

func (f recordedPatch) Close() error { return f.disk.both(f.mem.Close, f.Patcher.Close) }

func (d *recorded) writer(name string, mem, disk func(string) (disk.Writer, error)) (disk.Writer, error) {
	f := &recordedFile{disk: d}
	if err := d.both(
		func() (err error) { f.mem, err = mem(d.name(name)); return err },
		func() (err error) { f.Writer, err = disk(name); return err },
	); err != nil {
		return nil, err
	}
	return f, nil
}

type recordedFile struct {
	disk.Writer
	mem  disk.Writer
	disk *recorded
}

func (f *recordedFile) Write(b []byte) (n int, err error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	n, fault := f.mem.Write(b)
	if _, err := f.Writer.Write(b[:n]); err != nil {
		return n, err
	}
	return n, fault
}

func (f *recordedFile) Sync() error { return f.mem.Sync() }

func (f *recordedFile) Truncate(size int64) error {
	return f.disk.both(func() error { return f.mem.Truncate(size) }, func() error { return f.Writer.Truncate(size) })
}

func (f *recordedFile) Close() error { return f.disk.both(f.mem.Close, f.Writer.Close) }

// swift is a disk that is never synced, for tests that take no power from it.
type swift struct{ disk.FS }

type swiftFile struct{ disk.Writer }

func (swiftFile) Sync() error { return nil }

func (s swift) Create(name string) (disk.Writer, error) {
	w, err := s.FS.Create(name)
	return swiftFile{w}, err
}

func (s swift) Append(name string) (disk.Writer, error) {
	w, err := s.FS.Append(name)
	return swiftFile{w}, err
}

func (swift) SyncDir(string) error { return nil }

var bootName = regexp.MustCompile(`"boot":"[^"]*"`)

// restore makes a data folder of what a disk holds, as a machine finds it that was started after that.
func restore(disk *disktest.Disk, root string) error {
	if err := os.MkdirAll(filepath.Join(root, "sessions"), 0o700); err != nil {
		return err
	}
	for _, dir := range disk.Folders() {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			return err
		}
	}
	for _, name := range disk.Files() {
		b, path := disk.Bytes(name), filepath.Join(root, name)
		if strings.HasSuffix(name, "session.json") {
			b = bootName.ReplaceAll(b, []byte(`"boot":"another"`))
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
		if err := os.Chtimes(path, longAgo, longAgo); err != nil {
			return err
		}
	}
	return nil
}
