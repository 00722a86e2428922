package datafolder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
)

// Address is where a running daemon listens.
type Address struct {
	HTTP   string `json:"http,omitempty"`   // base URL; empty: no TCP
	Socket string `json:"socket,omitempty"` // path of the unix socket; empty: none
	PID    int    `json:"pid"`
	Since  int64  `json:"since,omitempty"` // when it began, Unix ms
	// Roots are the folders inside which its sessions may work.
	Roots []string `json:"roots,omitempty"`
	// Named are those that flags or the configuration name, as they are called there.
	Named []string `json:"named,omitempty"`
	// TakesRoots says that nobody named its roots: run and new add the folder that they work in.
	TakesRoots bool `json:"takesRoots,omitempty"`
	// IdleExit is after how long without work and without callers it ends itself, in ms; 0: never.
	IdleExit int64 `json:"idleExit,omitempty"`
	// Background says that a command started it, with Args behind serve, and that its log is the folder's.
	Background bool     `json:"background,omitempty"`
	Args       []string `json:"args,omitempty"`
}

// Unnamed are the roots that were given to the daemon while it ran, or that commands worked in.
func (a Address) Unnamed() []string {
	return slices.DeleteFunc(slices.Clone(a.Roots), func(root string) bool {
		return slices.ContainsFunc(a.Named, func(named string) bool {
			resolved, err := filepath.EvalSymlinks(named)
			return root == named || err == nil && root == resolved
		})
	})
}

// LogFile is where a daemon in the background writes.
func (f Folder) LogFile() string { return filepath.Join(f.Path, "daemon.log") }

// WriteAddress says where this daemon listens. The caller holds the folder's lock.
func (f Folder) WriteAddress(a Address) error {
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("address file: %w", err)
	}
	path := filepath.Join(f.Path, addressFile)
	err = Replace(path, append(text, '\n'))
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) { // whoever comes to a full disk wants to read what is there
		if reuse(path, text) == nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("address file: %w", err)
	}
	return nil
}

// reuse writes an address into the space that an earlier one has on a full disk: that of a daemon which was killed, or has ended.
func reuse(path string, text []byte) error {
	old := path
	if _, err := os.Stat(old); err != nil {
		old += ended
	}
	file, err := os.OpenFile(old, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		pad := max(0, int(info.Size())-len(text)-1)
		_, err = file.WriteAt(append(append(text, bytes.Repeat([]byte{' '}, pad)...), '\n'), 0)
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil && old != path {
		err = os.Rename(old, path)
	}
	return err
}

// ReadAddress says where the daemon of this folder listens, or did before it was killed. Without a daemon the error is
// fs.ErrNotExist.
func (f Folder) ReadAddress() (Address, error) {
	var a Address
	err := discovery.ReadAddressInto(f.Path, &a)
	return a, err
}

// ended is what the address file of a daemon that has ended has behind its name. It keeps its space for the next one.
const ended = ".ended"

// RemoveAddress says that no daemon listens any more.
func (f Folder) RemoveAddress() error {
	path := filepath.Join(f.Path, addressFile)
	err := os.Rename(path, path+ended)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("address file: %w", err)
	}
	return nil
}
