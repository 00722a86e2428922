package supervisor

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/launching"
	"go.uber.org/zap"
)

// home has the references, timers and handles of one session: the shell's side of a core member.
type home struct {
	pid     *actor.PID // nil: passive
	ref     session.Ref
	life    uint64          // core.Make and core.Wake
	head    *session.Head   // of the actor; nil: there was none yet
	link    *link           // the newest adapter; nil: none
	starter *time.Timer     // the delay of a start
	turn    *launching.Turn // of the agent that is being launched; nil: none is
	revoke  func()          // of the token that the process has; nil: it has none
	given   string          // name of the MCP server that the newest process has; empty: none
	archive *raw.Archive    // nil: no agent has run in this daemon's life
	refuse  error           // as found at boot, the reason to leave its files as they are: a *store.VersionError or a *store.DamageError
}

// link is a running adapter.
type link struct {
	pid  *actor.PID
	conn adapters.Conn
	ref  session.AdapterRef
}

// child is an actor below the supervisor.
type child struct {
	session     string
	life        uint64 // of the session's own actor
	incarnation uint32 // of its agent; 0: it is the session's own
}

func (h *home) revokeToken() {
	if h.revoke != nil {
		h.revoke()
		h.revoke = nil
	}
}

// stopWaiting has no agent come that is not being started yet: one whose delay runs, or that waits for its turn.
func (h *home) stopWaiting() {
	if h.starter != nil {
		h.starter.Stop()
		h.starter = nil
	}
	h.launched()
}

// launched frees what an agent was given to wait with.
func (h *home) launched() {
	if h.turn != nil {
		h.turn.GiveUp()
		h.turn = nil
	}
}

// closeArchive writes the lines that wait and closes the archive.
func (h *home) closeArchive() {
	if h.archive != nil {
		h.archive.Close()
		h.archive = nil
	}
}

// archiveLinger is how long few native lines wait for more before they are written: kill -9 takes them, and the archive then says that lines are
// missing (the log misses nothing).
const archiveLinger = 250 * time.Millisecond

// record gives the recorder of an agent's connection; nil: native lines are not kept. A session has one archive for the life of
// this daemon, whichever of its agents' connections runs or is still ending.
func (h *home) record(m *launched, data folder.Data, cfg *Config, counters *raw.Counters) *raw.Recorder {
	if cfg.RawLimit < 0 {
		return nil
	}
	if h.archive == nil {
		h.archive = newArchive(m.id, data, cfg, counters)
	}
	b := raw.Beginning{
		Cwd: m.spec.Cwd, Version: m.spec.Version, NativeSessionID: m.spec.NativeSessionID, Model: m.spec.Model, Mode: m.spec.Mode,
		Resume: m.spec.Resume, Child: m.spec.Child, MaxText: m.spec.MaxText,
	}
	if m.spec.MCP != nil {
		b.MCPServer = m.spec.MCP.Name
	}
	return h.archive.Record(m.effect.Incarnation, b)
}

// newArchive makes the archive of a session, of which there is one.
func newArchive(id string, data folder.Data, cfg *Config, counters *raw.Counters) *raw.Archive {
	log := cfg.Log
	settled := func() {
		if cfg.Native != nil {
			cfg.Native(id)
		}
	}
	return raw.New(data.Raw(id), raw.Options{
		FS: cfg.Files, Limit: max(0, cfg.RawLimit), Linger: archiveLinger, Now: cfg.Now, Counters: counters,
		Failed: func(err error) {
			log.Warn("native lines are not kept", zap.String("session", id), zap.Error(err))
		},
		Settled: settled,
	})
}

// homes are those of the sessions by id.
type homes map[string]*home

// of gives a session's home, made where there was none.
func (all homes) of(id string) *home {
	h := all[id]
	if h == nil {
		h = new(home)
		all[id] = h
	}
	return h
}

// refresh gives a summary, which is told with changes of state only, with the newest event.
func (all homes) refresh(sum *session.Summary) *session.Summary {
	if h := all[sum.ID]; h != nil {
		return h.head.Refresh(sum)
	}
	return sum
}

// unclaimed says that a sub-agent's connection waits for its session.
func (all homes) unclaimed(parent, native string) bool {
	h := all[parent]
	if h == nil || h.link == nil {
		return false
	}
	f, ok := h.link.conn.(connection.Family)
	return ok && f.Unclaimed(native)
}

// child gives a sub-agent's connection, which its parent's carries; nil: there is none.
func (all homes) child(parent, native string) adapters.Conn {
	if h := all[parent]; h != nil && h.link != nil {
		if p, is := h.link.conn.(adapters.Parent); is {
			if conn, ok := p.Child(native); ok {
				return conn
			}
		}
	}
	return nil
}
