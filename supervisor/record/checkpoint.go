package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Checkpoint is what a session's log has told up to a place of it. It is a hint: a start that has none, or one that is of no use, replays the whole
// log. So it is written without a sync, and read only by the build that has written it and where no loss of power may have changed the log since.
type Checkpoint struct {
	Place store.Place
	State []byte // as session/core has saved it; empty: there is to be none
}

// The names of a session's checkpoint, and of one that is being written.
const (
	CheckpointFile  = "checkpoint"
	freshCheckpoint = ".checkpoint.new"
)

func checkpointOf(record string) string { return filepath.Join(filepath.Dir(record), CheckpointFile) }

// checkpointHead is the first line of the file; the state follows.
type checkpointHead struct {
	Build string      `json:"build"`
	Place store.Place `json:"place"`
	Bytes int         `json:"bytes"`
	Sum   uint32      `json:"sum"` // CRC-32C of the state
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// build names the program by its bytes: builds without a commit, and those of one commit with changes, have no other name. Empty: it cannot be read, and
// there are no checkpoints.
var build = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	size, err := io.Copy(sum, f)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%08x", size, sum.Sum32())
})

// write replaces the file, or removes it where the checkpoint has no state.
func (c *Checkpoint) write(files disk.FS, path string) error {
	if len(c.State) == 0 || build() == "" {
		if err := files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	head, err := json.Marshal(checkpointHead{build(), c.Place, len(c.State), crc32.Checksum(c.State, castagnoli)})
	if err != nil {
		return err
	}
	fresh := filepath.Join(filepath.Dir(path), freshCheckpoint)
	f, err := create(files, fresh)
	if err != nil {
		return err
	}
	_, err = f.Write(append(append(head, '\n'), c.State...))
	if err = errors.Join(err, f.Close()); err == nil {
		failpoint.Hit("record/beforeCheckpointRename")
		err = files.Rename(fresh, path)
	}
	if err != nil {
		_ = files.Remove(fresh) // nobody looks at what is left
	}
	return err
}

// maxCheckpoint bounds what is read of a file, in bytes: more than a state with all its bounded parts takes.
const maxCheckpoint = 64 << 20

func readCheckpoint(files disk.FS, path string) (c Checkpoint, ok bool) {
	f, err := files.Open(path)
	if err != nil {
		return c, false
	}
	defer f.Close() // opened for reading: nothing to lose
	b, err := io.ReadAll(io.LimitReader(f, maxCheckpoint))
	if err != nil {
		return c, false
	}
	line, state, whole := bytes.Cut(b, []byte{'\n'})
	var head checkpointHead
	if !whole || json.Unmarshal(line, &head) != nil || head.Build != build() || head.Bytes != len(state) || head.Sum != crc32.Checksum(state, castagnoli) {
		return c, false
	}
	return Checkpoint{head.Place, state}, true
}
