// Package finding reads the sessions that an earlier daemon left in the data folder, without reading their journals, and one that came from elsewhere.
package finding

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"go.uber.org/zap"
)

// Config is what a Reader works with.
type Config struct {
	Data   folder.Data
	Files  disk.FS
	Store  store.Store
	Log    *zap.Logger
	Boot   string
	Booted time.Time    // of the machine; zero: not known
	Lock   *folder.Lock // nil: logs are elsewhere, and no copies of records count
}

// Reader reads sessions from the data folder.
type Reader struct {
	Config
	Resting *record.Resting // made by Read, as IDs and Copies
	IDs     []string        // sessions
	Copies  []record.Copy   // of them

	mu      sync.Mutex       // guards the rest
	refused map[string]error // sessions whose files are left as they are, and why: a *store.VersionError or a *store.DamageError
}

// New makes one.
func New(cfg Config) *Reader { return &Reader{Config: cfg, refused: map[string]error{}} }

// Read finds the sessions of the data folder without reading a journal. Of those at rest a copy of their session.json tells (record.Resting), and their
// folders are asked later (prover). Of others
// session.json says what a list shows, and the journal's last index record whether it was closed in order.
func (s *Reader) Read() ([]core.Found, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	s.IDs, s.Copies = names, make([]record.Copy, len(names))
	if s.Lock != nil && s.Lock.Was != nil && s.Lock.Is != nil {
		s.Resting, s.Copies = record.OpenResting(record.RestingConfig{
			Dir: s.Data.Root, Path: s.Data.Record, Files: s.Files, Log: s.Log, Boot: s.Boot, Was: disk.StampOf(s.Lock.Was), Lock: disk.StampOf(s.Lock.Is),
			Lines: func(id string) (string, error) { return journal.Newest(s.Files, s.Data.Session(id)) },
		}, names)
	}
	if failpoint.On {
		s.check()
	}
	all := make([]core.Found, 0, len(names))
	unknown := make(chan string)
	var wg sync.WaitGroup
	for range record.Abreast { // end with unknown
		wg.Go(func() {
			for name := range unknown {
				if x, ok := s.Session(name); ok {
					s.mu.Lock()
					all = append(all, x)
					s.mu.Unlock()
				}
			}
		})
	}
	for i, c := range s.Copies {
		if c.Record == nil {
			unknown <- names[i]
		}
	}
	close(unknown)
	wg.Wait()
	for _, c := range s.Copies {
		if c.Record != nil {
			x := foundOf(c.Record)
			x.Rests, x.Copied = true, true
			all = append(all, x)
		}
	}
	return all, nil
}

// Refusal is why a session's files are left as they are; nil: they are not.
func (s *Reader) Refusal(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[id]
}

// refuse notes why a session's files are left as they are, now; nil: they are not. Another node may have had it since they were.
func (s *Reader) refuse(id string, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why == nil {
		delete(s.refused, id)
		return
	}
	s.refused[id] = why
}

// check ends the process where a copy counts and does not say what the session's own folder does.
func (s *Reader) check() {
	alone := s.Config
	alone.Lock = nil
	plain := New(alone)
	for i, c := range s.Copies {
		if c.Record == nil || !s.Resting.Holds(s.IDs[i], &c.Proof) {
			continue
		}
		is, ok := plain.Session(s.IDs[i])
		said := foundOf(c.Record)
		if said.Rests = true; !ok || !reflect.DeepEqual(said, is) {
			panic("the copy of a session at rest is wrong: " + s.IDs[i])
		}
	}
}

