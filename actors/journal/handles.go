package journal

import (
	"fmt"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Release closes the file handles of a session that is passive; the next write opens them again. It syncs nothing; a Sync after it closes
// the handles that it had to open.
func (j *Journal) Release() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.released = true
	return j.closeFiles()
}

// reopen opens the files of the last segment and makes sure that they are as this journal left them.
func (j *Journal) reopen() error {
	if j.data != nil {
		return nil
	}
	seg := j.log.last()
	var err error
	name := dataName(seg.ordinal)
	if j.data, err = j.openAt(name, seg.size); err == nil {
		name = indexName(seg.ordinal)
		j.index, err = j.openAt(name, headerSize+seg.records*recordSize)
	}
	if err != nil {
		return j.fail("reopen", name, err)
	}
	return nil
}

func (j *Journal) openAt(name string, size int64) (disk.Writer, error) {
	f, err := j.log.fs.Append(j.log.path(name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("%w: %d bytes instead of %d", ErrChanged, info.Size(), size)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (j *Journal) closeFiles() error {
	var first error
	for _, f := range []*disk.Writer{&j.data, &j.index} {
		if *f == nil {
			continue
		}
		if err := (*f).Close(); err != nil && first == nil {
			first = err
		}
		*f = nil
	}
	return first
}

func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}
