package folder

import (
	"fmt"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// leastRoom is how many bytes must be free for a daemon to take work: one event, with what it is stored in, needs less.
const leastRoom = 64 << 10

// NoRoom says why the disk of a folder takes nothing, for people; empty: it does, as far as the system tells.
func NoRoom(dir string) string {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return "" // the next write says
	}
	switch {
	case uint64(disk.Bavail)*uint64(disk.Bsize) < leastRoom: //nolint:unconvert // the types are each system's own
		return "The disk of the data folder is full."
	case disk.Files > 0 && disk.Ffree == 0:
		return "The disk of the data folder takes no more files."
	}
	return ""
}

// Free says how many bytes of a folder's disk this user may still write; 0: the system does not tell.
func Free(dir string) int64 {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return 0
	}
	return max(1, int64(disk.Bavail)*int64(disk.Bsize)) //nolint:unconvert // the types are each system's own
}

// Scarce refuses a session for which the disk has less room than is to stay free; 0: none is.
func (d Data) Scarce(least int64) error {
	if least <= 0 {
		return nil
	}
	free := Free(d.Root)
	if free == 0 || free >= least { // 0: the next write says
		return nil
	}
	return &protocol.Problem{
		Code:   protocol.CodeOverloaded,
		Detail: fmt.Sprintf("The disk of the data folder has %d MiB left, and no session is made below %d MiB.", free>>20, least>>20),
		Hint:   "Make room on the disk, or remove sessions: ringmaster gc --dry-run says what could go. --keep-free sets the mark.",
	}
}
