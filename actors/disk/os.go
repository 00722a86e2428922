package disk

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
)

// OS is the file system of the operating system.
func OS() Tree { return osFS{} }

type osFS struct{}

type osWriter struct{ *os.File }

func (w osWriter) Sync() error { return datasync(w.File) }

func (osFS) Mkdir(dir string) error { return os.Mkdir(dir, 0o700) }

func (osFS) Create(name string) (Writer, error) {
	return writer(os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600))
}

func (osFS) Append(name string) (Writer, error) {
	return writer(os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0))
}

func (osFS) Patch(name string) (Patcher, error) {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return osPatcher{f, info.ModTime()}, nil
}

type osPatcher struct {
	*os.File
	modified time.Time
}

func (p osPatcher) Close() error {
	err := os.Chtimes(p.Name(), time.Time{}, p.modified)
	return errors.Join(err, p.File.Close())
}

func writer(f *os.File, err error) (Writer, error) {
	if err != nil {
		return nil, err
	}
	return osWriter{f}, nil
}

func (osFS) Open(name string) (Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err // not f: a nil *os.File in an interface is not nil
	}
	return f, nil
}

func (osFS) Rename(from, to string) error { return os.Rename(from, to) }
func (osFS) Link(from, to string) error   { return os.Link(from, to) }
func (osFS) Remove(name string) error     { return os.Remove(name) }
func (osFS) RemoveAll(dir string) error   { return os.RemoveAll(dir) }

func (osFS) List(dir string) ([]Entry, error) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	list := make([]Entry, 0, len(found))
	for _, e := range found {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			list = append(list, Entry{Name: e.Name(), Size: info.Size(), Modified: info.ModTime().UnixMilli()})
		}
	}
	return list, nil
}

func (osFS) Subfolders(dir string) (names []string, err error) {
	found, err := os.ReadDir(dir)
	for _, e := range found {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (osFS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}

// Stamp draws the part of the time that is below a second where the stamp is to be a new one: the system's own steps are some milliseconds, in which a
// file may be written twice.
func (osFS) Stamp(name string, anew bool) (Stamp, error) {
	info, err := os.Lstat(name)
	if err == nil && anew {
		at := info.ModTime().Truncate(time.Second).Add(time.Duration(rand.Int64N(int64(time.Second))))
		if err = os.Chtimes(name, time.Time{}, at); err == nil {
			info, err = os.Lstat(name)
		}
	}
	if err != nil {
		return Stamp{}, err
	}
	return StampOf(info), nil
}

// StampOf is the stamp of a file of the operating system.
func StampOf(info fs.FileInfo) Stamp {
	s := Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Inode = sys.Ino
	}
	return s
}
