package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// positions is the file in which a watch keeps how far it has told of each session. One watch has it at a time.
type positions struct {
	name string
	lock *os.File
}

// stored is the file's form.
type stored struct {
	Version  int               `json:"version"`
	Sessions map[string]string `json:"sessions"` // id to cursor
}

// openPositions takes the file of a name, which need not be there: nothing is known then, and at is nil.
func openPositions(name string) (p *positions, at map[string]protocol.Cursor, err error) {
	l, err := os.OpenFile(name+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the file of positions: %w", err)
	}
	if err := syscall.Flock(int(l.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = l.Close()
		return nil, nil, fmt.Errorf("another watch has %s: %w", name, err)
	}
	p = &positions{name, l}
	at, err = p.load()
	if err != nil {
		_ = l.Close()
		return nil, nil, err
	}
	return p, at, nil
}

func (p *positions) load() (map[string]protocol.Cursor, error) {
	b, err := os.ReadFile(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the file of positions: %w", err)
	}
	var s stored
	if err := json.Unmarshal(b, &s); err != nil || s.Version != 1 || s.Sessions == nil {
		return nil, fmt.Errorf("%s is no file of positions: %w", p.name, errors.Join(err, errors.New("remove it to begin anew")))
	}
	at := make(map[string]protocol.Cursor, len(s.Sessions))
	for id, text := range s.Sessions {
		if at[id], err = protocol.ParseCursor(text); err != nil {
			return nil, fmt.Errorf("%s: session %s: %w", p.name, id, err)
		}
	}
	return at, nil
}

// save writes another file and puts it in the place of the one before, so that there is always a whole one.
func (p *positions) save(at map[string]protocol.Cursor) error {
	s := stored{Version: 1, Sessions: make(map[string]string, len(at))}
	for id, c := range at {
		s.Sessions[id] = c.String()
	}
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(p.name), filepath.Base(p.name)+".*") // of mode 0600
	if err != nil {
		return fmt.Errorf("the file of positions: %w", err)
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), p.name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("the file of positions: %w", err)
	}
	return nil
}

func (p *positions) close() { _ = p.lock.Close() }
