package cache

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	stdsync "sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What the names of a session's files end in, behind its id.
const (
	linesSuffix = ".ndjson"
	indexSuffix = ".index"
	stateSuffix = ".state"
)

// Options of a Folder. The zero value is good.
type Options struct {
	Budget  int64            // bytes of all files together; 0: 512 MiB
	Flush   bool             // lines are synced to the disk before the index speaks of them
	Evicted func(id string)  // is told which session had to make room, while the folder is locked; nil: nobody
	Now     func() time.Time // for the order in which sessions are evicted; nil: time.Now
}

// Of a budget, a fraction or so many bytes are freed at once when room is needed.
const (
	defaultBudget = 512 << 20
	freedAtOnce   = 64 << 20
	freedFraction = 8
)

// Folder is the cache of one principal. It is safe for concurrent use.
type Folder struct {
	files   files
	options Options
	locked  *os.File
	mu      stdsync.Mutex
	sizes   map[string]int64 // of all files, by name
	sum     int64
	open    map[string]bool // sessions, by id
}

// Open takes a folder, which it makes with mode 0700 if there is none. The error is ErrLocked when somebody else writes it, and errors.ErrUnsupported
// on systems without file locks.
func Open(dir string, o Options) (*Folder, error) {
	sessions := filepath.Join(dir, "sessions")
	if err := os.MkdirAll(sessions, 0o700); err != nil { //nolint:gosec // G703: the caller's own folder, wherever that is
		return nil, fmt.Errorf("cache: %w", err)
	}
	l, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, fmt.Errorf("cache %s: %w", dir, err)
	}
	f, err := newFolder(osFiles(sessions), o)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	f.locked = l
	return f, nil
}

func newFolder(in files, o Options) (*Folder, error) {
	if o.Budget <= 0 {
		o.Budget = defaultBudget
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	list, err := in.list()
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	f := &Folder{files: in, options: o, sizes: map[string]int64{}, open: map[string]bool{}}
	for _, e := range list {
		f.resize(e.name, e.size)
	}
	return f, nil
}

// Close lets go of the folder. Sessions that are open must not be used any more.
func (f *Folder) Close() error {
	if f.locked == nil {
		return nil
	}
	return f.locked.Close()
}

// Size is how many bytes the files have.
func (f *Folder) Size() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sum
}

// Sessions gives the ids of the sessions of which something is stored, in order.
func (f *Folder) Sessions() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var ids []string
	for name := range f.sizes {
		if id, ok := strings.CutSuffix(name, linesSuffix); ok && protocol.ValidSessionID(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Remove takes away what is stored of a session that is not open.
func (f *Folder) Remove(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !protocol.ValidSessionID(id) || f.open[id] {
		return fmt.Errorf("cache: session %q is open, or no session", id)
	}
	_, err := f.remove(id)
	return err
}

// Evict takes away the sessions that were not open for longest, until it has freed an eighth of the budget, or 64 MiB, whichever is less. Sessions that are
// open stay.
func (f *Folder) Evict() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, err := f.files.list()
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	left := min(int64(freedAtOnce), f.options.Budget/freedFraction)
	for _, e := range list {
		id, is := strings.CutSuffix(e.name, linesSuffix)
		if left <= 0 {
			break
		}
		if !is || f.open[id] {
			continue
		}
		freed, err := f.remove(id)
		if err != nil {
			return err
		}
		if left -= freed; f.options.Evicted != nil {
			f.options.Evicted(id)
		}
	}
	return nil
}

// remove takes the files of a session away, the index first: lines without an index are nobody's, an index without its lines would be a lie.
func (f *Folder) remove(id string) (freed int64, err error) {
	for _, suffix := range []string{indexSuffix, stateSuffix, linesSuffix} {
		if err := f.files.remove(id + suffix); err != nil {
			return freed, fmt.Errorf("cache: %w", err)
		}
		freed += f.sizes[id+suffix]
		f.resize(id+suffix, 0)
		delete(f.sizes, id+suffix)
	}
	return freed, nil
}

// resize notes how long a file is.
func (f *Folder) resize(name string, size int64) {
	f.sum += size - f.sizes[name]
	f.sizes[name] = size
}

// write writes into a file, within the budget.
func (f *Folder) write(name string, at int64, b []byte, flush bool) error {
	if !f.reserve(name, at+int64(len(b))) {
		return ErrFull
	}
	if err := f.files.write(name, at, b, flush); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// reserve notes that a file is going to be at least so long, unless that is over the budget. Where the write fails, a part of it may be there.
func (f *Folder) reserve(name string, size int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	size = max(f.sizes[name], size)
	if f.sum+size-f.sizes[name] > f.options.Budget {
		return false
	}
	f.resize(name, size)
	return true
}

func (f *Folder) cut(name string, size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.files.cut(name, size); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	f.resize(name, size)
	return nil
}
