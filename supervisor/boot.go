package supervisor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"go.uber.org/zap"
)

// read finds the sessions of the data folder without reading a journal: session.json says what a list shows, and the
// journal's last index record whether it was closed in order.
func (s *state) read() error {
	entries, err := os.ReadDir(s.data.Sessions())
	if err != nil {
		return folder.Unusable(s.data.Root, err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	names := make(chan string)
	for range max(2, runtime.GOMAXPROCS(0)) { // end with names
		wg.Go(func() {
			for name := range names {
				if x, rebooted := s.readSession(name); x != nil {
					mu.Lock()
					s.join(x)
					s.rebooted[name] = rebooted
					mu.Unlock()
				}
			}
		})
	}
	for _, e := range entries {
		switch {
		case strings.HasSuffix(e.Name(), journal.RemovedSuffix): // a removal that did not finish
			if err := s.cfg.Files.RemoveAll(s.data.Session(e.Name())); err != nil {
				s.cfg.Log.Warn("remove session", zap.Error(err))
			}
		case e.IsDir() && protocol.ValidSessionID(e.Name()):
			names <- e.Name()
		}
	}
	close(names)
	wg.Wait()
	s.health.sessions.Store(int64(len(s.members)))
	return nil
}

// readSession gives what is known of a session; nil: the folder holds none. A session.json that is missing, or not ours,
// costs a look at the journal's first line.
func (s *state) readSession(id string) (x *member, rebooted bool) {
	failpoint.Hit("supervisor/midBoot")
	opt := journal.Options{FS: s.cfg.Files}
	rec, err := record.Read(s.cfg.Files, s.data.Record(id))
	var refuse error
	if record.Unread(err) {
		refuse = err
	} else {
		_ = s.cfg.Files.Remove(filepath.Join(s.data.Session(id), record.Fresh)) // of a daemon that was killed; mostly there is none
	}
	info, statErr := journal.Stat(s.data.Session(id), opt)
	usable := err == nil && rec.Summary.ID == id
	none := errors.Is(statErr, fs.ErrNotExist)
	if usable {
		rebooted = rec.Boot != "" && rec.Boot != s.boot
	} else if none && refuse == nil && !s.holds(id) {
		return nil, false // a folder that a crash left while it was made
	}
	if !usable || rec.Summary.Seq == 0 { // as it was made: its first events may not be there
		first := s.firstSummary(id, info)
		if first == nil && refuse == nil {
			if info.Records <= 1 && !s.holds(id) { // nobody was told of it: its first append, which is synced, did not come to an end
				if info.Records == 0 {
					s.removeFolder(id)
				}
				return nil, false
			}
			refuse = &journal.DamageError{
				File: filepath.Join(s.data.Session(id), "000001.ndjson"), Seq: 1, Problem: "there are no lines, and something was stored for them",
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
			s.cfg.Log.Warn("session.json cannot be used", zap.String("session", id), zap.Error(err))
			rec = record.Record{Open: true, Summary: record.Summary(*first), Boot: s.boot} // how durable it was nobody knows: as little as can be
			if rebooted = info.Modified < s.booted.UnixMilli(); rebooted {
				rec.Boot = "an earlier one"
			}
		}
	}
	unclean := statErr != nil || !info.Clean
	stale := refuse != nil || rec.Summary.ReadOnly || statErr == nil && info.Newest != rec.Summary.Seq
	if rec.Summary.Damage == nil { // what the disk took of the earlier daemon says nothing of what it takes now
		rec.Summary.ReadOnly = false
	}
	x = &member{
		summary: session.Summary(rec.Summary), open: rec.Open || unclean, refuse: refuse, least: rec.Synced,
		stale: stale,
		boot:  rec.Boot, durability: Durability(rec.Durability), incarnation: rec.Incarnation, untold: rec.Untold, endpoint: (*adapters.Endpoint)(rec.Endpoint),
	}
	return x, unclean && rebooted
}

// holds says that something was stored in a session's folder beside its journal: images of prompts, or native lines. A session that was only
// being made has none.
func (s *state) holds(id string) bool {
	for _, dir := range []string{s.data.Images(id), s.data.Raw(id)} {
		if found, err := s.cfg.Files.List(dir); len(found) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

var errEnough = errors.New("enough")

// firstSummary makes a summary of a journal's first event; nil: the journal is good, and empty.
func (s *state) firstSummary(id string, info journal.Info) (sum *session.Summary) {
	opt := journal.Options{FS: s.cfg.Files, ReadOnly: true}
	j, _, err := journal.Open(s.data.Session(id), opt, func(line []byte) error {
		e, err := protocol.Decode(line)
		if err != nil {
			return err
		}
		if p, ok := e.Payload.(*protocol.SessionStart); ok {
			sum = &session.Summary{
				ID: id, Agent: p.AgentBackend, Cwd: p.Metadata.Cwd, Title: p.Metadata.Title, Model: p.Metadata.Model, AskedModel: p.Metadata.Model,
				Labels: p.Metadata.Labels, ParentSessionID: p.Metadata.ParentSessionID, SubAgent: p.Metadata.SubAgent,
				Spawned: p.Metadata.Spawned, MCP: p.Metadata.MCP, Owner: p.Metadata.Owner, Via: p.Metadata.Via,
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
	// Not even the first line can be read: listed all the same, so that the damage is seen.
	return damagedSummary(id, info, err)
}

// damagedSummary is what a list shows of a session of which nothing can be read.
func damagedSummary(id string, info journal.Info, err error) *session.Summary {
	return &session.Summary{
		ID: id, Created: at(info.Time), Updated: at(info.Time), Epoch: max(1, info.Epoch), ReadOnly: true, Damage: session.DamageOf(err),
	}
}

// recoverTogether is how many journals are read at once after a start: each holds a thread and some files.
const recoverTogether = 8

// recoverOpen starts the actors of the sessions that were at work when the earlier daemon ended, or that have prompts
// waiting: what is open is closed, agents are resumed. Whoever asks for one of the others meanwhile gets it at once.
func (s *state) recoverOpen() {
	for id, x := range s.members {
		if x.open || x.stale || x.untold || s.orphaned(x) || x.summary.Status.QueuedPrompts > 0 && !x.summary.Status.State.Ended() {
			s.waiting = append(s.waiting, id)
		}
	}
	if n := len(s.waiting); n > 0 {
		s.cfg.Log.Info("recovering sessions", zap.Int("count", n))
	}
	s.recoverNext()
}

func (s *state) recoverNext() {
	for s.opening < recoverTogether && len(s.waiting) > 0 && !s.draining {
		id := s.waiting[0]
		s.waiting = s.waiting[1:]
		if x := s.members[id]; x != nil && x.pid == nil && (x.open || x.stale || x.untold || s.orphaned(x) || x.summary.Status.QueuedPrompts > 0) {
			failpoint.Hit("supervisor/midRecover")
			x.opening = true
			s.opening++
			s.activate(x)
			if s.orphaned(x) { // the earlier daemon did not come to it
				s.endChild(x)
			}
		}
	}
}

// recovered goes on with the next session, once the journal of this one was read.
func (s *state) recovered(x *member) {
	if x.opening {
		x.opening = false
		s.opening--
		s.recoverNext()
	}
}

func at(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
