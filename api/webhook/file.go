package webhook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
)

const (
	name    = "webhooks"
	fresh   = ".webhooks.new"
	maxLine = 64 << 20        // bytes: where a webhook began in all sessions is one line
	slack   = 1 << 20         // bytes that are added at least, before the file is written anew
	most    = 4096            // lines that wait; of more the file is written anew
	pause   = 5 * time.Second // after a write that failed
)

var sums = crc32.MakeTable(crc32.Castagnoli)

// file is where webhooks are kept: lines, each behind its checksum. They are added and synced; the file is written anew when it has grown by more than
// twice what it held then, at the first write of a daemon, and after a write that failed, since what is torn is never written behind. The state in
// memory has what a failed write has not.
type file struct {
	dir   string
	files disk.FS
	log   *zap.Logger
	now   func() time.Time
	mu    *sync.Mutex        // of the webhooks
	all   *sync.WaitGroup    // likewise
	lines func() []core.Line // that the file has to have. With mu held

	// With mu held.
	queue   []core.Line
	waiting []chan<- error // for the queue
	anew    bool
	running bool
	failed  error
	after   time.Time // a failure: when it is tried again

	// Of the goroutine, or of whoever sees that there is none.
	open disk.Writer // nil: it is to be written anew
	size int         // bytes in it
	kept int         // of them, that it was written anew with
}

// read hands on the lines of the file. What is no line with its sum is passed over: the last one may be torn, and of others the state before counts.
func (f *file) read(take func(*core.Line) bool) error {
	_ = f.files.Remove(filepath.Join(f.dir, fresh)) // of a daemon that was killed; mostly there is none
	in, err := f.files.Open(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("webhooks: %w", err)
	}
	defer in.Close() // opened for reading: nothing to lose
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for bad := 0; ; {
		more := lines.Scan()
		if bad > 0 && more { // the last line may be torn; this one was not the last
			f.log.Error("webhooks: a line of the file is damaged and was passed over")
			bad = 0
		}
		if !more {
			break
		}
		if l, ok := parse(lines.Bytes()); !ok || !take(l) {
			bad++
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("webhooks: %w", err)
	}
	return nil
}

// parse reads a line that form has written.
func parse(text []byte) (*core.Line, bool) {
	sum, text, _ := bytes.Cut(text, []byte(" "))
	if string(sum) != sumOf(text) {
		return nil, false
	}
	l := new(core.Line)
	return l, json.Unmarshal(text, l) == nil
}

func sumOf(text []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(text, sums)) }

func form(b *bytes.Buffer, l *core.Line) error {
	text, err := json.Marshal(l)
	if err == nil {
		fmt.Fprintf(b, "%s %s\n", sumOf(text), text)
	}
	return err
}

// save has a line written. With mu held. What comes while the goroutine writes shares the next sync.
func (f *file) save(l core.Line) {
	if f == nil {
		return
	}
	if len(f.queue) >= most {
		f.queue, f.anew = nil, true // the state has it
	} else {
		f.queue = append(f.queue, l)
	}
	f.write(false)
}

// saved gives what becomes of a line: nil when it is on the disk. With mu held.
func (f *file) saved(l core.Line) <-chan error {
	ch := make(chan error, 1)
	if f == nil {
		ch <- nil
		return ch
	}
	f.queue = append(f.queue, l)
	f.waiting = append(f.waiting, ch)
	f.write(true)
	return ch
}

// write has what waits written, after a failure not before its time, unless somebody waits. With mu held.
func (f *file) write(now bool) {
	if f == nil || f.running || len(f.queue) == 0 && !f.anew || !now && f.failed != nil && f.now().Before(f.after) {
		return
	}
	f.running = true
	f.all.Go(f.writeAll) // ends when nothing waits, or at a failure; Close waits for it
}

// again is when a write that failed is tried again; zero: none did. With mu held.
func (f *file) again() (at time.Time) {
	if f != nil && f.failed != nil {
		at = f.after
	}
	return at
}

// writeAll writes until nothing waits.
func (f *file) writeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) > 0 || f.anew {
		work, waiting := f.queue, f.waiting
		f.queue, f.waiting = nil, nil
		var all []core.Line
		anew := f.open == nil || f.anew || f.size > 2*f.kept+slack
		if anew {
			f.anew = false
			all = f.lines() // what work says is in it
		}
		f.mu.Unlock()
		err := f.store(work, anew, all)
		f.mu.Lock()
		for _, ch := range waiting {
			ch <- err
		}
		if (err == nil) != (f.failed == nil) {
			f.log.Warn("webhooks: what is known of deliveries is written again, or is not", zap.Bool("written", err == nil), zap.Error(err))
		}
		if f.failed = err; err != nil {
			f.anew, f.after = true, f.now().Add(pause)
			if len(f.waiting) == 0 {
				break
			}
		}
	}
	f.running = false
}

// store adds lines to the file, or writes it anew with all.
func (f *file) store(work []core.Line, anew bool, all []core.Line) error {
	var err error
	if anew {
		err = f.rewrite(all)
	} else if err = f.add(work); err == nil {
		failpoint.Hit("webhook/beforeSync")
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
		if err := form(&text, &lines[i]); err != nil {
			return err
		}
	}
	f.size += text.Len()
	failpoint.Torn("webhook/midWrite", f.open, text.Bytes())
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
		failpoint.Hit("webhook/beforeRename")
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
