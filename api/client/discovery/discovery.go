// Package discovery reads in a daemon's data folder what a client needs to reach the daemon: where it listens, and the token.
package discovery

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// EnvData names the environment variable with the path of the data folder.
const EnvData = "RINGMASTER_DATA"

// The files of a data folder that a client reads.
const (
	AddressFile = "address"
	TokenFile   = "token"
)

// Address is where a daemon listens.
type Address struct {
	HTTP   string `json:"http"`   // base URL; empty: not over TCP
	Socket string `json:"socket"` // path of its unix socket; empty: it has none
}

// Bounds of the files, in bytes.
const (
	maxAddress = 1 << 20
	maxToken   = 512 // somebody may have put a token of their own there
	minToken   = 32  // a shorter one can be guessed
)

// Default is the path of the data folder where none is named: $RINGMASTER_DATA, else ringmaster below the XDG state folder (~/.local/state).
func Default() (string, error) {
	if p := os.Getenv(EnvData); p != "" {
		return filepath.Abs(p)
	}
	if p := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(p) {
		return filepath.Join(p, "ringmaster"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home folder: name a data folder with $%s: %w", EnvData, err)
	}
	return filepath.Join(home, ".local", "state", "ringmaster"), nil
}

// ReadAddress says where the daemon of a data folder listens, or did before it was killed. Without a daemon the error is fs.ErrNotExist.
func ReadAddress(folder string) (Address, error) {
	var a Address
	err := ReadAddressInto(folder, &a)
	return a, err
}

// ReadAddressInto decodes the whole address file of a data folder, of which an Address is a part, into out.
func ReadAddressInto(folder string, out any) error {
	path := filepath.Join(folder, AddressFile)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("address file: %w", err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxAddress+1))
	switch {
	case err != nil:
		return fmt.Errorf("address file: %w", err)
	case len(text) > maxAddress:
		return fmt.Errorf("address file %s is too long", path)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("address file %s: %w", path, err)
	}
	return nil
}

// ReadToken reads a token file. One that others may read is refused with a *ModeError: its token is no secret. The error is fs.ErrNotExist where there
// is none.
func ReadToken(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	if m := info.Mode().Perm(); m&0o077 != 0 {
		return "", &ModeError{path, m, 0o600}
	}
	b := make([]byte, maxToken+1)
	n, err := file.Read(b)
	if n == 0 && err != nil {
		return "", fmt.Errorf("token file %s is empty: delete it and start the daemon again", path)
	}
	token := strings.TrimSpace(string(b[:n]))
	if n > maxToken || token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("token file %s does not hold a token: delete it and start the daemon again", path)
	}
	if len(token) < minToken {
		return "", fmt.Errorf("token file %s holds %d characters, which can be guessed: want %d or more, at random; or delete it and start the daemon again",
			path, len(token), minToken)
	}
	return token, nil
}

// ModeError says that others than the owner may read a file or enter a folder.
type ModeError struct {
	Path string
	Mode fs.FileMode // as it is
	Want fs.FileMode
}

func (e *ModeError) Error() string {
	return fmt.Sprintf("%s has mode %04o: others than its owner may use it", e.Path, e.Mode)
}

// Hint is the command that mends it.
func (e *ModeError) Hint() string { return fmt.Sprintf("chmod %04o %s", e.Want, e.Path) }
