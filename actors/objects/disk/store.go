// Package disk is an object store in a local folder: for one machine, for what several mount, and for tests of what a loss of power leaves. An object is a file
// whose path below the folder is its key, so any tool can look at the folder and copy it.
//
// An object is written to a file of ".new", synced, and linked to its name, which fails where the name is taken; then the folders are synced, and the file
// of ".new" goes. A call that finds its name taken syncs the folders as well: who has linked it may not have come to that. What a crash leaves in ".new" is
// removed by the next Open that finds it old. A folder goes with its last object.
//
// The file system must have hard links.
package disk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// Options are what is not the same everywhere.
type Options struct {
	Files disk.Tree        // nil: the operating system's
	Now   func() time.Time // nil: the wall clock; tells how old a file of ".new" is
}

const (
	fresh = ".new" // the folder of what is being written
	// leftover is how long nothing was written to a file of ".new" before it is taken for one that a crash has left.
	leftover = time.Hour
)

// store is a way to a folder.
type store struct {
	dir   string
	files disk.Tree

	closing context.Context // done when Close begins
	close   context.CancelCauseFunc
	once    sync.Once
}

var _ objects.Store = (*store)(nil)

var errClosed = errors.New("closed")

// Open opens a folder, which must be there, and removes what crashes have left in it. Its errors are those of objects.Store.
func Open(dir string, o Options) (objects.Store, error) {
	if o.Files == nil {
		o.Files = disk.OS()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &store{dir: filepath.Clean(dir), files: o.Files}
	s.closing, s.close = context.WithCancelCause(context.Background())
	if _, err := o.Files.Subfolders(s.dir); err != nil {
		return nil, told("open", err)
	}
	s.sweep(o.Now())
	return s, nil
}

// sweep removes old files of ".new", as far as it can: what stays is in nobody's way, and a folder that may only be read is still read. Somebody else may do
// so at the same time.
func (s *store) sweep(now time.Time) {
	list, _ := s.files.List(filepath.Join(s.dir, fresh))
	for _, e := range list {
		if now.UnixMilli()-e.Modified >= leftover.Milliseconds() {
			_ = s.files.Remove(filepath.Join(s.dir, fresh, e.Name))
		}
	}
}

func (s *store) Close() { s.once.Do(func() { s.close(errClosed) }) }

// ends is why a call cannot begin, or go on.
func (s *store) ends(ctx context.Context) error {
	if s.closing.Err() != nil {
		return context.Cause(s.closing)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (s *store) path(key string) string { return filepath.Join(s.dir, filepath.FromSlash(key)) }

func (s *store) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := objects.CheckGet(key, offset, length); err != nil {
		return nil, err
	}
	if err := s.ends(ctx); err != nil {
		return nil, told("get", err)
	}
	f, err := s.files.Open(s.path(key))
	if err != nil {
		return nil, s.about("get", key, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, told("get", errors.Join(err, f.Close()))
	}
	if rest := max(0, info.Size()-offset); length == objects.Whole || length > rest {
		length = rest
	}
	return &reader{store: s, ctx: ctx, from: io.NewSectionReader(f, offset, length), file: f, left: length}, nil
}

// reader reads a part of a file.
type reader struct {
	store *store
	ctx   context.Context
	from  io.Reader
	file  io.Closer
	left  int64
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.store.ends(r.ctx); err != nil {
		return 0, told("read", err)
	}
	n, err := r.from.Read(p)
	r.left -= int64(n)
	switch {
	case errors.Is(err, io.EOF) && r.left > 0:
		err = told("read", io.ErrUnexpectedEOF) // somebody has cut the file
	case err != nil && !errors.Is(err, io.EOF):
		err = told("read", err)
	}
	return n, err
}

func (r *reader) Close() error { return told("read", r.file.Close()) }

func (s *store) Stat(ctx context.Context, key string) (objects.Info, error) {
	if err := objects.CheckKey(key); err != nil {
		return objects.Info{}, &objects.RefusedError{Op: "stat", Err: err}
	}
	if err := s.ends(ctx); err != nil {
		return objects.Info{}, told("stat", err)
	}
	stamp, err := s.files.Stamp(s.path(key), false)
	if err != nil {
		return objects.Info{}, s.about("stat", key, err)
	}
	return objects.Info{Key: key, Size: stamp.Size, Modified: time.Unix(0, stamp.Modified)}, nil
}

// Delete removes the file, and the folders above that have nothing in them then.
func (s *store) Delete(ctx context.Context, key string) error {
	if err := objects.CheckKey(key); err != nil {
		return &objects.RefusedError{Op: "delete", Err: err}
	}
	if err := s.ends(ctx); err != nil {
		return told("delete", err)
	}
	path := s.path(key)
	if err := s.files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return told("delete", err)
	}
	dir := filepath.Dir(path)
	if err := s.files.SyncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return told("delete", err)
	}
	s.prune(dir)
	return nil
}

// prune removes a folder and those above it, as long as nothing is in them and nobody else is faster.
func (s *store) prune(dir string) {
	for ; dir != s.dir && s.files.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
}
