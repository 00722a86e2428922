package folder

import "syscall"

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
