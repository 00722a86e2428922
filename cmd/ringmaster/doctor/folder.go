package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// Free room of the data folder below which the doctor speaks up, in bytes.
const (
	littleRoom = 1 << 30
	noRoom     = 64 << 20
)

func checkFolder(folder datafolder.Folder) []finding {
	err := folder.Check()
	if errors.Is(err, fs.ErrNotExist) {
		return append([]finding{{"data folder", verdictOK, folder.Path + " is not there yet: the daemon makes it", ""}},
			checkRoom(nearestFolder(folder.Path)))
	}
	list := []finding{verdictOf("data folder", folder.Path+", for this user only", err)}
	if err := unix.Access(folder.Path, unix.W_OK|unix.X_OK); err != nil {
		list = append(list, finding{"data folder", verdictFailure, "it cannot be written: " + err.Error(), "name another one with --data"})
	}
	_, err = discovery.ReadToken(folder.TokenFile())
	if errors.Is(err, fs.ErrNotExist) {
		list = append(list, finding{"token", verdictOK, "not there yet: the daemon makes it", ""})
	} else {
		list = append(list, verdictOf("token", folder.TokenFile()+", for this user only", err))
	}
	return append(list, checkRoom(folder.Path))
}

func nearestFolder(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

func checkRoom(path string) finding {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return finding{"disk", verdictWarning, "free room unknown: " + err.Error(), ""}
	}
	free := uint64(st.Bavail) * uint64(st.Bsize) //nolint:unconvert // the types differ between systems
	text := fmt.Sprintf("%.1f GiB free", float64(free)/(1<<30))
	if free < 1<<30 {
		text = fmt.Sprintf("%d MiB free", free>>20)
	}
	switch {
	case free < noRoom:
		return finding{"disk", verdictFailure, text + ": logs cannot grow", "make room, or name a folder on another disk with --data"}
	case free < littleRoom:
		return finding{"disk", verdictWarning, text, "make room before long"}
	}
	return finding{"disk", verdictOK, text, ""}
}
