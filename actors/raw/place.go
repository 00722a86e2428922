package raw

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// place is where an archive's files are.
type place struct {
	files disk.FS
	dir   string
}

func (p *place) path(s *segment) string { return filepath.Join(p.dir, segmentName(s.first, s.suffix)) }

// open opens a file at its end, or makes it.
func (p *place) open(s *segment) (disk.Writer, error) {
	open := p.files.Append
	if !s.exists {
		open = p.files.Create
	}
	f, err := open(p.path(s))
	if err != nil {
		return nil, &Error{Op: "open", File: p.path(s), Err: err}
	}
	s.exists = true
	return f, nil
}

// append writes a block to a file. Of one that failed, whatever was written is cut when the folder is looked at.
func (p *place) append(s *segment, f disk.Writer, b []byte) error {
	failpoint.Torn("raw/midWrite", f, b)
	if n, err := f.Write(b); err != nil && n < len(b) {
		return &Error{Op: "write", File: p.path(s), Err: err}
	}
	s.size += int64(len(b))
	return nil
}

// remove takes a file away. It is no error when there is none.
func (p *place) remove(s *segment) error {
	err := p.files.Remove(p.path(s))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// hold makes an empty pack, which holds the number of the next record.
func (p *place) hold(s *segment) error {
	f, err := p.files.Create(p.path(s))
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return &Error{Op: "create", File: p.path(s), Err: err}
	}
	s.exists = true
	return nil
}

// given says that the newest pack of a list gives back the records from a number to another.
func (p *place) given(list []segment, first, end uint64) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if isPack(list[i]) {
			return p.gives(&list[i], first, end)
		}
	}
	return false
}

// gives says that blocks of a file give back all records from a number to another.
func (p *place) gives(s *segment, first, end uint64) bool {
	var text []byte
	_, _, err := walk(p.files, p.path(s), func(w *block.Walk, h *block.Head) (err error) {
		if first < end && h.First <= first && first < h.End() {
			text, err = w.Text(text[:0])
			first = h.End()
		}
		return err
	})
	return err == nil && first >= end
}
