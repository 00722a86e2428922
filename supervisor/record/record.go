// Package record is session.json: what a list shows of a session without opening its journal, and how it was left. It has a version of its own and
// knows the session core's summary by its fields alone.
package record

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Record is session.json: what a list shows of a session without opening its journal, and how it was left.
type Record struct {
	Version uint32   `json:"version"`
	Summary *Summary `json:"summary"`
	// Open says that the session had an actor: when a daemon finds it so at boot, the earlier one did not end in order.
	Open bool `json:"open"`
	// Boot is the machine's boot at that time: another one means that unsynced events may be lost.
	Boot string `json:"boot,omitempty"`
	// Durability was in force.
	Durability string `json:"durability,omitempty"`
	// Incarnation is the newest adapter's number.
	Incarnation uint32 `json:"incarnation,omitempty"`
	// Synced is the newest event when the journal was last closed in order: what is gone of it since, no crash and no loss of power has taken.
	Synced uint64 `json:"synced,omitempty"`
	// Untold says that others are to be told what became of it, and may not have been.
	Untold bool `json:"untold,omitempty"`
	// Endpoint is where the agent is attached to. Its password is here and nowhere else.
	Endpoint *Endpoint `json:"endpoint,omitempty"`
	// Came is what the session has brought to this node; absent: it was made here.
	Came *budget.Came `json:"came,omitempty"`
	// Past is what removed sessions below it had used, for the node that has it next; absent: nothing.
	Past *budget.Use `json:"past,omitempty"`
	// Rests says that the journal was closed in order with the event of the summary: what is written is copied to Resting.
	Rests bool `json:"-"`
}

// Arrive makes of a record that another node has told the one of a session that comes to this node. Nothing of it runs any more, and what was used until now
// was not used here.
func (r *Record) Arrive() {
	r.Summary.Spent.WorkingSince = 0
	r.Came = &budget.Came{Before: budget.UseOf(&r.Summary.Spent, 0)}
	if r.Past != nil {
		r.Came.Past = *r.Past
	}
}

// Endpoint is adapters.Endpoint on the disk.
type Endpoint struct {
	URL      string `json:"url"`
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
}

// Version is the newest form that is known, and the one that is written.
const Version = 1

// Summary is session.Summary on the disk: its names are those of version 1, and stay. A member of session.Summary that is new needs one
// here, and may be absent from what an earlier build wrote.
type Summary struct {
	ID              string                 `json:"ID"`
	Agent           string                 `json:"Agent"`
	Cwd             string                 `json:"Cwd"`
	Title           string                 `json:"Title"`
	FirstPrompt     string                 `json:"FirstPrompt,omitempty"`
	Model           string                 `json:"Model"`
	AskedModel      string                 `json:"AskedModel"`
	Mode            string                 `json:"Mode"`
	Labels          map[string]string      `json:"Labels"`
	NativeSessionID string                 `json:"NativeSessionID"`
	AgentVersion    string                 `json:"AgentVersion"`
	ParentSessionID string                 `json:"ParentSessionID"`
	Owner           string                 `json:"Owner"`
	Via             string                 `json:"Via,omitempty"`
	Created         time.Time              `json:"Created"`
	Updated         time.Time              `json:"Updated"`
	Epoch           uint64                 `json:"Epoch"`
	Seq             uint64                 `json:"Seq"`
	Status          protocol.Status        `json:"Status"`
	SubAgent        bool                   `json:"SubAgent"`
	Spawned         bool                   `json:"Spawned"`
	MCP             bool                   `json:"MCP"`
	Policy          *protocol.Policy       `json:"Policy"`
	PendingModel    string                 `json:"PendingModel"`
	PendingMode     string                 `json:"PendingMode"`
	Turns           int                    `json:"Turns"`
	Spent           protocol.Spent         `json:"Spent,omitzero"`
	Cost            float64                `json:"Cost,omitempty"`
	Budget          *protocol.Budget       `json:"Budget,omitempty"`
	Marks           []protocol.BudgetMark  `json:"Marks,omitempty"`
	LastTurn        *protocol.LastTurn     `json:"LastTurn,omitempty"`
	EndError        string                 `json:"EndError"`
	EndHint         string                 `json:"EndHint"`
	Open            []protocol.OpenRequest `json:"-"` // what is open ends with the daemon
	Turn            string                 `json:"-"`
	Prompts         []string               `json:"-"`
	Changed         uint64                 `json:"-"`
	Node            string                 `json:"-"` // what is kept is of this one
	Forwarded       bool                   `json:"-"`
	Unreachable     bool                   `json:"-"`
	Pinned          bool                   `json:"Pinned,omitempty"`
	ReadOnly        bool                   `json:"ReadOnly"`
	Damage          *protocol.Damage       `json:"Damage,omitempty"`
}

// Read reads a session.json. Of one that a newer build wrote nothing is believed: a *store.VersionError. One that the disk does not give back
// is a *store.ReadError.
func Read(files disk.FS, path string) (r Record, err error) {
	b, err := readWhole(files, path)
	if errors.Is(err, syscall.EIO) {
		err = &store.ReadError{File: path, Err: err, Hint: "the disk reports an error: look into the kernel's log, and restart the daemon once it is well"}
	}
	if err != nil {
		return r, err
	}
	return Parse(b, path)
}

// Parse reads the text of a session.json that came from somewhere, which is in its errors.
func Parse(b []byte, from string) (r Record, err error) {
	var v struct {
		Version uint32 `json:"version"`
	}
	switch err := json.Unmarshal(b, &v); {
	case v.Version > Version:
		return r, &store.VersionError{File: from, Version: v.Version, Known: Version, Hint: store.HintVersion}
	case err != nil:
		return r, err
	case v.Version == 0:
		return r, errors.New("there is no version")
	}
	if err = json.Unmarshal(b, &r); err == nil && r.Summary == nil {
		err = errors.New("there is no summary")
	}
	return r, err
}

func readWhole(files disk.FS, path string) ([]byte, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // opened for reading: nothing to lose
	return io.ReadAll(f)
}

// Fresh is a session.json that is being written.
const Fresh = ".session.json.new"

// Save writes a session.json, which then survives a loss of power, where nobody else writes it.
func (r Record) Save(files disk.FS, path string) error { return r.write(files, path, true) }

// write replaces the file as a whole. safe: a loss of power does not take it; else it may take the file, and the journal tells
// what a list shows.
func (r Record) write(files disk.FS, path string, safe bool) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	fresh := filepath.Join(dir, Fresh)
	f, err := create(files, fresh)
	if err != nil {
		return err
	}
	if _, err = f.Write(append(b, '\n')); err == nil && safe {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		failpoint.Hit("record/beforeRecordRename")
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

// Unread says of an error of Read that there is a session.json of which nobody here knows what it holds: a newer build wrote it, or the disk does not
// give it back.
func Unread(err error) bool {
	var version *store.VersionError
	var read *store.ReadError
	return errors.As(err, &version) || errors.As(err, &read)
}
