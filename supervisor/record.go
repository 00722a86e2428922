package supervisor

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// record is session.json: what a list shows of a session without opening its journal, and how it was left.
type record struct {
	Version int             `json:"version"`
	Summary session.Summary `json:"summary"`
	// Open says that the session had an actor: when a daemon finds it so at boot, the earlier one did not end in order.
	Open bool `json:"open"`
	// Boot is the machine's boot at that time: another one means that unsynced events may be lost.
	Boot string `json:"boot,omitempty"`
	// Durability was in force.
	Durability Durability `json:"durability,omitempty"`
	// Incarnation is the newest adapter's number.
	Incarnation uint32 `json:"incarnation,omitempty"`
	// Untold says that others are to be told what became of it, and may not have been.
	Untold bool `json:"untold,omitempty"`
	// Endpoint is where the agent is attached to. Its password is here and nowhere else.
	Endpoint *endpoint `json:"endpoint,omitempty"`
}

// endpoint is adapters.Endpoint on the disk.
type endpoint struct {
	URL      string `json:"url"`
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
}

const recordVersion = 1

func readRecord(files journal.FS, path string) (r record, err error) {
	f, err := files.Open(path)
	if err != nil {
		return r, err
	}
	defer f.Close() // opened for reading: nothing to lose
	b, err := io.ReadAll(f)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	return r, err
}

// freshRecord is a session.json that is being written.
const freshRecord = ".session.json.new"

// write replaces the file as a whole. safe: a loss of power does not take it; else it may take the file, and the journal tells
// what a list shows.
func (r record) write(files journal.FS, path string, safe bool) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	fresh := filepath.Join(dir, freshRecord)
	f, err := files.Create(fresh)
	if errors.Is(err, fs.ErrExist) { // an earlier daemon did not come to the end of this
		if err = files.Remove(fresh); err == nil {
			f, err = files.Create(fresh)
		}
	}
	if err != nil {
		return err
	}
	if _, err = f.Write(append(b, '\n')); err == nil && safe {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		failpoint.Hit("supervisor/beforeRecordRename")
		err = files.Rename(fresh, path)
	}
	if err != nil {
		_ = files.Remove(fresh) // nobody looks at what is left
		return err
	}
	if safe {
		return files.SyncDir(dir)
	}
	return nil
}
