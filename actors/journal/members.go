package journal

import (
	"errors"
	"io"
	"io/fs"
	"sort"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// member is one segment as it was found on the disk.
type member struct {
	ordinal     uint64
	data, index int64 // sizes of the files; -1: there is none
	modified    int64 // Unix milliseconds of the last change of the lines
	head        header
	ok          bool   // head was read, not guessed
	missing     uint64 // ordinal of the segment that should come before and is not there; 0: none
}

// unfinished says that the segment holds nothing: making it was interrupted.
func (m *member) unfinished() bool {
	return m.index <= headerSize && (m.data < 0 || m.data == 0 && !m.ok)
}

// files names the segment's files, the index first: lines that lose their index while they are removed are still no
// damage.
func (m *member) files() (names []string) {
	if m.index >= 0 {
		names = append(names, indexName(m.ordinal))
	}
	if m.data >= 0 {
		names = append(names, dataName(m.ordinal))
	}
	return names
}

// members lists the segments of the journal in order, and the names of files that belong to none. Each segment names the
// one before it. So the list is made backwards from the last segment, and segments that Recover passed over are left out.
func (o *opening) members() (list []member, unused []string, err error) {
	found, unused, err := o.found()
	if err != nil {
		return nil, nil, err
	}
	var want uint64 // ordinal of the next one on the way back; 0: whatever comes
	var begun bool  // the first segment was found: what lies before was passed over
	for i := len(found) - 1; i >= 0; i-- {
		m := &found[i]
		if err := o.readHeader(m); err != nil {
			return nil, nil, err
		}
		dropped := i == 0 && len(list) > 0 && m.data < 0 // DropBefore removes the lines first, then the index
		passed := begun || want != 0 && m.ordinal > want
		if m.unfinished() || dropped || passed {
			unused = append(unused, m.files()...)
			continue
		}
		if want != 0 && m.ordinal < want {
			list[len(list)-1].missing = want
		}
		list = append(list, *m)
		want, begun = m.head.prev, m.ok && m.head.prev == 0
	}
	for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
		list[a], list[b] = list[b], list[a]
	}
	return list, unused, nil
}

// found lists the files of the folder by segment, in order.
func (o *opening) found() (list []member, unused []string, err error) {
	entries, err := o.opt.FS.List(o.j.log.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, &ReadError{File: o.j.log.dir, Err: err, Hint: hint(err)}
	}
	at := map[uint64]*member{}
	for _, e := range entries {
		n, suffix, ok := parseName(e.Name)
		if !ok {
			continue
		}
		o.j.ordinal = max(o.j.ordinal, n)
		if suffix == freshSuffix {
			unused = append(unused, e.Name)
			continue
		}
		m := at[n]
		if m == nil {
			m = &member{ordinal: n, data: -1, index: -1}
			at[n] = m
		}
		if suffix == dataSuffix {
			m.data, m.modified = e.Size, e.Modified
		} else {
			m.index = e.Size
		}
	}
	for _, m := range at {
		list = append(list, *m)
	}
	sort.Slice(list, func(a, b int) bool { return list[a].ordinal < list[b].ordinal })
	return list, unused, nil
}

func (o *opening) readHeader(m *member) error {
	if m.index < headerSize {
		return nil
	}
	name := o.j.log.path(indexName(m.ordinal))
	f, err := o.opt.FS.Open(name)
	if err != nil {
		return &ReadError{File: name, Err: err, Hint: hint(err)}
	}
	defer f.Close()
	var b [headerSize]byte
	if n, err := f.ReadAt(b[:], 0); n < len(b) {
		return &ReadError{File: name, Err: err, Hint: hint(err)}
	}
	h, ver, ok := decodeHeader(b[:])
	if ok && ver > version {
		return &VersionError{File: name, Version: ver, Known: version, Hint: store.HintVersion}
	}
	if m.ok = ok && ver == version; m.ok {
		m.head = h
	}
	return nil
}

// guessHeader replaces a header that is gone: the segment's first line has the seq, and the epoch is that of the
// segment before unless the line itself begins a new one.
func (o *opening) guessHeader(m *member) error {
	damage := func(problem string) error {
		return &DamageError{File: o.j.log.path(indexName(m.ordinal)), Seq: o.next(), Problem: problem, Hint: hintBackup}
	}
	first, epoch, err := o.firstLine(m)
	if err != nil {
		return err
	}
	if first == 0 {
		return damage("the header cannot be read, nor the segment's first line")
	}
	switch {
	case epoch != 0:
	case len(o.j.log.segments) > 0:
		epoch = o.j.log.last().epoch
	case m.ordinal == 1:
		epoch = 1
	default:
		return damage("the header cannot be read, and nothing else tells the epoch")
	}
	m.head = header{epoch: epoch, first: first}
	if n := len(o.j.log.segments); n > 0 {
		m.head.prev, m.head.valid = o.j.log.segments[n-1].ordinal, o.j.log.segments[n-1].size
	}
	return nil
}

// firstLine reads the seq of a segment's first line and the epoch that it begins; zero where it tells none.
func (o *opening) firstLine(m *member) (first, epoch uint64, err error) {
	if m.data <= 0 {
		return 0, 0, nil
	}
	name := o.j.log.path(dataName(m.ordinal))
	f, err := o.opt.FS.Open(name)
	if err != nil {
		return 0, 0, &ReadError{File: name, Err: err, Hint: hint(err)}
	}
	defer f.Close()
	w := window{file: f, size: m.data}
	defer w.close()
	line, err := w.line(0, m.data)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, &ReadError{File: name, Err: err, Hint: hint(err)}
	}
	first, _, ok := parseLine(line)
	if !ok {
		return 0, 0, nil
	}
	if e, err := protocol.Decode(line); err == nil {
		if p, ok := e.Payload.(*protocol.Epoch); ok {
			epoch = p.Epoch
		}
	}
	return first, epoch, nil
}
