// Package datafolder is the folder in which a daemon keeps everything, and by which its clients find it: the bearer
// token, the address file and the unix socket. The folder is the user's own (0700), its files too (0600): who can read
// them may do what the daemon may.
package datafolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
)

// EnvData names the environment variable with the folder's path.
const EnvData = discovery.EnvData

// The files of a data folder that are ours; the supervisor owns the rest (its lock and the sessions).
const (
	tokenFile   = discovery.TokenFile
	addressFile = discovery.AddressFile
	socketFile  = "ringmaster.sock"
)

// Folder is a data folder by its absolute path.
type Folder struct{ Path string }

// Default is the folder that is used when none is named: $RINGMASTER_DATA, else ringmaster below the XDG state folder
// (~/.local/state).
func Default() (Folder, error) {
	path, err := discovery.Default()
	if err != nil {
		return Folder{}, fmt.Errorf("name a data folder with --data: %w", err)
	}
	return Folder{path}, nil
}

// At is the folder of a path.
func At(path string) (Folder, error) {
	p, err := filepath.Abs(path)
	if err != nil {
		return Folder{}, fmt.Errorf("data folder: %w", err)
	}
	return Folder{p}, nil
}

// Create makes the folder, where it is not there, for its owner only. A folder that others may enter is refused: the
// token would be theirs.
func (f Folder) Create() error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return &PlaceError{err}
	}
	err := os.Mkdir(f.Path, 0o700)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrExist):
		return &PlaceError{err}
	}
	return f.Check()
}

// PlaceError says that the folder cannot be where it was put.
type PlaceError struct{ Err error }

func (e *PlaceError) Error() string { return "data folder: " + e.Err.Error() }
func (e *PlaceError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *PlaceError) Hint() string { return "name another one with --data" }

// Check says what is wrong with the folder: that it is not there, no folder, or open to others (*discovery.ModeError).
func (f Folder) Check() error {
	info, err := os.Stat(f.Path)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if !info.IsDir() {
		return &PlaceError{fmt.Errorf("%s is no folder", f.Path)}
	}
	if m := info.Mode().Perm(); m&0o077 != 0 {
		return &discovery.ModeError{Path: f.Path, Mode: m, Want: 0o700}
	}
	return nil
}

// Socket is the path of the daemon's unix socket.
func (f Folder) Socket() string { return filepath.Join(f.Path, socketFile) }

// Sessions is the folder of all sessions, each in one of its id.
func (f Folder) Sessions() string { return filepath.Join(f.Path, "sessions") }

// TokensFile has the tokens that people have made besides the one of TokenFile.
func (f Folder) TokensFile() string { return filepath.Join(f.Path, "tokens.json") }

// PeerKeyFile has the key by which other nodes on the same Core know this one.
func (f Folder) PeerKeyFile() string { return filepath.Join(f.Path, "peer.pem") }

// TokenFile is the path of the file with the bearer token.
func (f Folder) TokenFile() string { return filepath.Join(f.Path, tokenFile) }
