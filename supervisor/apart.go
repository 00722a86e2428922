package supervisor

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

// apart wraps a store that keeps no log in the sessions' folders. A session has its folder all the same: it holds session.json, images and native
// lines, and the next start finds the session by it.
type apart struct {
	store.Store
	data  folder.Data
	files disk.FS
}

// Create makes the folder before the log: the next start would not find a session with a log and without a folder.
func (a *apart) Create(id string) (store.Writer, error) {
	dir := a.data.Session(id)
	err := a.files.Mkdir(dir)
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = a.files.SyncDir(filepath.Dir(dir))
	}
	if err != nil {
		return nil, &store.WriteError{Op: "create", File: dir, Err: err}
	}
	return a.Store.Create(id)
}

// Remove removes the folder last, for the same reason.
func (a *apart) Remove(id string) error {
	if err := a.Store.Remove(id); err != nil {
		return err
	}
	dir := a.data.Session(id)
	err := a.files.RemoveAll(dir)
	if err == nil {
		err = a.files.SyncDir(filepath.Dir(dir)) // a loss of power must not bring the folder back without its log
	}
	if err != nil {
		return &store.WriteError{Op: "remove", File: dir, Err: err}
	}
	return nil
}
