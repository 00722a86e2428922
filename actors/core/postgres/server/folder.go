package server

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// The database and its user.
const (
	User     = "ringmaster"
	Database = "ringmaster"
)

// Folder is a server's folder. It has the mark below, the user's password, and the server's own files in a folder inside, which may be another user's.
type Folder struct{ Path string }

// mark is the file that says whose a folder is.
const mark = "core.json"

// made is what the mark says.
type made struct {
	By   string `json:"madeBy"`
	Port int    `json:"port"` // of the server; it stays the same, so that the daemons' flags do
}

const maker = "ringmaster core init --dev"

// PasswordFile has the password of User.
func (f Folder) PasswordFile() string { return filepath.Join(f.Path, "password") }

// Log is what the server says.
func (f Folder) Log() string { return filepath.Join(f.own(), "log") }

func (f Folder) own() string  { return filepath.Join(f.Path, "server") }
func (f Folder) data() string { return filepath.Join(f.own(), "data") }

// claim makes the folder, or finds that it is one of these; and keeps every other process from it until release is called.
func (f Folder) claim() (release func(), err error) {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711 // the server's user passes through
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil { //nolint:gosec // as those above a data folder: the server's user passes through
		return nil, &Error{Place, err, "name another folder"}
	}
	if err := os.Mkdir(f.Path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, &Error{Place, err, "name another folder"}
	}
	release, err = f.hold()
	if err != nil {
		return nil, err
	}
	if err := f.take(mode); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// hold locks the folder, which has to be this user's.
func (f Folder) hold() (release func(), err error) {
	lock, err := os.Open(f.Path)
	if err != nil {
		return nil, &Error{Place, err, "name another folder"}
	}
	info, err := lock.Stat()
	if err == nil && (!info.IsDir() || owner(info) != uint32(os.Geteuid())) {
		err = errors.New(f.Path + " is no folder of this user's")
	}
	if err != nil {
		_ = lock.Close() // nothing was written
		return nil, &Error{Place, err, "name another folder, or call this as the user whose it is"}
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close() // nothing was written
		return nil, &Error{Busy, errors.New(f.Path + " is in use by another " + maker), "wait for it, and try again"}
	}
	return func() { _ = lock.Close() }, nil // which unlocks
}

// take finds that a folder which is held is one of these, or makes an empty one so.
func (f Folder) take(mode fs.FileMode) error {
	_, err := f.read()
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return &Error{Place, err, "name another folder"}
	}
	if len(entries) > 0 {
		return &Error{Foreign, errors.New(f.Path + " is not empty, and was not made by " + maker), "name a folder that is new or empty"}
	}
	if err := os.Chmod(f.Path, mode); err != nil {
		return &Error{Place, err, "name another folder"}
	}
	return f.write(made{By: maker})
}

// read reads the mark; fs.ErrNotExist: there is none.
func (f Folder) read() (m made, err error) {
	text, err := os.ReadFile(filepath.Join(f.Path, mark))
	if errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	if err != nil {
		return m, &Error{Place, err, "call this as the user that has made it"}
	}
	if json.Unmarshal(text, &m) != nil || m.By != maker || m.Port < 0 || m.Port > 65535 {
		return m, &Error{Foreign, fmt.Errorf("%s was not made by %s", filepath.Join(f.Path, mark), maker), "name a folder that is new or empty"}
	}
	return m, nil
}

func (f Folder) write(m made) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return replace(filepath.Join(f.Path, mark), append(text, '\n'))
}

// replace writes a file for its owner alone, whole or not at all.
func replace(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return &Error{Place, err, "look at the disk, or name another folder"}
	}
	if err := os.Rename(path+".new", path); err != nil {
		return &Error{Place, err, "look at the disk, or name another folder"}
	}
	return nil
}

// Password reads User's password.
func (f Folder) Password() (string, error) {
	text, err := os.ReadFile(f.PasswordFile())
	if err != nil {
		return "", &Error{Place, err, "without its password nobody comes to this database: end it, remove the folder, and begin anew"}
	}
	return strings.TrimSpace(string(text)), nil
}

// newPassword makes one; it has letters and digits only.
func (f Folder) newPassword() (string, error) {
	password := rand.Text()
	return password, replace(f.PasswordFile(), []byte(password+"\n"))
}

// major is the version of the server that has made the data; 0: there are none.
func (f Folder) major() (int, error) {
	text, err := os.ReadFile(filepath.Join(f.data(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, &Error{Place, err, "call this as the user that has made it"}
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, &Error{Failed, fmt.Errorf("%s: %w", filepath.Join(f.data(), "PG_VERSION"), err), "end it, remove the folder, and begin anew"}
	}
	return n, nil
}
