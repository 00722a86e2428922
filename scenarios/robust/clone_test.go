package robust

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// model is a session as a daemon left it, from which others are made that differ in their ids only.
type model struct {
	id, native string
	lines      []byte
	record     []byte // session.json
}

func readModel(data, id string) (m model, err error) {
	dir := filepath.Join(data, "sessions", id)
	if m.record, err = os.ReadFile(filepath.Join(dir, "session.json")); err != nil {
		return m, err
	}
	var record struct {
		Summary struct{ NativeSessionID string }
	}
	if err := json.Unmarshal(m.record, &record); err != nil {
		return m, err
	}
	m.id, m.native = id, record.Summary.NativeSessionID
	m.lines, err = readLines(data, id)
	if whole := split(m.lines); len(whole) == 0 || m.native == "" {
		return m, fmt.Errorf("session %s is no model: %d events, native id %q", id, len(whole), m.native)
	}
	return m, err
}

// readLines reads the segments of a session as they are on the disk.
func readLines(data, id string) (all []byte, err error) {
	names, err := filepath.Glob(filepath.Join(data, "sessions", id, "*.ndjson")) // sorted
	for _, name := range names {
		b, readErr := os.ReadFile(name)
		if readErr != nil {
			return nil, readErr
		}
		all = append(all, b...)
	}
	return all, err
}

// batch is how many events are appended at once, as a daemon does.
const batch = 16

// make makes the n-th session of the model. One that is left at work has no mark of a clean end.
func (m model) make(data string, n int, atWork bool) (id string, err error) {
	id = fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n)
	renamed := strings.NewReplacer(m.id, id, m.native, "ffffffff"+id[8:])
	j, err := journal.Create(filepath.Join(data, "sessions", id), journal.Options{})
	if err != nil {
		return "", err
	}
	lines := split([]byte(renamed.Replace(string(m.lines))))
	for first := 0; first < len(lines); first += batch {
		part := lines[first:min(first+batch, len(lines))]
		err := j.Append(journal.Batch{First: uint64(first + 1), Count: len(part), Lines: append(bytes.Join(part, []byte("\n")), '\n'), Time: 1})
		if err != nil {
			return "", err
		}
	}
	end := j.Close
	if atWork {
		end = j.CloseUnclean
	}
	if err := end(); err != nil {
		return "", err
	}
	return id, os.WriteFile(filepath.Join(data, "sessions", id, "session.json"), []byte(renamed.Replace(string(m.record))), 0o600)
}
