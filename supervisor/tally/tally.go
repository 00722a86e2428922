// Package tally keeps what removed sessions had used and what owners may use (package budget), in memory and in the file budgets.
package tally

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

const (
	name    = "budgets"
	fresh   = ".budgets.new"
	maxLine = 1 << 20 // bytes: far more than any has
	slack   = 1000    // lines that are added at least, before the file is written anew
	few     = 1000    // lines: while no more is kept, each removal writes the file anew, so that it does not go on naming the session
)

// Tally adds lines to the file and syncs them. The file is written anew when most of it is old, after a removal where little is kept, at the first line of a
// daemon, and after a write that failed: what is torn is never written behind.
//
// The disk is the affair of a goroutine that lives while there is something to write: what comes meanwhile shares the next sync. How much waits is
// bounded by the sessions that are being removed, and the requests at work.
type Tally struct {
	dir   string
	files disk.FS

	mu      sync.Mutex
	past    *budget.Past // with what waits
	queue   []wish
	running bool
	idle    *sync.Cond // running has ended

	// Of the goroutine, or of whoever sees that there is none.
	open  disk.Writer // nil: it is to be written anew
	lines int         // in it
	kept  int         // of them, that it was written anew with
}

// wish is a line that waits for the disk.
type wish struct {
	line budget.Line
	done func(error) // called in the goroutine; must not block. nil: nobody waits
}

// Read reads the file. Lines that cannot be read, as a torn last one, are left out: nothing was done by them. An error is the disk's.
func Read(dir string, files disk.FS) (*budget.Past, error) {
	past := budget.NewPast()
	_ = files.Remove(filepath.Join(dir, fresh)) // of a daemon that was killed; mostly there is none
	in, err := files.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return past, nil
	}
	if err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	defer in.Close() // opened for reading: nothing to lose
	text := bufio.NewScanner(in)
	text.Buffer(nil, maxLine)
	for text.Scan() {
		var l budget.Line
		if json.Unmarshal(text.Bytes(), &l) == nil {
			past.Take(&l)
		}
	}
	if err := text.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	return past, nil
}

// New makes one that begins with what is kept. The file is as it was until the first line.
func New(dir string, files disk.FS, past *budget.Past) *Tally {
	t := &Tally{dir: dir, files: files, past: past}
	t.idle = sync.NewCond(&t.mu)
	return t
}

// Put keeps a line, and calls done when it is on the disk, or with the reason why it may not be: then it is written with the next one. done may be nil,
// and must not block.
func (t *Tally) Put(l budget.Line, done func(error)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.past.Take(&l)
	t.queue = append(t.queue, wish{l, done})
	if !t.running {
		t.running = true
		go t.run()
	}
}

// Wait keeps a line, and returns when it is on the disk, or may not be.
func (t *Tally) Wait(l budget.Line) error {
	done := make(chan error, 1)
	t.Put(l, func(err error) { done <- err })
	return <-done
}

// run writes until nothing waits.
func (t *Tally) run() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) > 0 {
		work := t.queue
		t.queue = nil
		var lines []budget.Line
		anew := t.open == nil || t.lines > 2*t.kept+slack || t.past.Size() <= few && slices.ContainsFunc(work, removed)
		if anew {
			lines = t.past.Lines() // what work says is in it
		} else {
			for i := range work {
				lines = append(lines, work[i].line)
			}
		}
		t.mu.Unlock()
		err := t.store(lines, anew)
		for _, w := range work {
			if w.done != nil {
				w.done(err)
			}
		}
		t.mu.Lock()
	}
	t.running = false
	t.idle.Broadcast()
}

// removed says that a session's removal is over.
func removed(w wish) bool { return w.line.Left != "" }

// store adds lines to the file, or puts one with these lines in its place.
func (t *Tally) store(lines []budget.Line, anew bool) error {
	var err error
	if anew {
		err = t.rewrite(lines)
	} else if err = t.add(lines); err == nil {
		failpoint.Hit("tally/beforeSync")
		err = t.open.Sync()
	}
	if err != nil {
		t.shut()
	}
	return err
}

func (t *Tally) add(lines []budget.Line) error {
	var text bytes.Buffer
	for i := range lines {
		line, err := json.Marshal(&lines[i])
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	t.lines += len(lines)
	failpoint.Torn("tally/midWrite", t.open, text.Bytes())
	_, err := text.WriteTo(t.open)
	return err
}

func (t *Tally) rewrite(lines []budget.Line) error {
	t.shut()
	path := filepath.Join(t.dir, fresh)
	w, err := t.files.Create(path)
	if errors.Is(err, fs.ErrExist) { // an earlier try did not come to its end
		if err = t.files.Remove(path); err == nil {
			w, err = t.files.Create(path)
		}
	}
	if err != nil {
		return err
	}
	t.open, t.lines, t.kept = w, 0, len(lines)
	if err = t.add(lines); err == nil {
		err = w.Sync()
	}
	if err == nil {
		failpoint.Hit("tally/beforeRename")
		err = t.files.Rename(path, filepath.Join(t.dir, name))
	}
	if err == nil {
		err = t.files.SyncDir(t.dir)
	}
	return err
}

// Close returns when what was wanted is written, and nothing may be wanted any more.
func (t *Tally) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.running {
		t.idle.Wait()
	}
	t.shut()
}

func (t *Tally) shut() {
	if t.open != nil {
		_ = t.open.Close() // what was promised is synced
		t.open = nil
	}
}
