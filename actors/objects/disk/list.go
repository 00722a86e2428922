package disk

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// List holds the names of one folder at each depth.
func (s *store) List(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error] {
	return func(yield func(objects.Info, error) bool) {
		err := objects.CheckPrefix(prefix)
		if err != nil {
			yield(objects.Info{}, &objects.RefusedError{Op: "list", Err: err})
			return
		}
		w := &walk{store: s, ctx: ctx, prefix: prefix, after: after, yield: yield}
		top, _ := path.Split(prefix)
		if err := w.folder(top); err != nil && !errors.Is(err, errEnough) {
			yield(objects.Info{}, told("list", err))
		}
	}
}

var errEnough = errors.New("nobody wants more")

// walk goes through folders in the order of keys.
type walk struct {
	store         *store
	ctx           context.Context
	prefix, after string
	yield         func(objects.Info, error) bool
}

// entry is a file, or a folder, whose name ends with "/" then: so they are in the order of the keys that they are in.
type entry struct {
	name     string
	size     int64
	modified int64 // Unix ms
}

// folder goes through one; at is the beginning of the keys in it.
func (w *walk) folder(at string) error {
	if err := w.store.ends(w.ctx); err != nil {
		return err
	}
	list, err := w.entries(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is not there, or has gone with its last object
	}
	if err != nil {
		return err
	}
	for _, e := range list {
		key := at + e.name
		isFolder := strings.HasSuffix(key, "/")
		switch {
		case isFolder && (strings.HasPrefix(key, w.prefix) || strings.HasPrefix(w.prefix, key)) && (key > w.after || strings.HasPrefix(w.after, key)):
			err = w.folder(key)
		case isFolder || !strings.HasPrefix(key, w.prefix) || key <= w.after || objects.CheckKey(key) != nil:
		case w.store.ends(w.ctx) != nil:
			err = w.store.ends(w.ctx)
		case !w.yield(objects.Info{Key: key, Size: e.size, Modified: time.UnixMilli(e.modified)}, nil):
			err = errEnough
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) entries(at string) (list []entry, err error) {
	dir := w.store.path(at)
	folders, err := w.store.files.Subfolders(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range folders {
		list = append(list, entry{name: name + "/"})
	}
	files, err := w.store.files.List(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		list = append(list, entry{f.Name, f.Size, f.Modified})
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return list, nil
}
