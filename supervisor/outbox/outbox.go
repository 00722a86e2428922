package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/shipper"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
	"go.uber.org/zap"
)

// Sessions is what the outbox asks a running supervisor for.
type Sessions interface {
	// Known is a session's entry of the directory.
	Known(id string) (e directory.Entry, ok bool)
	Roster() *roster.Roster
	// Find gives a session's actor, which it starts where there is none.
	Find(ctx context.Context, id string) (session.Ref, error)
	// Logs is where the sessions' logs are; nil: they cannot be carried.
	Logs() store.Carrier
	// Instance is the data folder's name.
	Instance() string
}

// Config is what an Outbox works with.
type Config struct {
	Root    string  // the data folder
	Files   disk.FS // nil: the system's
	Connect func(ctx context.Context) (core.Core, error)
	// Place says in which of the node's workspaces a session is, by its folder and its agent, and where it may go on; nil: each is the node's alone.
	Place func(cwd, agent string) (workspace string, may core.Failover)
	// Fenced is told of a session that is not this node's any more, as of which Core has given the position; nil: nobody is. It must not wait.
	Fenced func(core.Position)
	Log    *zap.Logger
}

// Outbox is the way from a daemon's sessions to Core. What it is told before Begin waits. A nil one is where there is no Core: it is told and does nothing.
type Outbox struct {
	*shipper.Shipper
	cfg      Config
	sessions atomic.Pointer[Sessions]
	retired  *retired
	left     atomic.Pointer[func(id string)]                   // OnRetired
	moving   atomic.Pointer[func() (works bool, moved uint64)] // nil: this node moves none
}

// New makes one.
func New(cfg Config) *Outbox {
	if cfg.Files == nil {
		cfg.Files = disk.OS()
	}
	o := &Outbox{cfg: cfg, retired: readRetired(cfg.Root, cfg.Files, cfg.Log)}
	o.Shipper = shipper.New(shipper.Config{
		Connect: cfg.Connect, Record: o.record, Sessions: o.all, Find: o.find, Removed: o.removed, Moves: o.moves, Fenced: cfg.Fenced, Log: cfg.Log,
	})
	return o
}

// Begin has the outbox carry what the sessions of a supervisor show. It is called once, when the supervisor knows which sessions there are.
func (o *Outbox) Begin(s Sessions) {
	o.sessions.Store(&s)
	left, err := o.cfg.Files.List(o.folder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		o.cfg.Log.Error("which sessions Core is still to remove cannot be read", zap.Error(err))
	}
	for _, e := range left {
		o.Removed(e.Name)
	}
	o.Shipper.Begin(s.Instance())
}

// Shown says that a session's log is shown up to an event; works: that the session is at work behind it.
func (o *Outbox) Shown(id string, log store.Log, seq uint64, works bool) {
	if o != nil {
		o.Shipper.Shown(id, log, seq, works)
	}
}

// Lacks says that Core may not have a session's log up to an event.
func (o *Outbox) Lacks(id string, seq uint64) bool { return o != nil && !o.Has(id, seq) }

// Keeps says that Core may not have what is to be dropped of a session's log. The session is told.
func (o *Outbox) Keeps(id string, t *session.Trim) bool {
	if !o.Lacks(id, t.UpTo) {
		return false
	}
	t.To.Send(&session.Trimmed{Seq: t.UpTo, Err: errUnsent})
	return true
}

// errUnsent is told where the oldest events of a log stay for longer.
var errUnsent = errors.New("they are not in Core yet, and stay until they are")

// Stands tells how far it is; nil: there is no Core.
func (o *Outbox) Stands() *shipper.State {
	if o == nil {
		return nil
	}
	s := o.State()
	if moves := o.moving.Load(); moves != nil {
		s.Objects = new(shipper.Objects)
		s.Objects.Works, s.Objects.Moved = (*moves)()
	}
	return &s
}

// Moving has Stands tell how events move into the object store.
func (o *Outbox) Moving(stands func() (works bool, moved uint64)) { o.moving.Store(&stands) }

// Told says that what is told of a session has changed. The record is not changed any more.
func (o *Outbox) Told(id string, r *record.Record) {
	if o == nil {
		return
	}
	o.Shipper.Told(id, func() core.Record { return o.convert(r) })
}

// Removing says that a session's folder is about to go, for good. It waits for the disk.
func (o *Outbox) Removing(id string) {
	if o == nil {
		return
	}
	failpoint.Hit("outbox/beforeRemoving")
	if err := o.note(id); err != nil { // it is removed all the same: deleting must work on a full disk
		o.cfg.Log.Error("Core may keep a session that was removed, where the daemon ends before it could tell", zap.String("session", id), zap.Error(err))
	}
	o.Removed(id)
}

