package cache

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// files is a folder of files, as far as a cache needs one. A file is open only for as long as a call takes, so that a client of many sessions holds
// no descriptors.
type files interface {
	// write writes bytes into a file, which it makes if there is none. With flush they survive a loss of power when it returns.
	write(name string, at int64, b []byte, flush bool) error
	// cut shortens a file.
	cut(name string, size int64) error
	// open opens a file for reading; the error is fs.ErrNotExist when there is none.
	open(name string) (source, error)
	// remove takes a file away; it is no error when there is none.
	remove(name string) error
	// touch notes when a file was used; it is no error when there is none.
	touch(name string, now time.Time) error
	// list gives all files, in any order.
	list() ([]entry, error)
}

// source is a file that is being read.
type source interface {
	io.ReaderAt
	io.Closer
	size() (int64, error)
}

// entry is a file of a folder.
type entry struct {
	name string
	size int64
	used time.Time
}

// osFiles is a folder of the operating system.
type osFiles string

func (dir osFiles) path(name string) string { return filepath.Join(string(dir), name) }

func (dir osFiles) write(name string, at int64, b []byte, flush bool) error {
	f, err := os.OpenFile(dir.path(name), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, at)
	if err == nil && flush {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (dir osFiles) cut(name string, size int64) error { return os.Truncate(dir.path(name), size) }

func (dir osFiles) open(name string) (source, error) {
	f, err := os.Open(dir.path(name))
	if err != nil {
		return nil, err
	}
	return osSource{f}, nil
}

func (dir osFiles) remove(name string) error {
	if err := os.Remove(dir.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (dir osFiles) touch(name string, now time.Time) error {
	if err := os.Chtimes(dir.path(name), time.Time{}, now); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (dir osFiles) list() ([]entry, error) {
	found, err := os.ReadDir(string(dir))
	if err != nil {
		return nil, err
	}
	list := make([]entry, 0, len(found))
	for _, e := range found {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue // gone since, or not ours
		}
		list = append(list, entry{e.Name(), info.Size(), info.ModTime()})
	}
	return list, nil
}

type osSource struct{ *os.File }

func (s osSource) size() (int64, error) {
	info, err := s.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
