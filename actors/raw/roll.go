package raw

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// mostRecords is more than a segment can hold.
const mostRecords = 1 << 22

// look lists the folder and repairs what an interrupted write or roll has left.
func (d *files) look() error {
	if err := d.opt.FS.Mkdir(d.dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return &Error{Op: "make", File: d.dir, Err: err}
	}
	list, left, err := scan(d.opt.FS, d.dir)
	if err != nil {
		return err
	}
	for _, name := range left {
		first, suffix, _ := parseName(name)
		_ = d.opt.FS.Remove(d.path(first, suffix)) // it takes room and no more
	}
	d.finished, d.first, d.lines, d.size, d.exists = nil, 1, 0, 0, false
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	d.finished = list[:len(list)-1]
	text, err := last.read(d.opt.FS, d.dir)
	if errors.Is(err, errUnpack) && last.plain < 0 { // damaged: its records are gone, and their numbers must not be given again
		d.finished, d.first = list, last.first+mostRecords
		return nil
	}
	if err != nil {
		return err
	}
	d.first, d.lines = last.first, uint64(bytes.Count(text, newline))
	if last.zstd >= 0 && d.intact(&last) {
		d.finished = append(d.finished, last)
		d.begin()
	} else {
		d.exists, d.size = true, int64(len(text))
		if err := d.cut(last.plain); err != nil {
			return err
		}
	}
	d.compress()
	return nil
}

// cut takes a torn last line off the tail, and a compressed file that is none.
func (d *files) cut(size int64) error {
	if size > d.size {
		f, err := d.opt.FS.Append(d.path(d.first, plainSuffix))
		if err == nil {
			err = errors.Join(f.Truncate(d.size), f.Close())
		}
		if err != nil {
			return &Error{Op: "truncate", File: d.path(d.first, plainSuffix), Err: err}
		}
	}
	err := d.opt.FS.Remove(d.path(d.first, zstdSuffix))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{Op: "remove", File: d.path(d.first, zstdSuffix), Err: err}
	}
	return nil
}

// begin begins a new tail behind what is there.
func (d *files) begin() {
	d.first += d.lines
	d.lines, d.size, d.exists = 0, 0, false
}

// roll finishes the tail.
func (d *files) roll() {
	d.close()
	d.finished = append(d.finished, segment{first: d.first, plain: d.size, zstd: -1})
	d.begin()
	d.compress()
	d.limit()
}

// compress compresses the finished segments that are still plain. One that the disk refuses is tried again at the next roll.
func (d *files) compress() {
	for i := range d.finished {
		if s := &d.finished[i]; s.plain >= 0 {
			d.pack(s)
		}
	}
}

// pack makes the compressed file of a segment, and then removes the plain one.
func (d *files) pack(s *segment) {
	if s.zstd < 0 || !d.intact(s) {
		text, err := readFile(d.opt.FS, d.path(s.first, plainSuffix))
		if err != nil {
			return
		}
		packed := pack(whole(text))
		if d.store(s.first, packed) != nil {
			_ = d.opt.FS.Remove(d.path(s.first, freshSuffix))
			return
		}
		s.zstd = int64(len(packed))
	}
	failpoint.Hit("raw/afterPack")
	if d.opt.FS.Remove(d.path(s.first, plainSuffix)) == nil {
		s.plain = -1
	}
}

// intact says that a segment's compressed file can be unpacked.
func (d *files) intact(s *segment) bool {
	packed, err := readFile(d.opt.FS, d.path(s.first, zstdSuffix))
	if err != nil {
		return false
	}
	_, err = unpack(packed)
	return err == nil
}

// store writes a compressed file so that it is there as a whole or not at all, also after a loss of power.
func (d *files) store(first uint64, packed []byte) error {
	fresh := d.path(first, freshSuffix)
	f, err := d.opt.FS.Create(fresh)
	if err != nil {
		return err
	}
	_, err = f.Write(packed)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	failpoint.Hit("raw/beforeRename")
	if err := d.opt.FS.Rename(fresh, d.path(first, zstdSuffix)); err != nil {
		return err
	}
	return d.opt.FS.SyncDir(d.dir)
}

// limit removes the oldest segments while all together are over the limit.
func (d *files) limit() {
	total := d.size
	for i := range d.finished {
		total += d.finished[i].size()
	}
	for len(d.finished) > 0 && total > d.opt.Limit {
		s := &d.finished[0]
		for _, suffix := range []string{plainSuffix, zstdSuffix} {
			if err := d.opt.FS.Remove(d.path(s.first, suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return // tried again at the next roll
			}
		}
		total -= s.size()
		d.finished = d.finished[1:]
	}
}
