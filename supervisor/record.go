package supervisor

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// record is session.json: what a list shows of a session without opening its journal, and how it was left.
type record struct {
	Version int             `json:"version"`
	Summary session.Summary `json:"summary"`
	// Open says that the session had an actor: when a daemon finds it so at boot, the earlier one did not end in order.
	Open bool `json:"open"`
	// Boot is the machine's boot at that time: another one means that unsynced events may be lost.
	Boot string `json:"boot,omitempty"`
	// Durability was in force.
	Durability Durability `json:"durability,omitempty"`
	// Incarnation is the newest adapter's number.
	Incarnation uint32 `json:"incarnation,omitempty"`
	// Endpoint is where the agent is attached to. Its password is here and nowhere else.
	Endpoint *endpoint `json:"endpoint,omitempty"`
}

// endpoint is adapters.Endpoint on the disk.
type endpoint struct {
	URL      string `json:"url"`
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
}

const recordVersion = 1

func readRecord(path string) (record, error) {
	var r record
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	return r, err
}

// write replaces the file as a whole. It is not synced: after a power loss the journal itself tells more.
func (r record) write(path string) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	tmp := filepath.Join(filepath.Dir(path), ".session.json.new")
	if err := os.WriteFile(tmp, append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
