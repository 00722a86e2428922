package cache

import (
	"errors"
	"io"
	"io/fs"
)

// Session is what is stored of one session. It is not safe for concurrent use; several of them are.
type Session struct {
	folder *Folder
	id     string
	newest slot   // what counts now; the zero value where nothing is stored
	place  int    // of newest in the index
	last   uint64 // generation of the slot that was written last
	stuck  error  // a drop that failed: nothing may be stored over what is still there
}

// openFile opens a file of the session; nil where there is none.
func (s *Session) openFile(suffix string) (source, int64, error) {
	f, err := s.folder.files.open(s.id + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	size, err := f.size()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// head reads the first bytes of a file, or as many as there are.
func (s *Session) head(suffix string, most int64) ([]byte, error) {
	f, size, err := s.openFile(suffix)
	if f == nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, min(size, most))
	if _, err := f.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}
