package supervisor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
	"github.com/ringmaster-agents/ringmaster/actors/vault"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/finding"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
	"github.com/ringmaster-agents/ringmaster/supervisor/keyring"
	"github.com/ringmaster-agents/ringmaster/supervisor/launching"
	"github.com/ringmaster-agents/ringmaster/supervisor/listing"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/proofs"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
	"github.com/ringmaster-agents/ringmaster/supervisor/tally"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

// state is the supervisor actor: it turns messages into inputs of the core, and carries out what the core decides.
type state struct {
	cfg        Config
	roots      *workdir.Roots
	data       folder.Data
	lock       *folder.Lock
	instance   string
	health     *health
	recorder   *record.Recorder
	resting    *record.Resting // nil: none is kept
	trimmer    *trim.Trimmer
	rested     sync.WaitGroup // the look for logs at rest that are too large
	prover     *proofs.Prover
	keys       *keys
	books      *books
	syncer     *groupsync.Syncer
	launcher   *launching.Launcher
	vault      *vault.Vault
	shown      shown
	agents     map[string]adapters.Agent
	closed     chan struct{}
	endWorkers func() // no goroutine of an actor waits for work any more

	core     *core.State
	homes    homes
	children map[string]child // by the id of their pid
	owed     tickets

	ctx      actor.Context
	self     Ref
	host     *host
	life     context.Context // ends with draining
	endLife  context.CancelFunc
	sweeper  *time.Timer
	retainer retainer
	looker   *time.Timer // of the newest LookAtBudgets; nil: there was none
	deadline *time.Timer // of the drain

	at      Message     // the message that is being taken
	ticket  core.Ticket // of it; 0: nobody waits
	arrived *launched   // the agent whose arrival is being decided about; attach takes its connection
	next    []Message   // to be taken before any other
}

