package datafolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// lockFile is the supervisor's: held while a daemon runs, and names its process.
const lockFile = "lock"

// Holder says whether a daemon works on the folder, and as which process; 0: it did not say. It tries the lock for a moment, as a daemon
// does when it starts.
func (f Folder) Holder() (pid int, held bool) {
	lock, err := os.Open(filepath.Join(f.Path, lockFile))
	if err != nil {
		return 0, false
	}
	defer func() { _ = lock.Close() }() // which gives the lock back
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); !errors.Is(err, syscall.EWOULDBLOCK) {
		return 0, false
	}
	text := make([]byte, 20)
	n, _ := lock.ReadAt(text, 0)
	pid, err = strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil || pid <= 0 || !hasOpen(pid, lock) {
		return 0, true
	}
	return pid, true
}

// hasOpen says that a process has a file open, as far as the system tells: a daemon in a container counts processes anew, and the number
// that it wrote may be anybody's here.
func hasOpen(pid int, file *os.File) bool {
	if runtime.GOOS != "linux" {
		return true
	}
	want, err := file.Stat()
	if err != nil {
		return false
	}
	open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return false
	}
	for _, fd := range open {
		if info, err := os.Stat(fd); err == nil && os.SameFile(info, want) {
			return true
		}
	}
	return false
}