// Moved says that a session is another node's from now on: nothing of it is sent any more, and Core keeps it.
func (o *Outbox) Moved(id string) {
	if o != nil {
		o.Forget(id)
	}
}

// moves says that a session may go on at another node while this one is alive.
func (o *Outbox) moves(id string) bool {
	e, ok := o.running().Known(id)
	found := o.running().Roster().Find(id)
	if !ok || found == nil {
		return false
	}
	_, may := o.place(e.Cwd, found.About().Agent, e.Attached)
	return may == core.FailoverAuto
}

// place says where a session's files are, and where it may go on. An agent that somebody else runs is where it is.
func (o *Outbox) place(cwd, agent string, attached bool) (workspace string, may core.Failover) {
	if o.cfg.Place != nil && !attached {
		workspace, may = o.cfg.Place(cwd, agent)
	}
	if workspace == "" {
		return "node:" + o.running().Instance(), core.FailoverStay
	}
	return workspace, may
}

func (o *Outbox) folder() string { return filepath.Join(o.cfg.Root, "unsent") }

func (o *Outbox) note(id string) error {
	if err := o.cfg.Files.Mkdir(o.folder()); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := o.cfg.Files.Create(filepath.Join(o.folder(), id))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), o.cfg.Files.SyncDir(o.folder()))
}

func (o *Outbox) removed(id string) {
	if err := o.cfg.Files.Remove(filepath.Join(o.folder(), id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		o.cfg.Log.Warn("forget that Core is to remove a session", zap.String("session", id), zap.Error(err))
	}
}

// running is the supervisor's side.
func (o *Outbox) running() Sessions { return *o.sessions.Load() }

// all goes through the sessions that are there.
func (o *Outbox) all() iter.Seq2[string, protocol.Cursor] {
	return func(yield func(string, protocol.Cursor) bool) {
		found, _, _ := o.running().Roster().Since(0)
		for _, s := range found {
			if !s.Away && !yield(s.ID, s.Cursor()) {
				return
			}
		}
	}
}

// find gives the log of a session at rest. One that was not closed in order is taken up, as a reader would have it: then it shows itself.
func (o *Outbox) find(ctx context.Context, id string) (shipper.Log, uint64, error) {
	s := o.running()
	e, ok := s.Known(id)
	if !ok || e.Ref.Valid() || s.Logs() == nil {
		return nil, 0, nil
	}
	info, err := s.Logs().Stat(id)
	if err != nil {
		return nil, 0, err
	}
	if !info.Clean {
		_, err := s.Find(ctx, id)
		return nil, 0, err
	}
	log, err := s.Logs().Look(id)
	if err != nil {
		return nil, 0, err
	}
	_, newest := log.Bounds()
	return log, newest, nil
}

// record reads what is told of a session that has told nothing since the daemon's start.
func (o *Outbox) record(id string) (core.Record, bool) {
	r, err := record.Read(o.cfg.Files, folder.Data{Root: o.cfg.Root}.Record(id))
	if err != nil {
		return core.Record{}, false
	}
	return o.convert(&r), true
}

func (o *Outbox) convert(r *record.Record) core.Record {
	s := r.Summary
	kept := *r
	if r.Endpoint != nil { // its password stays here
		kept.Endpoint = &record.Endpoint{URL: r.Endpoint.URL, Username: r.Endpoint.Username}
	}
	told, err := json.Marshal(kept)
	if err != nil {
		o.cfg.Log.Error("what is told of a session cannot be written", zap.String("session", s.ID), zap.Error(err))
	}
	workspace, may := o.place(s.Cwd, s.Agent, r.Endpoint != nil)
	return core.Record{
		Session: s.ID, Root: o.root(s), Parent: s.ParentSessionID, Agent: s.Agent, Owner: s.Owner, State: string(works(&s.Status)),
		Workspace: workspace, Failover: may, Created: s.Created, Updated: s.Updated, Labels: s.Labels, Told: told,
	}
}

// works is the state by which other nodes know a session that is at work: one of which a prompt waits is.
func works(s *protocol.Status) protocol.State {
	if s.QueuedPrompts > 0 && s.State == protocol.StateIdle {
		return protocol.StateQueued
	}
	return s.State
}

// root is the session at the top of a family, as far as this daemon has it.
func (o *Outbox) root(s *record.Summary) string {
	root, parent := s.ID, s.ParentSessionID
	for range maxDepth {
		if parent == "" {
			break
		}
		root = parent
		e, _ := o.running().Known(parent)
		parent = e.Parent
	}
	return root
}

// maxDepth ends the way up of a family whose records contradict each other.
const maxDepth = 64
