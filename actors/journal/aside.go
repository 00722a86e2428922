package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// AsideSuffix ends the name of the folder that holds what was set aside of a session, each time under a name of its own. At a start such a folder is no
// session and stays; Remove of the session's name removes it too.
const AsideSuffix = ".aside"

func aside(dir, name string) string { return filepath.Join(dir+AsideSuffix, name) }

// SetAside moves the session's folder with everything in it (store.Carrier). Where the folder goes is safe before it goes.
func (s *Store) SetAside(id, name string) error {
	dir, files := s.dir(id), s.opt.FS
	shelf, parent := dir+AsideSuffix, filepath.Dir(dir)
	err := s.move(dir, name)
	failpoint.Hit("journal/midSetAside")
	if err == nil {
		err = files.SyncDir(shelf) // also where an earlier SetAside, which did not come to this, has moved it
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // there was never a log
	}
	if err == nil {
		err = files.SyncDir(parent)
	}
	if err != nil {
		return writeError("set aside", dir, err)
	}
	return nil
}

// move gives a session's folder its place on the shelf, if it is there.
func (s *Store) move(dir, name string) error {
	files := s.opt.FS
	if name != filepath.Base(name) || name == "." || name == ".." {
		return fmt.Errorf("the name %q: %w", name, fs.ErrInvalid)
	}
	if _, err := files.List(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := files.Mkdir(dir + AsideSuffix); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := files.SyncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	switch _, err := files.List(aside(dir, name)); {
	case err == nil:
		return fmt.Errorf("there is another log set aside as %s: %w", name, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return files.Rename(dir, aside(dir, name))
}

// Aside looks at a journal that was set aside (store.Carrier).
func (s *Store) Aside(id, name string) (store.Log, error) { return look(aside(s.dir(id), name), s.opt) }

// Asides are the names of what was set aside of a session (store.Carrier).
func (s *Store) Asides(id string) (names []string, err error) {
	names, err = s.opt.FS.Subfolders(s.dir(id) + AsideSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &ReadError{File: s.dir(id) + AsideSuffix, Err: err, Hint: hint(err)}
	}
	slices.Sort(names)
	return names, nil
}

// Shelved are the sessions of which something was set aside (store.Carrier).
func (s *Store) Shelved() (ids []string, err error) {
	all := filepath.Dir(s.dir("0"))
	found, err := s.opt.FS.Subfolders(all)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &ReadError{File: all, Err: err, Hint: hint(err)}
	}
	for _, name := range found {
		if id, is := strings.CutSuffix(name, AsideSuffix); is {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// RemoveAside removes what was set aside under a name, and the shelf with the last of it (store.Carrier).
func (s *Store) RemoveAside(id, name string) error {
	shelf := s.dir(id) + AsideSuffix
	if name != filepath.Base(name) || name == "." || name == ".." {
		return writeError("remove", shelf, fs.ErrInvalid)
	}
	if err := s.opt.FS.RemoveAll(filepath.Join(shelf, name)); err != nil {
		return writeError("remove", shelf, err)
	}
	if left, err := s.Asides(id); err == nil && len(left) == 0 {
		_ = s.opt.FS.Remove(shelf) // best effort: an empty one tells of nothing
	}
	return nil
}
