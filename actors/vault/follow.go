package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links of one path are followed, as Linux has it.
const maxLinks = 40

// self is another place for each process that goes there: nobody can tell for it, least of all selfCwd, the folder where it works.
const (
	self    = "/proc/self"
	selfCwd = self + "/cwd"
)

// Follow follows the links of a path from a folder without links, as the kernel does; what does not exist leads where it says. place is clean. known
// is false where that cannot be seen.
func Follow(at, path string) (place string, known bool) {
	links := 0
	known = true
	for parts := strings.Split(path, "/"); len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		switch {
		case next == self, next == "/proc/thread-self":
			at, known = self, false
			continue
		case !isBelow(at, self):
		case part == "cwd":
			return selfCwd, false
		case part == "root":
			at = "/"
			continue
		default:
			at = next
			continue
		}
		target, err := os.Readlink(next)
		switch {
		case err != nil:
			known = known && isNoLink(err)
		case links == maxLinks:
			known = false
		default:
			links++
			if filepath.IsAbs(target) {
				at = "/"
			}
			parts = append(strings.Split(target, "/"), parts...)
			continue
		}
		at = next
	}
	return at, known
}

func isNoLink(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