// Start locks the data folder, reads which sessions there are, recovers those that an earlier daemon left at work, and
// returns when the supervisor answers. A second daemon on the same folder gets a *protocol.Problem with CodeConflict.
func Start(ctx context.Context, cfg Config) (*Supervisor, error) {
	cfg = cfg.withDefaults()
	folders, err := workdir.ResolveRoots(cfg.Roots)
	if err != nil {
		return nil, err
	}
	data := folder.Data{Root: cfg.Data}
	lock, err := data.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	instance, err := data.Instance()
	if err == nil && cfg.Locked != nil {
		err = cfg.Locked()
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	started := time.Now()
	h := &health{unknown: map[string]uint64{}, pace: pace.New(func() time.Duration { return time.Since(started) })}
	if cfg.LogLimit > 0 {
		cfg.LogLimit = failpoint.Size("session/log", cfg.LogLimit)
	}
	syncing := groupsync.Config{Failed: &h.writeErrors, Apart: cfg.SyncApart, Limit: cfg.SyncShared}
	if cfg.Store == nil {
		syncing.Store = journal.In(data.Session, journal.Options{
			FS: cfg.Files, Share: cfg.Durability == DurableInterval, SegmentBytes: trim.SegmentBytes(cfg.LogLimit),
		})
		syncing.Folder = tails.In(data.Tails(), cfg.Files)
		cfg.Store = syncing.Store
	} else {
		cfg.Store = &apart{cfg.Store, data, cfg.Files}
	}
	syncer, err := openSyncer(syncing, data, cfg.Log)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s := &state{
		cfg: cfg, roots: workdir.NewRoots(folders), data: data, lock: lock, instance: instance, health: h,
		syncer: syncer, closed: make(chan struct{}),
		shown: shown{new(directory.Directory), roster.New()}, homes: homes{}, children: map[string]child{}, owed: tickets{open: map[core.Ticket]Message{}},
		agents: map[string]adapters.Agent{}, retainer: retainer{Audit: retention.NewAudit(cfg.Log), yard: retention.Yard{Data: data, Files: cfg.Files}},
	}
	s.vault = vault.New(cfg.Data)
	s.launcher = launching.New(launching.Config{
		Pool:      connection.New(connection.Config{Marker: instance + "/connection", Log: cfg.Log, Now: cfg.Now, Pace: h.pace}),
		Transport: cfg.Transport, Tokens: cfg.Tokens, Log: cfg.Log,
	})
	s.life, s.endLife = context.WithCancel(context.Background())
	for _, a := range cfg.Agents {
		s.agents[a.Name()] = a
	}
	failpoint.Hit("supervisor/beforeReap")
	if cfg.Reap != nil {
		if pids := cfg.Reap(instance + "/"); len(pids) > 0 {
			cfg.Log.Info("ended processes that an earlier daemon left", zap.Int("count", len(pids)))
		}
	}
	left := finding.New(finding.Config{
		Data: data, Files: cfg.Files, Store: cfg.Store, Log: cfg.Log, Boot: folder.BootID(), Booted: folder.BootTime(cfg.Now()),
	})
	if syncing.Folder != nil { // the logs are in the folder, where nobody but a daemon writes to them
		left.Lock = lock
	}
	found, err := left.Read()
	past, pastErr := tally.Read(data.Root, cfg.Files)
	if err = errors.Join(err, pastErr); err != nil {
		left.Resting.Close(false)
		s.syncer.Close()
		return nil, errors.Join(err, lock.Close())
	}
	s.resting = left.Resting
	s.trimmer = trim.New(data.Session, cfg.Files)
	s.recorder = record.NewRecorder(data.Record, cfg.Files, s.resting, cfg.Log)
	ids := left.IDs
	s.prover = prover(left, func(m Message) { s.self.Send(m) })
	s.begin(left, found, past)
	s.books = &books{tally.New(data.Root, cfg.Files, s.core.Kept()), cfg.Log}
	s.keys = &keys{keyring.New(data.Root, cfg.Files, s.core.Has), cfg.Log}
	system, endWorkers := newSystem(cfg.Log)
	s.endWorkers = endWorkers
	ask.AnswerDeadLetters(system, func(m any) {
		h.deadLetters.Add(1)
		cfg.Log.Warn("message reached nobody", zap.String("type", fmt.Sprintf("%T", m))) // only its type: it may hold a prompt
	})
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return s },
		actor.WithMailbox(mailbox.New), actor.WithSupervisor(stopAlways)))
	sup := &Supervisor{
		roots: s.roots, directory: s.shown.directory, lists: listing.New(s.shown.roster),
		ref: ask.NewRef[Message](system.Root, pid), system: system, pid: pid, data: data, health: h,
		recorder: s.recorder, syncer: s.syncer, closed: s.closed, files: cfg.Files, store: cfg.Store, agents: s.agents, env: cfg.Env,
		archives: cfg.RawLimit >= 0, tokens: cfg.Tokens, finding: left,
		Side: outbox.Side{Name: instance, Store: cfg.Store, Outbox: cfg.Outbox, List: s.shown.roster},
	}
	sup.retention = &Retention{sup.ref, cfg.Keep, s.retainer.yard, s.retainer.Audit, cfg.Now}
	if _, err = sup.List(ctx, Query{Limit: 1}); err != nil {
		return nil, errors.Join(err, sup.Close(context.WithoutCancel(ctx)))
	}
	if cfg.LogLimit > 0 {
		rested := trim.Of(cfg.Store, cfg.LogLimit, func(id string) bool { e, _ := sup.Known(id); return e.Ref.Valid() }, sup.Find)
		s.rested.Go(func() { s.trimmer.Rest(s.life, ids, rested) }) // ends with the drain
	}
	return sup, nil
}

// stopAlways: a failed child is never resumed or restarted by the engine; terminated decides.
var stopAlways = actor.NewOneForOneStrategy(0, 0, func(any) actor.Directive { return actor.StopDirective })

func (c Config) withDefaults() Config {
	or := func(p *int, n int) {
		if *p <= 0 {
			*p = n
		}
	}
	or(&c.MaxSessions, 1000)
	or(&c.MaxChildren, 64)
	or(&c.SpawnDepth, 3)
	or(&c.SpawnLimit, 32)
	or(&c.MaxQueue, 100)
	or(&c.MaxRestarts, 5)
	or(&c.RingBytes, 1<<20)
	c.CheckpointBytes = cmp.Or(c.CheckpointBytes, failpoint.Size("session/checkpoint", 4<<20))
	if c.PassiveAge <= 0 {
		c.PassiveAge = 15 * time.Minute
	}
	if c.StopGrace <= 0 {
		c.StopGrace = 5 * time.Second
	}
	if c.StallAfter == 0 {
		c.StallAfter = 5 * time.Minute
	}
	c.StallAfter = max(c.StallAfter, 0)
	if c.Durability == "" {
		c.Durability = DurableInterval
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = uuid.NewString
	}
	if c.Rand == nil {
		c.Rand = rand.Int64N
	}
	if c.Files == nil {
		c.Files = disk.OS()
	}
	if c.Log == nil {
		c.Log = zap.NewNop()
	}
	return c
}

