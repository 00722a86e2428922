package journal

import (
	"errors"
	"fmt"
	"io/fs"
)

// Stat reads the end of the last index only. Errors are *ReadError, *VersionError, fs.ErrNotExist when there is no journal.
// A journal whose last index cannot be read has Newest 0: only Open finds out more.
func Stat(dir string, opt Options) (Info, error) {
	opt = opt.withDefaults()
	o := opening{j: &Journal{log: Log{fs: opt.FS, dir: dir}}, opt: opt}
	found, _, err := o.found()
	if err != nil {
		return Info{}, err
	}
	var info Info
	for i := len(found) - 1; i >= 0; i-- {
		m := &found[i]
		info.Bytes += max(m.data, 0) + max(m.index, 0)
		info.Records += max(0, m.index-headerSize) / recordSize
		if info.Segments == 0 {
			if err := o.readHeader(m); err != nil {
				return Info{}, err
			}
			if m.unfinished() {
				continue
			}
			info.Modified = m.modified
			if err := lastOf(&info, &o, m); err != nil {
				return Info{}, err
			}
		}
		info.Segments++
	}
	if info.Segments == 0 {
		return Info{}, fmt.Errorf("journal: stat %s: %w", dir, fs.ErrNotExist)
	}
	return info, nil
}

// lastOf takes over what the index of the last segment says. It goes back over records that were torn.
func lastOf(i *Info, o *opening, m *member) error {
	if !m.ok {
		return nil
	}
	i.Epoch, i.Newest, i.Clean = m.head.epoch, m.head.first-1, m.data <= 0 && m.index <= headerSize
	name := o.j.log.path(indexName(m.ordinal))
	f, err := o.opt.FS.Open(name)
	if err != nil {
		return &ReadError{File: name, Err: err, Hint: hint(err)}
	}
	defer f.Close()
	for at := (m.index-headerSize)/recordSize - 1; at >= 0; at-- {
		var b [recordSize]byte
		if n, err := f.ReadAt(b[:], headerSize+at*recordSize); n < len(b) {
			return &ReadError{File: name, Err: errors.Join(err, fs.ErrInvalid), Hint: hint(err)}
		}
		r, ok := decodeRecord(b[:])
		if !ok || r.end() > m.data {
			continue
		}
		if i.Newest < r.next()-1 {
			i.Newest = r.next() - 1
		}
		if r.isMark() {
			i.Clean = r.offset == m.data
			continue // the time is in the batch before
		}
		i.Time = r.time
		return nil
	}
	return nil
}
