package disk

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// tries bounds how often a folder may vanish, since its last object was deleted, before an object is linked into it.
const tries = 100

func (s *store) Put(ctx context.Context, key string, body objects.Body) (isNew bool, err error) {
	if err := errors.Join(objects.CheckKey(key), body.Check()); err != nil {
		return false, &objects.RefusedError{Op: "put", Err: err}
	}
	if err := s.ends(ctx); err != nil {
		return false, told("put", err)
	}
	path := s.path(key)
	from := body.Verify(ctx)
	temp, err := s.write(ctx, from)
	if refused := from.Refused("put"); refused != nil {
		return false, refused
	}
	if err != nil {
		return false, told("put", err)
	}
	defer func() { _ = s.files.Remove(temp) }() // what stays is swept
	for range tries {
		if isNew, err = s.link(temp, path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return false, told("put", err)
	}
	return isNew, nil
}

// write makes a synced file of ".new".
func (s *store) write(ctx context.Context, from io.Reader) (path string, err error) {
	dir := filepath.Join(s.dir, fresh)
	if err := s.files.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	path = filepath.Join(dir, rand.Text())
	f, err := s.files.Create(path)
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(&until{f, s, ctx}, from); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = s.files.Remove(path) // what stays is swept
	}
	return path, err
}

// until writes to a file while the call may go on.
type until struct {
	disk.Writer
	store *store
	ctx   context.Context
}

func (u *until) Write(p []byte) (int, error) {
	if err := u.store.ends(u.ctx); err != nil {
		return 0, err
	}
	return u.Writer.Write(p)
}

// link gives a file its name, and has that survive a loss of power. The error is fs.ErrNotExist where a folder has vanished meanwhile.
func (s *store) link(temp, path string) (isNew bool, err error) {
	var dirs []string // from the store's folder down
	for dir := filepath.Dir(path); dir != s.dir; dir = filepath.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}
	for _, dir := range dirs {
		if err := s.files.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return false, err
		}
	}
	err = s.files.Link(temp, path)
	isNew = err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	for _, dir := range append([]string{s.dir}, dirs...) {
		err := s.files.SyncDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return isNew, nil // somebody has deleted the object already
		}
		if err != nil {
			return false, &doubtError{err}
		}
	}
	return isNew, nil
}

// doubtError is one behind which an object may be there or not.
type doubtError struct{ err error }

func (e *doubtError) Error() string { return e.err.Error() }
func (e *doubtError) Unwrap() error { return e.err }