// begin makes the core, with the sessions that an earlier daemon left.
func (s *state) begin(left *finding.Reader, found []core.Found, past *budget.Past) {
	c := core.Config{
		Agents: map[string]adapters.Capabilities{}, Roots: s.roots.All(), AttachHosts: s.cfg.AttachHosts, Grants: s.cfg.Grant != nil,
		Durability: s.cfg.Durability, Boot: left.Boot, Past: past, Keep: s.cfg.Keep,
		MaxSessions: s.cfg.MaxSessions, MaxChildren: s.cfg.MaxChildren, SpawnDepth: s.cfg.SpawnDepth, SpawnLimit: s.cfg.SpawnLimit,
		PassiveAge: s.cfg.PassiveAge, StopGrace: s.cfg.StopGrace, NewID: s.cfg.NewID, Rand: s.cfg.Rand, Refresh: s.homes.refresh,
		Priced: s.cfg.Prices.Knows, Unsent: s.cfg.Outbox.Lacks,
	}
	if moves := s.cfg.Moves; moves != nil {
		c.Moves = func(sum *session.Summary) bool { return moves(sum.Cwd, sum.Agent) }
	}
	if out := s.cfg.Outbox; out != nil {
		c.Over = func(id string) bool { return out.IsLeaving(id) || s.shown.roster.HasEnded(id) }
	}
	for name, a := range s.agents {
		c.Agents[name] = a.Capabilities()
	}
	for id, refuse := range left.Refused() {
		s.homes.of(id).refuse = refuse
	}
	s.core = core.New(c, found)
	entries := maps.Collect(s.core.Entries())
	placeOf := func(f *core.Found) roster.Place {
		return roster.Place{Created: f.Summary.Created.UnixMilli(), ID: f.Summary.ID}
	}
	slices.SortFunc(found, func(a, b core.Found) int { return placeOf(&b).Compare(placeOf(&a)) }) // the oldest first: they go to the end of the roster's sets
	for _, f := range found {
		id := f.Summary.ID
		s.shown.put(id, entries[id], s.homes[id], s.core.Summary(id))
	}
	s.health.sessions.Store(int64(len(found)))
}

// Receive runs the actor.
func (s *state) Receive(ctx actor.Context) {
	s.ctx = ctx
	switch m := ctx.Message().(type) {
	case *actor.Started:
		s.started()
	case *actor.Terminated:
		s.self.Send(&childEnded{m.Who})
	case Message:
		s.at, s.ticket = m, 0
		s.attend(m)
		for len(s.next) > 0 {
			m, s.next = s.next[0], s.next[1:]
			s.attend(m)
		}
		s.at = nil
	}
}

func (s *state) attend(m Message) {
	defer s.outlive()
	s.receive(m)
}

// outlive goes on after a panic at one message: the message's caller gets an error, and no other session is concerned. The actor must not be
// replaced instead, for all of its children would end with it.
func (s *state) outlive() {
	r := recover()
	if r == nil {
		return
	}
	s.health.failures.Add(1)
	// Only the place: a panic's value may hold what a user wrote.
	s.cfg.Log.Error("supervisor failed at a message", zap.String("type", fmt.Sprintf("%T", s.at)), zap.ByteString("stack", debug.Stack()))
	s.owed.end(s.ticket)
	if u, ok := s.at.(ask.Undeliverable); ok {
		u.Undelivered(&protocol.Problem{Code: protocol.CodeInternal, Detail: "The daemon failed at this.", Hint: "See the daemon's log."})
	}
}

func (s *state) started() {
	s.self = ask.NewRef[Message](s.ctx.ActorSystem().Root, s.ctx.Self())
	s.host = &host{
		self: s.self, health: s.health, syncer: s.syncer, recorder: s.recorder, trimmer: s.trimmer, audit: s.retainer.Audit,
		interval: s.cfg.Durability == DurableInterval, outbox: s.cfg.Outbox,
	}
	s.reopenMended()
	s.step(&core.Begin{Hold: s.cfg.Hold})
	s.prover.Run()
	s.health.ready.Store(true)
}
