package journal

import (
	"errors"
	"io"
	"io/fs"
	"iter"
)

// Spans goes through the spans of a journal in order, from its indexes alone: the journal need not be opened, and may be
// open and growing. Batches without a source have no span, and neither have those whose index was rebuilt. Where a record of an index
// is wrong, the rest of that index is passed over; an error, a *ReadError or *VersionError, ends the sequence. Of opt the file system counts.
func Spans(dir string, opt Options) iter.Seq2[Span, error] {
	return func(yield func(Span, error) bool) {
		opt = opt.withDefaults()
		o := opening{j: &Journal{log: Log{fs: opt.FS, dir: dir}}, opt: opt}
		members, _, err := o.members()
		if err != nil {
			yield(Span{}, err)
			return
		}
		for i := range members {
			valid := members[i].data
			if i+1 < len(members) && members[i+1].ok {
				valid = members[i+1].head.valid
			}
			more, err := o.spans(&members[i], valid, yield)
			if err != nil {
				yield(Span{}, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// spans goes through one index, as far as its records lie within the bytes of the segment that count; more is false when
// the caller has left its loop.
func (o *opening) spans(m *member, valid int64, yield func(Span, error) bool) (more bool, err error) {
	if !m.ok {
		return true, nil
	}
	name := o.j.log.path(indexName(m.ordinal))
	f, err := o.opt.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil // dropped meanwhile
	}
	if err != nil {
		return true, &ReadError{File: name, Err: err, Hint: hint(err)}
	}
	defer f.Close()
	buf := small.get()
	defer small.put(buf)
	buf = buf[:len(buf)/recordSize*recordSize]
	for at := int64(headerSize); ; {
		n, err := f.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return true, &ReadError{File: name, Err: err, Hint: hint(err)}
		}
		n -= n % recordSize
		for b := buf[:n]; len(b) > 0; b = b[recordSize:] {
			r, ok := decodeRecord(b)
			if !ok || r.end() > valid {
				return true, nil
			}
			if r.isBatch() && r.source != (Source{}) && !yield(Span{Source: r.source, First: r.first, Last: r.next() - 1}, nil) {
				return false, nil
			}
		}
		if n < len(buf) {
			return true, nil
		}
		at += int64(n)
	}
}
