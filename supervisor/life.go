package supervisor

import (
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/checkout"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
)

// opening opens a session's journal and replays it. It runs in the goroutine of the session's actor.
type opening func(session.Replay) (store.Writer, store.Recovery, error)

// make starts the actor of a new session. The actor makes the session's folder once the key is on the disk: so a session that exists has its key,
// whenever the daemon is killed.
func (s *state) make(e core.Make) {
	bound := make(chan error, 1)
	s.keys.bind(e.Key, e.ID, false, func(err error) { bound <- err })
	id, logs, self := e.ID, s.cfg.Store, s.self
	open := func(session.Replay) (j store.Writer, rec store.Recovery, err error) {
		if err = <-bound; err == nil {
			failpoint.Hit("supervisor/afterKeyBound")
			j, err = logs.Create(id)
		}
		if err != nil {
			self.Send(&unmade{id, err})
			return nil, rec, errors.Join(session.ErrUnmade, err)
		}
		failpoint.Hit("supervisor/afterJournalCreated")
		self.Send(&opened{id, false})
		return j, rec, nil
	}
	// The session's own actor looks up what is checked out in its folder, whose disk may be slow.
	begin, roots := e.Begin, s.roots.All()
	s.spawn(e.ID, e.Life, begin.Agent, open, func(store.Recovery) session.Input {
		head := checkout.Of(begin.Metadata.Cwd, roots)
		begin.Metadata.GitBranch, begin.Metadata.GitCommit = head.Branch, head.Commit
		return &begin
	})
}

// wake starts the actor of a session from its journal.
func (s *state) wake(e core.Wake) {
	if e.Left {
		failpoint.Hit("supervisor/midRecover")
	}
	h := s.homes.of(e.ID)
	id, refuse, recorder, self, torn, syncer := e.ID, h.refuse, s.recorder, s.self, &s.health.tornBytes, s.syncer
	snapshot := trim.Reader(s.cfg.Files, s.data.Session(id))
	how, logs := store.Opening{PowerLoss: e.PowerLoss, ReadOnly: refuse != nil, Least: e.Least}, s.cfg.Store
	open := func(replay session.Replay) (store.Writer, store.Recovery, error) {
		if e.Safely {
			_ = recorder.Wait(id) // a disk that refuses it refuses the journal too
		}
		if refuse == nil {
			recorder.Withdraw(id)
		}
		begun := trim.Begin(snapshot, replay)
		if !e.Whole {
			if c, ok := recorder.Checkpoint(id); ok && replay.Load(c.State) == nil {
				how.From, how.Behind = c.Place, replay.Use
			}
		}
		j, rec, err := openWhole(syncer, logs, id, how, replay.Visit)
		j, err = begun.Judge(j, &rec, err)
		if refuse != nil {
			err = errors.Join(refuse, err)
		}
		if e.PowerLoss && !session.Damaged(err) { // it may tell of events that are gone; a folder that is damaged is left as it is
			recorder.ForgetCheckpoint(id)
		}
		torn.Add(uint64(max(0, rec.TornBytes)))
		self.Send(&opened{id, session.Damaged(err)})
		return j, rec, err
	}
	if e.Rejoin { // the agent still runs: only the actor was lost
		adapter := h.link.ref
		s.spawn(id, e.Life, e.Agent, open, func(rec store.Recovery) session.Input {
			r := &session.Rejoin{Incarnation: e.Recover.Incarnation, Adapter: adapter, Quarantine: e.Poisoned}
			if rec.Last.Incarnation == r.Incarnation {
				r.Batch = rec.Last.Batch
			}
			return r
		})
		return
	}
	s.spawn(id, e.Life, e.Agent, open, func(rec store.Recovery) session.Input {
		in := e.Recover
		in.Incarnation = max(in.Incarnation, rec.Last.Incarnation)
		// With DurableAlways, events that were not synced had not been shown.
		if lost := rec.Lost > 0 || e.PowerLoss; lost && !(e.PowerLoss && e.Always) {
			in.Epoch = rec.Epoch + 1
		}
		return &in
	})
}

// spawn starts the actor of a session. The agent may be one that this daemon does not have.
func (s *state) spawn(id string, life uint64, agent string, open opening, first func(store.Recovery) session.Input) {
	h := s.homes.of(id)
	h.head = new(session.Head)
	var capabilities adapters.Capabilities
	var lost protocol.TurnStatus
	a := s.agents[agent]
	if a != nil {
		capabilities = a.Capabilities()
		lost = adapters.LostTurn(a)
	}
	h.life = life
	h.pid = s.ctx.Spawn(session.Props(session.Config{
		ID: id, Host: s.host, Open: open, First: first,
		Limits: session.Limits{
			Tokens: s.cfg.Tokens,
			Queue:  s.cfg.MaxQueue, Restarts: s.cfg.MaxRestarts, Remembered: 10_000, Resumable: capabilities.Resume, Restartable: a != nil,
			StopGrace: s.cfg.StopGrace, StallAfter: s.cfg.StallAfter, Capabilities: capabilities,
			LostTurn: lost, MaxText: s.cfg.MaxText,
		},
		RingBytes: s.cfg.RingBytes, Head: h.head, Gauges: &s.health.gauges, CheckpointBytes: s.cfg.CheckpointBytes,
		LogBytes: s.cfg.LogLimit, Snapshot: trim.Reader(s.cfg.Files, s.data.Session(id)),
		SyncFirst: s.cfg.Durability == DurableAlways, Now: s.cfg.Now, Log: s.cfg.Log,
	}))
	h.ref = ask.NewRef[session.Message](s.ctx.ActorSystem().Root, h.pid)
	s.children[h.pid.Id] = child{session: id, life: life}
	s.health.live.Add(1)
}
