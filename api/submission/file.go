package submission

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/submission/core"
)

const (
	name    = "submissions"
	fresh   = ".submissions.new"
	maxLine = 8 * 64 << 10 // bytes: an answer of the greatest length, all of which JSON escapes
	slack   = 1 << 20      // bytes that are added at least, before the file is written anew
)

// file is where submissions are kept. Lines are added and synced; the file is written anew when it has grown by more than twice what it held then, at the
// first write of a daemon, and after a write that failed: what is torn is never written behind.
type file struct {
	dir   string
	files disk.FS

	// With the mutex of the submissions held.
	queue   []core.Line
	anew    bool // it has something that is not to be kept
	running bool
	idle    *sync.Cond // something was written, or nothing is any more

	// Of the goroutine, or of whoever sees that there is none.
	open disk.Writer // nil: it is to be written anew
	size int         // bytes in it
	kept int         // of them, that it was written anew with
}

// read hands on the lines of the file. What is no line, as a torn last one, was not synced: nothing was done by it.
func (f *file) read(take func(*core.Line)) error {
	_ = f.files.Remove(filepath.Join(f.dir, fresh)) // of a daemon that was killed; mostly there is none
	in, err := f.files.Open(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("submissions: %w", err)
	}
	defer in.Close() // opened for reading: nothing to lose
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var l core.Line
		if json.Unmarshal(lines.Bytes(), &l) == nil {
			take(&l)
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("submissions: %w", err)
	}
	return nil
}

// write has a line written. With mu held. What comes while a goroutine writes shares the next sync; there is one as long as there is something to write. How
// much waits is bounded by the requests at work.
func (s *Submissions) write(l core.Line) {
	switch {
	case s.closed:
		s.stored([]core.Line{l}, errClosed)
		return
	case s.file == nil:
		s.stored([]core.Line{l}, nil)
		return
	}
	s.file.queue = append(s.file.queue, l)
	s.begin()
}

// rewrite has the file written anew. With mu held.
func (s *Submissions) rewrite() {
	if s.file != nil && !s.closed {
		s.file.anew = true
		s.begin()
	}
}

// begin has what waits written. With mu held.
func (s *Submissions) begin() {
	if !s.file.running {
		s.file.running = true
		go s.run()
	}
}

// run writes until nothing waits.
func (s *Submissions) run() {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.file
	for failed := false; len(f.queue) > 0 || f.anew && !failed; {
		work := f.queue
		f.queue = nil
		var all []core.Line
		anew := f.open == nil || f.anew || f.size > 2*f.kept+slack
		if anew {
			f.anew = false
			all = s.core.Lines() // what work says is in it
		}
		s.mu.Unlock()
		err := f.store(work, anew, all)
		s.mu.Lock()
		failed = err != nil
		f.anew = f.anew || anew && failed // then with the next write
		s.stored(work, err)
		f.idle.Broadcast()
	}
	f.running = false
	f.idle.Broadcast()
}

// stored tells of lines that are on the disk, or may not be. With mu held.
func (s *Submissions) stored(lines []core.Line, err error) {
	for i := range lines {
		if lines[i].Is != core.Freed {
			s.step(&core.Stored{N: lines[i].N, Err: err})
		}
	}
}

// store adds lines to the file, or writes it anew with all.
func (f *file) store(work []core.Line, anew bool, all []core.Line) error {
	var err error
	if anew {
		err = f.rewrite(all)
	} else if err = f.add(work); err == nil {
		failpoint.Hit("submission/beforeSync")
		err = f.open.Sync()
	}
	if err != nil {
		f.shut()
	}
	return err
}

func (f *file) add(lines []core.Line) error {
	var text bytes.Buffer
	for i := range lines {
		line, err := json.Marshal(&lines[i])
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	f.size += text.Len()
	failpoint.Torn("submission/midWrite", f.open, text.Bytes())
	_, err := io.Copy(f.open, &text)
	return err
}

// rewrite puts a file with these lines in the place of the one that is there.
func (f *file) rewrite(all []core.Line) error {
	f.shut()
	path := filepath.Join(f.dir, fresh)
	w, err := f.files.Create(path)
	if errors.Is(err, fs.ErrExist) { // an earlier try did not come to its end
		if err = f.files.Remove(path); err == nil {
			w, err = f.files.Create(path)
		}
	}
	if err != nil {
		return err
	}
	f.open, f.size = w, 0
	if err = f.add(all); err == nil {
		f.kept = f.size
		err = w.Sync()
	}
	if err == nil {
		failpoint.Hit("submission/beforeRename")
		err = f.files.Rename(path, filepath.Join(f.dir, name))
	}
	if err == nil {
		err = f.files.SyncDir(f.dir)
	}
	return err
}

func (f *file) shut() {
	if f.open != nil {
		_ = f.open.Close() // what was promised is synced
		f.open = nil
	}
}
