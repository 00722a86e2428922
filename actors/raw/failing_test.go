package raw

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// failing is a disk whose reads and closes fail, too.
type failing struct {
	*disktest.Disk
	list  func([]disk.Entry) []disk.Entry // what of a folder is listed; nil: all
	open  func(name string) error         // before a file is opened for reading; nil: none fails
	close error                           // of files that are written
	loses bool                            // then they have nothing of what was written
}

func (f *failing) Open(name string) (disk.Reader, error) {
	if f.open != nil {
		if err := f.open(name); err != nil {
			return nil, err
		}
	}
	return f.Disk.Open(name)
}

func (f *failing) List(dir string) ([]disk.Entry, error) {
	list, err := f.Disk.List(dir)
	if f.list != nil {
		list = f.list(list)
	}
	return list, err
}

func (f *failing) Append(name string) (disk.Writer, error) {
	w, err := f.Disk.Append(name)
	return f.writer(name, w, err)
}

func (f *failing) Create(name string) (disk.Writer, error) {
	w, err := f.Disk.Create(name)
	return f.writer(name, w, err)
}

func (f *failing) writer(name string, w disk.Writer, err error) (disk.Writer, error) {
	if err != nil {
		return nil, err
	}
	return &closing{w, f, int64(len(f.Bytes(name)))}, nil
}

type closing struct {
	disk.Writer
	of   *failing
	size int64 // when it was opened
}

func (c *closing) Close() error {
	if c.of.close == nil {
		return c.Writer.Close()
	}
	if c.of.loses {
		_ = c.Truncate(c.size)
	}
	_ = c.Writer.Close()
	return c.of.close
}

// TestCloseFails: what was written is kept, and no note says otherwise.
func TestCloseFails(t *testing.T) {
	dev := &failing{Disk: disktest.New(), close: syscall.EIO}
	c := new(Counters)
	a := inOrder(folder, Options{FS: dev, Roll: 700, Now: clock(), Counters: c})
	want := session(a, 1, 0, 60)
	a.Close()
	all := readAll(t, dev.Disk)
	equal(t, said(all), want)
	if len(all) != len(want)+2 || c.Lost.Load() != 0 || c.Gaps.Load() != 0 {
		t.Errorf("%d records of %d lines; %d are counted as lost, in %d gaps", len(all), len(want), c.Lost.Load(), c.Gaps.Load())
	}
}

// TestCloseLoses: where a file has nothing of what was written when it is closed, that is counted and noted.
func TestCloseLoses(t *testing.T) {
	dev := &failing{Disk: disktest.New()}
	c := new(Counters)
	a := inOrder(folder, Options{FS: dev, Roll: 1, Now: clock(), Counters: c}) // all of it goes to packs
	want := short(a, 1, 10)
	dev.close, dev.loses = syscall.EIO, true
	lost := short(a, 2, 10)
	dev.close = nil
	want = append(want, short(a, 3, 10)...)
	a.Close()
	all := readAll(t, dev.Disk)
	equal(t, said(all), want)
	if n := len(lost) + 2; c.Lost.Load() != uint64(n) || !slices.ContainsFunc(all, func(l Line) bool {
		return strings.HasPrefix(string(l.Data), fmt.Sprintf(`{"event":"gap","lines":%d,`, n))
	}) {
		t.Errorf("%d lines are counted as lost, of %d", c.Lost.Load(), n)
	}
}
