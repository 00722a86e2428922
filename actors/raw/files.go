package raw

import (
	"bytes"
	"path/filepath"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// retryAfter is how long a disk that took nothing is left alone.
const retryAfter = time.Second

// files are the archive's. They belong to the archive's goroutine, and to Close after that.
type files struct {
	opt *Options
	dir string

	known    bool      // the folder was looked at, and what follows is true
	finished []segment // before the tail, oldest first
	first    uint64    // number of the tail's first record
	lines    uint64    // records in the tail
	size     int64     // bytes of the tail
	exists   bool      // the tail has a file
	tail     disk.Writer

	buf    []byte
	failed time.Time // when the disk last took nothing; zero: it works
	lost   note      // since then
}

// write encodes records and appends them to the tail, rolling it where it is full.
func (d *files) write(l *lines) {
	from, last, count := 0, false, uint64(0)
	d.buf = d.buf[:0]
	flush := func() {
		d.append(d.buf, count, last)
		d.buf, count = d.buf[:0], 0
	}
	for i := range l.items {
		it := &l.items[i]
		d.buf = appendRecord(d.buf, it, l.text[from:it.end])
		from, last = it.end, last || it.last
		if count++; d.size+int64(len(d.buf)) >= d.opt.Roll {
			flush()
		}
	}
	if count > 0 {
		flush()
	}
	if last {
		d.close()
	}
	d.trim(maxSpare)
}

func (d *files) trim(spare int) {
	if cap(d.buf) > spare {
		d.buf = nil
	}
}

// append writes whole records. Records that the disk does not take are lost and counted. For retryAfter after a failure the disk is not tried, unless
// now says so.
func (d *files) append(b []byte, count uint64, now bool) {
	if !d.failed.IsZero() && !now && d.opt.Now().Sub(d.failed) < retryAfter {
		d.lose(b, count)
		return
	}
	err := d.ready()
	if err == nil && d.lost.Lines > 0 {
		if _, _, err = d.put(d.gap(), 1); err == nil {
			d.lost = note{}
		}
	}
	if err == nil {
		b, count, err = d.put(b, count)
	}
	if err != nil {
		d.lose(b, count)
		d.fail(err)
		return
	}
	d.failed = time.Time{}
	if d.size >= d.opt.Roll {
		d.roll()
	}
}

// gap is the record that tells of what was lost.
func (d *files) gap() []byte {
	d.lost.Event = "gap"
	return appendRecord(nil, &item{dir: dirNote, time: d.opt.Now().UnixMilli()}, encode(d.lost))
}

// put writes b. Of a write that failed the whole lines count; left is the part of b that was not written.
func (d *files) put(b []byte, count uint64) (left []byte, lines uint64, err error) {
	failpoint.Torn("raw/midWrite", d.tail, b)
	n, err := d.tail.Write(b)
	if err == nil {
		n = len(b)
	}
	kept := whole(b[:n])
	took := uint64(bytes.Count(kept, newline))
	d.size += int64(len(kept))
	d.lines += took
	d.opt.Counters.Lines.Add(took)
	d.opt.Counters.Bytes.Add(uint64(len(kept)))
	if err != nil {
		err = &Error{Op: "write", File: d.path(d.first, plainSuffix), Err: err}
	}
	return b[len(kept):], count - took, err
}

var newline = []byte{'\n'}

func (d *files) lose(b []byte, count uint64) {
	if d.lost.Lines == 0 && count > 0 {
		d.opt.Counters.Gaps.Add(1)
	}
	d.lost.Lines += count
	d.lost.Bytes += int64(len(b))
	d.opt.Counters.Lost.Add(count)
}

// fail has the disk left alone for retryAfter. Then the folder is looked at anew: a torn line may be there.
func (d *files) fail(err error) {
	if d.failed.IsZero() {
		d.opt.Failed(err)
	}
	d.failed = d.opt.Now()
	d.close()
	d.known = false
}

// close closes the tail's file. It is opened again when more comes.
func (d *files) close() {
	if d.tail != nil {
		_ = d.tail.Close() // nothing to lose: the tail is never synced
		d.tail = nil
	}
}

func (d *files) path(first uint64, suffix string) string {
	return filepath.Join(d.dir, segmentName(first, suffix))
}

// ready opens the tail, or begins one.
func (d *files) ready() error {
	if !d.known {
		if err := d.look(); err != nil {
			return err
		}
		d.known = true
	}
	if d.tail != nil {
		return nil
	}
	open := d.opt.FS.Append
	if !d.exists {
		open = d.opt.FS.Create
	}
	f, err := open(d.path(d.first, plainSuffix))
	if err != nil {
		d.known = false
		return &Error{Op: "open", File: d.path(d.first, plainSuffix), Err: err}
	}
	d.tail, d.exists = f, true
	return nil
}
