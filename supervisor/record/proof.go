package record

import (
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Copy is what the file has of a session.
type Copy struct {
	Record *Record // nil: there is none that counts
	Proof  Proof
}

// Proof is what a session's folder has to have for its copy to count.
type Proof struct {
	Record disk.Stamp `json:"record"` // the session.json that was copied
	File   string     `json:"file"`   // the newest lines of the log
	Lines  disk.Stamp `json:"lines"`
}

// Holds asks the folder of a session whether its copy counts. It must be asked before anything writes there: before the log is opened, session.json is
// written, or the session is removed.
func (r *Resting) Holds(id string, p *Proof) bool {
	path := r.cfg.Path(id)
	if r.killed { // what that daemon was writing
		_ = r.cfg.Files.Remove(filepath.Join(filepath.Dir(path), Fresh)) // mostly there is none
	}
	return p.holds(r.cfg.Files, path)
}

// holds asks the folder of a session.json.
func (p *Proof) holds(files disk.FS, path string) bool {
	if filepath.Base(p.File) != p.File {
		return false
	}
	record, err := files.Stamp(path, false)
	if err != nil || record != p.Record {
		return false
	}
	lines, err := files.Stamp(filepath.Join(filepath.Dir(path), p.File), false)
	return err == nil && lines == p.Lines
}

// proven says that a copy counts now.
func (r *Resting) proven(id string, c *Copy) bool { return c.Proof.holds(r.cfg.Files, r.cfg.Path(id)) }