// names are the folders of sessions. What is left of removals, and of adoptions that did not come to their end, goes; what was set aside stays.
func (s *Reader) names() (names []string, err error) {
	entries, err := os.ReadDir(s.Data.Sessions())
	if err != nil {
		return nil, folder.Unusable(s.Data.Root, err)
	}
	for _, e := range entries {
		switch {
		case strings.HasSuffix(e.Name(), journal.RemovedSuffix), strings.HasSuffix(e.Name(), journal.AdoptingSuffix):
			if err := s.Files.RemoveAll(s.Data.Session(e.Name())); err != nil {
				s.Log.Warn("remove what is left of a session", zap.Error(err))
			}
		case e.IsDir() && protocol.ValidSessionID(e.Name()):
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// foundOf makes of a record what it says by itself.
func foundOf(rec *record.Record) core.Found {
	return core.Found{
		Summary: (*session.Summary)(rec.Summary), Open: rec.Open, Synced: rec.Synced, Boot: rec.Boot, Durability: core.Durability(rec.Durability),
		Incarnation: rec.Incarnation, Untold: rec.Untold, Endpoint: (*adapters.Endpoint)(rec.Endpoint), Came: rec.Came, Past: rec.Past,
	}
}

// Session reads what is known of a session; false: the folder holds none. Where session.json is missing, or of another build, the
// journal's first line is read instead.
func (s *Reader) Session(id string) (x core.Found, ok bool) {
	failpoint.Hit("finding/midBoot")
	stamp, stampErr := s.Files.Stamp(s.Data.Record(id), false) // before it is read
	rec, err := record.Read(s.Files, s.Data.Record(id))
	var refuse error
	defer func() { s.refuse(id, refuse) }()
	if record.Unread(err) {
		refuse = err
	} else {
		_ = s.Files.Remove(filepath.Join(s.Data.Session(id), record.Fresh)) // of a daemon that was killed; mostly there is none
	}
	info, statErr := s.Store.Stat(id)
	rebooted, usable := false, err == nil && rec.Summary.ID == id
	none := errors.Is(statErr, fs.ErrNotExist)
	if usable {
		rebooted = rec.Boot != "" && rec.Boot != s.Boot
	} else if none && refuse == nil && !s.holds(id) { // a crash interrupted the making of the folder
		if errors.Is(err, fs.ErrNotExist) { // nothing was ever stored: it would be listed nowhere, and nobody could remove it
			RemoveLog(s.Store, s.Log, id)
		}
		return x, false
	}
	if !usable || rec.Summary.Seq == 0 { // written while the session was made: its first events may not be in the journal
		first := s.firstSummary(id, info)
		if first == nil && refuse == nil {
			if info.Records <= 1 && !s.holds(id) { // nobody was told of it: its first append, which is synced, did not come to an end
				RemoveLog(s.Store, s.Log, id)
				return x, false
			}
			refuse = &store.DamageError{
				File: filepath.Join(s.Data.Session(id), "000001.ndjson"), Seq: 1, Problem: "there are no lines, and something was stored for them",
				Hint: "restore the folder from a backup, or delete the session",
			}
		}
		switch {
		case first == nil:
			first = damagedSummary(id, info, refuse)
		case refuse != nil:
			first.ReadOnly, first.Damage = true, session.DamageOf(refuse)
		}
		if !usable {
			s.Log.Warn("session.json cannot be used", zap.String("session", id), zap.Error(err))
			rec = record.Record{Open: true, Summary: (*record.Summary)(first), Boot: s.Boot} // its durability is not known, and counts as the least
			if rebooted = info.Modified < s.Booted.UnixMilli(); rebooted {
				rec.Boot = "an earlier one"
			}
		}
	}
	unclean := statErr != nil || !info.Clean
	stale := refuse != nil || rec.Summary.ReadOnly || statErr == nil && info.Newest != rec.Summary.Seq
	if rec.Summary.Damage == nil { // a disk that refused writes of the earlier daemon may take them now
		rec.Summary.ReadOnly = false
	}
	rec.Share()
	x = foundOf(&rec)
	x.Open, x.Unread, x.Stale, x.Rebooted = rec.Open || unclean, record.Unread(refuse), stale, unclean && rebooted
	x.Rests = usable && !x.Open && !stale && refuse == nil && rec.Summary.Damage == nil && rec.Summary.Seq > 0
	if x.Rests && stampErr == nil {
		s.Resting.Found(&rec, stamp)
	}
	return x, true
}

// holds says that a session's folder has images of prompts or native lines beside the journal. A session whose making was interrupted
// has none.
func (s *Reader) holds(id string) bool {
	for _, dir := range []string{s.Data.Images(id), s.Data.Raw(id)} {
		if found, err := s.Files.List(dir); len(found) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

var errEnough = errors.New("enough")

// firstSummary makes a summary of a journal's first event; nil: the journal is good, and empty.
func (s *Reader) firstSummary(id string, info store.Info) (sum *session.Summary) {
	j, _, err := s.Store.Open(id, store.Opening{ReadOnly: true}, func(line []byte) error {
		e, err := protocol.Decode(line)
		if err != nil {
			return err
		}
		if p, ok := e.Payload.(*protocol.SessionStart); ok {
			sum = &session.Summary{
				ID: id, Agent: p.AgentBackend, Cwd: p.Metadata.Cwd, Title: p.Metadata.Title, Model: p.Metadata.Model, AskedModel: p.Metadata.Model,
				Labels: p.Metadata.Labels, ParentSessionID: p.Metadata.ParentSessionID, SubAgent: p.Metadata.SubAgent,
				Spawned: p.Metadata.Spawned, MCP: p.Metadata.MCP, Owner: p.Metadata.Owner, Via: p.Metadata.Via, Budget: p.Metadata.Budget,
				Created: at(e.Time), Updated: at(max(e.Time, info.Time)), Epoch: max(1, info.Epoch),
			}
		}
		return errEnough
	})
	if j != nil {
		err = errors.Join(err, j.Close())
	}
	switch {
	case sum != nil:
		return sum
	case err == nil:
		return nil
	}
	// Not even the first line can be read. The session is listed all the same, so that its user sees the damage.
	return damagedSummary(id, info, err)
}

// damagedSummary is the summary of a session of which nothing can be read.
func damagedSummary(id string, info store.Info, err error) *session.Summary {
	return &session.Summary{
		ID: id, Created: at(info.Time), Updated: at(info.Time), Epoch: max(1, info.Epoch), ReadOnly: true, Damage: session.DamageOf(err),
	}
}

func at(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// Refused are the sessions whose files are left as they are, and why; Read has come to its end.
func (s *Reader) Refused() map[string]error { return s.refused }

// RemoveLog removes a session's log with all that is kept beside it, and says whether it did; the daemon's own log has the reason where it did not.
func RemoveLog(from store.Store, log *zap.Logger, id string) (removed bool) {
	err := from.Remove(id)
	if err != nil {
		log.Error("remove session", zap.String("session", id), zap.Error(err))
	}
	return err == nil
}
