package supervisor

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/price"
	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/finding"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/listing"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

// Config is everything that a supervisor needs. The zero value of a member marked "default" takes the default.
type Config struct {
	Data       string   // the data folder: sessions/, lock, token
	Roots      []string // sessions may work inside these folders only
	Agents     []adapters.Agent
	Transport  adapters.Transport
	Durability Durability // default DurableInterval
	Env        []string   // the environment of agents, already without our own variables
	Log        *zap.Logger
	// AttachHosts are hosts besides this machine where agents may be attached to, HOST or HOST:PORT.
	AttachHosts []string
	// Reap ends processes that an earlier daemon on this data folder left: all whose marker has the prefix. nil: nothing.
	Reap func(markerPrefix string) []int

	// Hold lets the sessions that an earlier daemon left at work wait for Recover, so that the daemon answers before their agents
	// take the machine. A question for one of them starts it at once.
	Hold bool

	// Locked is called by Start once the data folder is this daemon's alone, before any agent is started; its error ends Start. nil:
	// nothing.
	Locked func() error
	// Grant makes the token with which one start of a session's agent uses the daemon's MCP server; revoke makes it void again and is
	// called once nothing is left of the agent. nil, and a nil server: the daemon can be reached over HTTP by no agent.
	Grant func(sessionID, owner string) (server *adapters.MCPServer, revoke func())

	// Tokens are taken out of what agents say; nil: those that look like tokens.
	Tokens *secret.Tokens
	// Prices are of models whose agent does not say what they cost; nil: there are none.
	Prices *price.Book

	MaxSessions int // not ended, at once, without sub-agents; default 1000
	MaxChildren int // sub-agents at work below one session; default 64
	SpawnDepth  int // of sessions that agents make, below the one that a client made; default 3
	SpawnLimit  int // of them, not ended, below that one; default 32
	MaxQueue    int // prompts waiting in one session; default 100
	MaxRestarts int // of an agent without a completed turn between; default 5
	RingBytes   int // of one session's ring; default 1 MiB
	// CheckpointBytes is how far a session's log grows until what it tells is kept beside it, so that the next opening reads on from there; default 4 MiB,
	// negative: never.
	CheckpointBytes int64
	// SyncApart is how many journals are synced each by itself where so many were written in a tenth of a second; where more were, one sync makes the new
	// lines of all safe. Negative: never each by itself; default 4.
	SyncApart int
	// SyncShared is how many bytes a file of such lines takes before the journals are synced; default 32 MiB.
	SyncShared int64
	PassiveAge time.Duration // idle and unread for so long: the agent is stopped, the actor put away; default 15 min
	StopGrace  time.Duration // for an agent to end by itself; default 5 s
	StallAfter time.Duration // of an agent's silence in a turn, its status says so; default 5 min, negative: never
	MaxText    int           // bytes of one text that go into the log, adapters.LeastText to adapters.MostText; default adapters.MaxText
	RawLimit   int64         // bytes of one session's raw archive on the disk; default raw.DefaultLimit, negative: there is none
	LogLimit   int64         // bytes of one session's log, of which the oldest events go first; at least keep.LeastLog for a daemon, 0: all are kept
	Keep       keep.Rule     // what stays of sessions that are at rest; the zero value: everything
	Now        func() time.Time
	NewID      func() string       // session ids; default UUID version 4
	Rand       func(n int64) int64 // 0 to n-1, for the jitter of restarts; default math/rand
	Files      disk.FS             // where sessions are stored; default the system's
	Store      store.Store         // where their logs are; default package journal, in the sessions' folders
	Outbox     *outbox.Outbox      // sends logs to Core; nil: there is none
	// Native is told of sessions whose native lines, or some of them, will not change any more. It must not wait. nil: nobody wants to know.
	Native func(id string)
	// Moves says of a session in a folder, of an agent, that it may go on at another node while this one is alive: its agent runs only while Moves.Confirm
	// says so. nil: none may.
	Moves func(cwd, agent string) bool
}

// Durability says when an event counts as written.
type Durability = core.Durability

// The durabilities.
const (
	DurableAlways   = core.DurableAlways   // on disk (fdatasync) before it is shown: survives power loss
	DurableInterval = core.DurableInterval // as os, and made safe every 100 ms: power loss may take the last 100 ms
	DurableOS       = core.DurableOS       // written before it is shown, synced when the system likes: survives kill -9 of the daemon
)

// Supervisor is the handle of a running supervisor actor. Its methods are safe for concurrent use.
type Supervisor struct {
	ref       Ref
	system    *actor.ActorSystem
	pid       *actor.PID
	data      folder.Data
	health    *health
	recorder  *record.Recorder
	syncer    *groupsync.Syncer
	files     disk.FS
	store     store.Store
	agents    map[string]adapters.Agent
	roots     *workdir.Roots
	directory *directory.Directory
	lists     *listing.Lists
	archives  bool     // native lines are kept
	env       []string // of agents
	tokens    *secret.Tokens
	outbox.Side
	finding   *finding.Reader
	retention *Retention
	closed    chan struct{} // closed when the actor has drained
}

