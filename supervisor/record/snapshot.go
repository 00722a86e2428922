package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Snapshot is what the dropped beginning of a session's log had told. It is no hint, as a checkpoint is: nothing else knows it. So it is on the disk before
// the events go, is believed by whatever build, and stays until a newer one takes its place.
type Snapshot struct {
	Seq   uint64 // the last event that it tells of
	State []byte // as session/core has saved it
}

// The names of a session's snapshot, and of one that is being written.
const (
	SnapshotFile  = "snapshot"
	freshSnapshot = ".snapshot.new"
)

// snapshotVersion is that of the file, and maxSnapshot bounds what a state may take, in bytes.
const (
	snapshotVersion = 1
	maxSnapshot     = 64 << 20
)

// snapshotHead is the first line of the file; the state follows.
type snapshotHead struct {
	Version uint32 `json:"version"`
	Seq     uint64 `json:"seq"`
	Bytes   int    `json:"bytes"`
	Sum     uint32 `json:"sum"` // CRC-32C of the state
}

// Write replaces the snapshot of a session's folder. When it returns nil no loss of power takes it.
func (s *Snapshot) Write(files disk.FS, folder string) error {
	if len(s.State) == 0 || len(s.State) > maxSnapshot {
		return fmt.Errorf("a snapshot of %d bytes, at most %d can be kept", len(s.State), maxSnapshot)
	}
	head, err := json.Marshal(snapshotHead{snapshotVersion, s.Seq, len(s.State), crc32.Checksum(s.State, castagnoli)})
	if err != nil {
		return err
	}
	fresh := filepath.Join(folder, freshSnapshot)
	f, err := create(files, fresh)
	if err != nil {
		return err
	}
	if _, err = f.Write(append(append(head, '\n'), s.State...)); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		failpoint.Hit("record/beforeSnapshotRename")
		err = files.Rename(fresh, filepath.Join(folder, SnapshotFile))
	}
	if err != nil {
		_ = files.Remove(fresh) // nobody looks at what is left
		return err
	}
	return files.SyncDir(folder)
}

// ReadSnapshot reads the snapshot of a session's folder; without one it is the zero value. A *store.VersionError says that a newer build wrote it, a
// *store.DamageError that it is not what was written, and a *store.ReadError that the disk does not give it back.
func ReadSnapshot(files disk.FS, folder string) (s Snapshot, err error) {
	path := filepath.Join(folder, SnapshotFile)
	f, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, &store.ReadError{File: path, Err: err}
	}
	defer f.Close() // opened for reading: nothing to lose
	b, err := io.ReadAll(io.LimitReader(f, maxSnapshot+1024))
	if err != nil {
		return s, &store.ReadError{File: path, Err: err}
	}
	line, state, _ := bytes.Cut(b, []byte{'\n'})
	var head snapshotHead
	bad := json.Unmarshal(line, &head) != nil
	switch {
	case !bad && head.Version > snapshotVersion:
		return s, &store.VersionError{File: path, Version: head.Version, Known: snapshotVersion, Hint: store.HintVersion}
	case bad || head.Bytes != len(state) || head.Sum != crc32.Checksum(state, castagnoli):
		return s, &store.DamageError{File: path, Problem: "it is not what was written", Hint: store.HintSnapshot}
	}
	return Snapshot{head.Seq, state}, nil
}
