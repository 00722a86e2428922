package datafolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Address is where a running daemon listens.
type Address struct {
	HTTP   string `json:"http,omitempty"`   // base URL; empty: no TCP
	Socket string `json:"socket,omitempty"` // path of the unix socket; empty: none
	PID    int    `json:"pid"`
	Since  int64  `json:"since,omitempty"` // when it began, Unix ms
	// Roots are the folders inside which its sessions may work.
	Roots []string `json:"roots,omitempty"`
}

// maxAddress bounds the address file, in bytes.
const maxAddress = 1 << 20

// WriteAddress says where this daemon listens. The caller holds the folder's lock.
func (f Folder) WriteAddress(a Address) error {
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("address file: %w", err)
	}
	if err := replace(filepath.Join(f.Path, addressFile), append(text, '\n')); err != nil {
		return fmt.Errorf("address file: %w", err)
	}
	return nil
}

// ReadAddress says where the daemon of this folder listens, or did before it was killed. Without a daemon the error is
// fs.ErrNotExist.
func (f Folder) ReadAddress() (Address, error) {
	path := filepath.Join(f.Path, addressFile)
	info, err := os.Stat(path)
	if err != nil {
		return Address{}, fmt.Errorf("address file: %w", err)
	}
	if info.Size() > maxAddress {
		return Address{}, fmt.Errorf("address file %s is too long", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Address{}, fmt.Errorf("address file: %w", err)
	}
	var a Address
	if err := json.Unmarshal(text, &a); err != nil {
		return Address{}, fmt.Errorf("address file %s: %w", path, err)
	}
	return a, nil
}

// RemoveAddress says that no daemon listens any more.
func (f Folder) RemoveAddress() error {
	err := os.Remove(filepath.Join(f.Path, addressFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("address file: %w", err)
	}
	return nil
}
