package journal

import (
	"bytes"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

const hintBackup = "restore the session's folder from a backup; what precedes the damage can be read"

// piece is a run of bytes of one segment.
type piece struct {
	segment segment
	offset  int64
	length  int64
}

// lacks says why the events since < seq <= upTo cannot be read, to a holder of mu.
func (l *Log) lacks(since, upTo uint64) error {
	oldest, newest := l.segments[0].first, l.segments[len(l.segments)-1].next-1
	if since > upTo || upTo > newest {
		return &BeyondError{Newest: min(newest, upTo)}
	}
	if since+1 < oldest {
		return &GoneError{Oldest: oldest}
	}
	return nil
}

// pieces are the bytes of the events since < seq <= upTo.
func (l *Log) pieces(since, upTo uint64) ([]piece, error) {
	l.mu.RLock()
	if err := l.lacks(since, upTo); err != nil || since == upTo {
		l.mu.RUnlock()
		return nil, err
	}
	from, to := l.holding(since+1), l.holding(upTo)
	list := make([]piece, 0, to-from+1)
	for i := from; i <= to; i++ {
		if s := l.segments[i]; s.size > 0 {
			list = append(list, piece{segment: s, length: s.size})
		}
	}
	l.mu.RUnlock()

	last := &list[len(list)-1]
	end, err := l.offset(&last.segment, upTo+1)
	if err != nil {
		return nil, err
	}
	last.length = end
	first := &list[0]
	if first.offset, err = l.offset(&first.segment, max(since+1, first.segment.first)); err != nil {
		return nil, err
	}
	first.length -= first.offset
	return list, nil
}

// Range gives the bytes of the events since < seq <= upTo, as /log serves them. A *GoneError says that some of them were
// dropped, a *BeyondError that upTo was never appended or lies before since.
func (l *Log) Range(since, upTo uint64) (store.Range, error) {
	list, err := l.pieces(since, upTo)
	if err != nil {
		return nil, err
	}
	r := &Range{log: l, pieces: list}
	for _, p := range list {
		r.left += p.length
	}
	return r, nil
}

// Range is a run of events as bytes of files. It has its own handle, one at a time, and is for one goroutine.
type Range struct {
	log    *Log
	pieces []piece
	left   int64
	file   disk.Reader // of the first piece, placed at its offset; nil: not yet open
}

// Size is how many bytes are left to read.
func (r *Range) Size() int64 { return r.left }

// Whole fails where a file ends before the range does. The caller asks before it sends the first byte, while it can still answer with an error.
func (r *Range) Whole() error {
	for i := range r.pieces {
		p := &r.pieces[i]
		if err := r.log.verify(&p.segment); err != nil {
			return err
		}
		f, err := r.log.fs.Open(r.log.path(dataName(p.segment.ordinal)))
		if err != nil {
			return r.log.readError(&p.segment, err)
		}
		var last [1]byte
		at := p.offset + p.length - 1
		n, err := f.ReadAt(last[:], at)
		f.Close()
		switch {
		case n < len(last):
			return r.log.shortData(&p.segment, at, err)
		case last[0] != '\n':
			return r.log.Damaged(p.segment.first, "a line does not end where it should")
		}
	}
	return nil
}

// WriteTo copies what is left to w. When w is the writer of net/http, with Content-Length set and no compression, the
// operating system copies from file to socket.
func (r *Range) WriteTo(w io.Writer) (int64, error) {
	var sum int64
	for len(r.pieces) > 0 {
		if err := r.open(); err != nil {
			return sum, err
		}
		n, err := copyFrom(w, &io.LimitedReader{R: r.file, N: r.pieces[0].length})
		sum += n
		done, short := r.advance(n)
		if err != nil {
			return sum, err
		}
		if !done {
			return sum, short
		}
	}
	return sum, nil
}

// copyFrom copies through the writer's own ReadFrom, which may be sendfile, or else through a pooled buffer.
func copyFrom(w io.Writer, from *io.LimitedReader) (int64, error) {
	if to, ok := w.(io.ReaderFrom); ok {
		return to.ReadFrom(from)
	}
	buf := large.get()
	defer large.put(buf)
	return io.CopyBuffer(w, from, buf)
}

// Read reads what is left, in order.
func (r *Range) Read(b []byte) (int, error) {
	if len(r.pieces) == 0 {
		return 0, io.EOF
	}
	if len(b) == 0 {
		return 0, nil
	}
	if err := r.open(); err != nil {
		return 0, err
	}
	n, err := r.file.Read(b[:min(int64(len(b)), r.pieces[0].length)])
	if zero := bytes.IndexByte(b[:n], 0); zero >= 0 { // blocks that a disk has lost read as zeros, and no line has one
		zero = bytes.LastIndexByte(b[:zero], '\n') + 1 // whole lines only
		p := &r.pieces[0]
		at := p.offset + int64(zero)
		if zero == 0 {
			name := r.log.path(dataName(p.segment.ordinal))
			return 0, &DamageError{File: name, Offset: at, Seq: p.segment.first, Problem: "there are zeros", Hint: hintBackup}
		}
		if _, err := r.file.Seek(at, io.SeekStart); err != nil {
			return 0, r.log.readError(&p.segment, err)
		}
		n, err = zero, nil
	}
	_, short := r.advance(int64(n))
	if err == io.EOF {
		err = nil
		if n == 0 {
			err = short
		}
	}
	return n, err
}

// Close closes the handle; it may be repeated.
func (r *Range) Close() error {
	r.pieces, r.left = nil, 0
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

func (r *Range) open() error {
	if r.file != nil {
		return nil
	}
	p := &r.pieces[0]
	if err := r.log.verify(&p.segment); err != nil {
		return err
	}
	f, err := r.log.fs.Open(r.log.path(dataName(p.segment.ordinal)))
	if err != nil {
		return r.log.readError(&p.segment, err)
	}
	if _, err := f.Seek(p.offset, io.SeekStart); err != nil {
		f.Close()
		return r.log.readError(&p.segment, err)
	}
	r.file = f
	return nil
}

// advance takes n bytes off the range. done says that the first piece is finished; otherwise short is the error to return when the file
// has no more bytes.
func (r *Range) advance(n int64) (done bool, short error) {
	p := &r.pieces[0]
	p.offset += n
	p.length -= n
	r.left -= n
	if p.length > 0 {
		return false, r.log.shortData(&p.segment, p.offset, io.EOF)
	}
	r.file.Close() // opened for reading: nothing to lose
	r.file = nil
	r.pieces = r.pieces[1:]
	return true, nil
}