// Recover takes up the sessions that Config.Hold lets wait.
func (s *Supervisor) Recover() { s.ref.Send(&takeUp{}) }

// Images is the folder of a session's prompt images.
func (s *Supervisor) Images(id string) session.Images {
	return session.Images{Dir: s.data.Images(id), Files: s.files}
}

// Create makes a session, or gives the one that was made with the same key.
func (s *Supervisor) Create(ctx context.Context, n NewSession) (Created, error) {
	if err := n.Keyed(); err != nil {
		return Created{}, err
	}
	if err := s.data.Scarce(s.retention.rule.Free); err != nil {
		return Created{}, err
	}
	place := s.workplace(&n)
	return ask.Ask(ctx, s.ref, func(r ask.Reply[Created]) Message { return &Create{r, n, place} })
}

// Claim gives the session that a key stands for, which from now on is the one with the id where the key was not known.
func (s *Supervisor) Claim(ctx context.Context, n NewSession, id string) (Created, error) {
	if err := n.Keyed(); err != nil {
		return Created{}, err
	}
	return ask.Ask(ctx, s.ref, func(r ask.Reply[Created]) Message { return &Claim{r, n, id} })
}

// Find gives the actor of a session: from the directory, or started where it was passive.
func (s *Supervisor) Find(ctx context.Context, id string) (session.Ref, error) {
	if e, ok := s.directory.Find(id); ok && e.Ref.Valid() {
		return e.Ref, nil
	}
	return s.FindAgain(ctx, id)
}

// FindAgain gives the actor of a session, where the actor that Find gave is gone: it asks the supervisor, since the directory may be a moment behind.
func (s *Supervisor) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[session.Ref]) Message { return &Find{r, id} })
}

// Engine is where its actors run, for those that stand beside them.
func (s *Supervisor) Engine() *actor.RootContext { return s.system.Root }

// Known is the directory's entry of a session, read without asking the supervisor; ok is false where Look must be asked.
func (s *Supervisor) Known(id string) (e directory.Entry, ok bool) { return s.directory.Find(id) }

// Retention is what need not be kept.
func (s *Supervisor) Retention() *Retention { return s.retention }

// Spending is what a session and all below it have used together, by now.
func (s *Supervisor) Spending(ctx context.Context, id string) (TreeUse, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[TreeUse]) Message { return &Spending{r, id} })
}

// Look gives the summary of a session without starting its actor.
func (s *Supervisor) Look(ctx context.Context, id string) (session.Summary, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[session.Summary]) Message { return &Look{r, id} })
}

// AtRest gives what there is to tell of a session that has no actor, and starts none; nil: it has one, or only one can tell it.
func (s *Supervisor) AtRest(ctx context.Context, id string) (*session.Description, error) {
	if e, ok := s.directory.Find(id); ok && e.Ref.Valid() {
		return nil, nil
	}
	return ask.Ask(ctx, s.ref, func(r ask.Reply[*session.Description]) Message { return &AtRest{r, id} })
}

// List gives a page of summaries. Links in the query's Cwd are followed, as in that of a new session. The supervisor is only asked to catch up, so that
// a client finds in the list what it was answered; the page is made in the goroutine of the caller, from the roster.
func (s *Supervisor) List(ctx context.Context, q Query) (Page, error) {
	if q.Cwd != "" {
		folder, err := filepath.EvalSymlinks(q.Cwd) // an error: none that is there now; sessions may have worked in it
		if roots := s.roots.All(); err == nil && workdir.Inside(roots, filepath.Clean(q.Cwd)) && workdir.Inside(roots, folder) {
			q.Cwd = folder
		}
	}
	if _, err := ask.Ask(ctx, s.ref, func(r ask.Reply[session.Done]) Message { return &CatchUp{r} }); err != nil {
		return Page{}, err
	}
	return s.lists.Page(ctx, q)
}

// Delete ends a session and removes its folder.
func (s *Supervisor) Delete(ctx context.Context, id string) error {
	_, err := ask.Ask(ctx, s.ref, func(r ask.Reply[session.Done]) Message { return &Delete{r, id, nil} })
	return err
}

// DeleteListed removes a session that has ended and has not changed since it was listed. A session that has changed, or that is in use, stays: the
// problem is CodeConflict.
func (s *Supervisor) DeleteListed(ctx context.Context, listed *session.Summary) error {
	_, err := ask.Ask(ctx, s.ref, func(r ask.Reply[session.Done]) Message { return &Delete{r, listed.ID, listed} })
	return err
}

// Agents says which agents there are.
func (s *Supervisor) Agents(ctx context.Context) ([]AgentInfo, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[[]AgentInfo]) Message { return &ListAgents{r} })
}

// AgentNames are the agents that this daemon has, whether they are installed or not.
func (s *Supervisor) AgentNames() []string {
	if s == nil { // an API without a supervisor, which only writes its description
		return nil
	}
	return slices.Sorted(maps.Keys(s.agents))
}
