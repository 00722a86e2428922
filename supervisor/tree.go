package supervisor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/vault"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
	"github.com/ringmaster-agents/ringmaster/supervisor/keyring"
	"github.com/ringmaster-agents/ringmaster/supervisor/listing"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

// state is the supervisor actor.
type state struct {
	cfg      Config
	roots    *workdir.Roots
	data     folder.Data
	lock     *os.File
	instance string
	boot     string
	booted   time.Time // of the machine; zero: not known
	health   *health
	recorder *record.Recorder
	keys     *keyring.Keyring
	syncer   *groupsync.Syncer
	pool     *connection.Pool
	vault    *vault.Vault
	closed   chan struct{}

	ctx       actor.Context
	self      Ref
	host      *host
	members   map[string]*member // by id; join and leave
	kin       kin                // of them
	directory *directory.Directory
	children  map[string]child // by the id of their pid
	life      context.Context  // ends with draining
	endLife   context.CancelFunc
	waiting   []string // sessions to recover
	opening   int      // of them, under way
	removing  int      // folders that are going
	processes int      // of agents, started or being started, that are not gone
	agents    map[string]*known
	asking    []*ListAgents
	rebooted  map[string]bool // sessions that were open before the machine's last boot
	sweeper   *time.Timer

	draining      bool
	drains        []*drain
	deadline      *time.Timer
	late, givenUp bool // once and twice overdue
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
	h := &health{unknown: map[string]uint64{}}
	s := &state{
		cfg: cfg, roots: workdir.NewRoots(folders), data: data, lock: lock, instance: instance,
		boot: folder.BootID(), booted: folder.BootTime(cfg.Now()), health: h,
		recorder: record.NewRecorder(data.Record, cfg.Files, cfg.Log), syncer: groupsync.New(&h.writeErrors), closed: make(chan struct{}),
		members: map[string]*member{}, kin: newKin(), directory: new(directory.Directory), children: map[string]child{},
		agents: map[string]*known{}, rebooted: map[string]bool{},
	}
	s.vault = vault.New(cfg.Data)
	s.pool = connection.New(connection.Config{Marker: instance + "/connection", Log: cfg.Log, Now: cfg.Now})
	s.life, s.endLife = context.WithCancel(context.Background())
	for _, a := range cfg.Agents {
		s.agents[a.Name()] = &known{agent: a}
	}
	failpoint.Hit("supervisor/beforeReap")
	if cfg.Reap != nil {
		if pids := cfg.Reap(instance + "/"); len(pids) > 0 {
			cfg.Log.Info("ended processes that an earlier daemon left", zap.Int("count", len(pids)))
		}
	}
	if err := s.read(); err != nil {
		s.recorder.Close()
		return nil, errors.Join(err, lock.Close())
	}
	s.keys = keyring.New(data.Root, cfg.Files, func(id string) bool { return s.members[id] != nil })
	system := newSystem(cfg.Log)
	ask.AnswerDeadLetters(system, func(m any) {
		h.deadLetters.Add(1)
		cfg.Log.Warn("message reached nobody", zap.String("type", fmt.Sprintf("%T", m))) // only its type: it may hold a prompt
	})
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return s },
		actor.WithMailbox(mailbox.New), actor.WithSupervisor(stopAlways)))
	sup := &Supervisor{
		roots: s.roots, directory: s.directory,
		ref: ask.NewRef[Message](system.Root, pid), system: system, pid: pid, data: data, health: h,
		recorder: s.recorder, syncer: s.syncer, closed: s.closed, files: cfg.Files, agents: map[string]adapters.Agent{}, env: cfg.Env,
		archives: cfg.RawLimit >= 0, tokens: cfg.Tokens,
	}
	for _, a := range cfg.Agents {
		sup.agents[a.Name()] = a
	}
	if _, err = sup.List(ctx, Query{Limit: 1}); err != nil {
		return nil, errors.Join(err, sup.Close(context.WithoutCancel(ctx)))
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

// Receive runs the actor.
func (s *state) Receive(ctx actor.Context) {
	s.ctx = ctx
	switch m := ctx.Message().(type) {
	case *actor.Started:
		s.started()
	case *actor.Terminated:
		s.self.Send(&childEnded{m.Who})
	case Message:
		defer s.outlive(m)
		s.receive(m)
	}
}

// outlive goes on after a failure at one message: whoever asked is told, and everybody else's sessions are no part of it. Were the actor
// replaced, all of its children would end.
func (s *state) outlive(m Message) {
	r := recover()
	if r == nil {
		return
	}
	s.health.failures.Add(1)
	// Only the place: a panic's value may hold what a user wrote.
	s.cfg.Log.Error("supervisor failed at a message", zap.String("type", fmt.Sprintf("%T", m)), zap.ByteString("stack", debug.Stack()))
	if u, ok := m.(ask.Undeliverable); ok {
		u.Undelivered(&protocol.Problem{Code: protocol.CodeInternal, Detail: "The daemon failed at this.", Hint: "See the daemon's log."})
	}
}

func (s *state) started() {
	s.self = ask.NewRef[Message](s.ctx.ActorSystem().Root, s.ctx.Self())
	s.host = &host{self: s.self, health: s.health, syncer: s.syncer, interval: s.cfg.Durability == DurableInterval}
	for _, a := range s.agents {
		s.look(a)
	}
	s.sweeper = time.AfterFunc(min(sweepEvery, s.cfg.PassiveAge), func() { s.self.Send(&sweep{}) })
	if !s.cfg.Hold {
		s.recoverOpen()
	}
	s.health.ready.Store(true)
}

func (s *state) receive(m Message) {
	switch m := m.(type) {
	case *Create:
		s.create(m)
	case *Claim:
		s.claim(m)
	case *Find:
		s.find(m)
	case *Look:
		if x := s.members[m.ID]; x != nil && len(x.deleting) == 0 {
			m.Send(*x.current())
		} else {
			m.Fail(NotFound())
		}
	case *FindArchive:
		if x := s.members[m.ID]; x != nil && len(x.deleting) == 0 {
			m.Send(x.archive)
		} else {
			m.Fail(NotFound())
		}
	case *List:
		s.list(m)
	case *Delete:
		s.delete(m)
	case *AddRoot:
		s.addRoot(m)
	case *ListAgents:
		s.listAgents(m)
	case *found:
		s.agentFound(m)
	case *announced:
		s.announced(m)
	case *offered:
		s.offered(m)
	case *delayAgent:
		s.delayAgent(m)
	case *startAgent:
		s.startAgent(m)
	case *cancelStart:
		s.cancelStart(m)
	case *launched:
		s.agentLaunched(m)
	case *revive:
		s.revive(m)
	case *adoptChild:
		s.adopt(m)
	case *toRoot:
		s.passToRoot(m)
	case *toSession:
		s.passToSession(m)
	case *parked:
		s.parked(m)
	case *childEnded:
		s.childEnded(m)
	case *unmade:
		s.unmade(m)
	case *reopen:
		s.reopen(m)
	case *opened:
		s.opened(m)
	case *processGone:
		s.processGone(m)
	case *removed:
		s.removed(m)
	case *removeNow:
		s.removeNow(m)
	case *takeUp:
		s.recoverOpen()
	case *sweep:
		s.sweep()
	case *drain:
		s.drain(m)
	case *overdue:
		s.overdue()
	}
}

func (s *state) list(m *List) {
	if m.Folder != "" && workdir.Inside(s.roots.All(), filepath.Clean(m.Query.Cwd)) && workdir.Inside(s.roots.All(), m.Folder) {
		m.Query.Cwd = m.Folder
	}
	all := make([]*session.Summary, 0, len(s.members))
	for _, x := range s.members {
		if len(x.deleting) == 0 {
			all = append(all, x.current())
		}
	}
	m.Done(listing.Of(all, m.Query))
}
