// Package daemon wires one daemon: data folder, supervisor, API, listeners. The serve command runs one for ever, demo and
// run one for their own duration.
package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/price"
	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/api/webhook"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon/peering"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/natives"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/parents"
	"github.com/ringmaster-agents/ringmaster/supervisor/pictures"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// Config is everything that a daemon needs.
type Config struct {
	Folder     datafolder.Folder
	Roots      []string // absolute; sessions may work inside these folders only
	Listen     Listen
	Socket     string // path of the unix socket; empty: none
	Durability supervisor.Durability
	Agents     []adapters.Agent
	Hosts      []string // further Host headers that are taken
	Origins    []string // web origins that may call
	// MCPCompat gives every MCP client the one tool of an earlier system as well.
	MCPCompat bool
	// AttachHosts are hosts besides this machine where agents may be attached to.
	AttachHosts []string
	Webhooks    []string // beginnings of the URLs to which webhooks may send
	Env         []string // the daemon's environment, of which agents get theirs
	Adopt       bool     // orphans of agents come to this program, which begins no other processes of its own (process.Adopt)
	Version     string
	Log         *zap.Logger
	StallAfter  time.Duration // as supervisor.Config has it
	RawLimit    int64
	LogLimit    int64
	Keep        keep.Rule
	Core        Core       // keeps the logs beside this machine; the zero value: nobody does
	Peers       peering.At // with a Core
	MaxText     int
	Prices      *price.Table // of models whose agent does not say what they cost; nil: there are none
	SessionRate int          // as api.Config has it, as the next
	MaxStreams  int
	MaxInFlight int64 // of bodies, and of answers, in bytes
	// IdleExit is after how long without work and without callers Idle says so; 0: never.
	IdleExit time.Duration
	// Reread reads the configuration again for Reload; nil: there is none.
	Reread func() (Change, error)
	// Found are members of the address that tell clients how the daemon was started.
	Found datafolder.Address
}

// Daemon is a running daemon.
type Daemon struct {
	cfg    Config
	super  *supervisor.Supervisor
	tokens *access.Tokens
	// submissions are kept in a file of the folder, whose lock must be held.
	submissions *submission.Submissions
	webhooks    *webhook.Hooks       // likewise
	outbox      *outbox.Outbox       // nil: there is no Core
	elsewhere   *elsewhere.Elsewhere // likewise
	placement   *placement.Placement // likewise
	parents     *parents.Parents     // likewise
	mover       *cold.Mover          // nil: there is no object store
	pictures    *pictures.Pictures   // likewise
	natives     atomic.Pointer[natives.Natives]
	workspaces  placement.Workspaces
	peers       peering.Peering // with the nodes on the same Core
	allow       post.Allow
	api         *api.API
	secrets     secret.Tokens // what agents must not tell
	answering   *answering    // nil: nothing answers yet
	listeners   []net.Listener
	address     datafolder.Address
	token       string
	reloading   sync.Mutex // held by Reload

	certificate atomic.Pointer[tls.Certificate] // of TLS
	prices      price.Book

	addressed sync.Mutex // guards address and left
	left      bool       // the address was taken back
	failed    chan error // the first listener that failed
	idle      *idle
	began     time.Time // when it took work

	release func() // ends the orphans of agents, and removes their control groups
	once    sync.Once
	closed  error
}

// Start starts a daemon and returns when it takes work. A folder that another daemon works on is refused with a
// *protocol.Problem of CodeConflict, before anything in it is touched.
func Start(ctx context.Context, cfg Config) (*Daemon, error) {
	if err := cfg.Listen.check(); err != nil {
		return nil, err
	}
	if err := cfg.Folder.Create(); err != nil {
		return nil, err
	}
	tokens, err := access.Open(cfg.Folder.TokensFile())
	if err != nil {
		return nil, err
	}
	limitMemory(cfg.Log)
	d := &Daemon{
		cfg: cfg, tokens: tokens, failed: make(chan error, 1), address: cfg.Found, idle: newIdle(), release: func() {},
	}
	if cfg.Adopt {
		release, ungroup := process.Adopt(), process.UseCgroups()
		d.release = func() { release(); ungroup() }
	}
	d.prices.Set(cfg.Prices)
	conf := supervisor.Config{
		Tokens: &d.secrets, Prices: &d.prices,
		Data: cfg.Folder.Path, Roots: cfg.Roots, Agents: cfg.Agents, Transport: process.Transport{},
		Durability: cfg.Durability, Env: process.Environment(cfg.Env, process.EnvPolicy{Deny: outer(cfg.Agents)}, ""), Log: cfg.Log,
		Reap: process.SweepPrefix, AttachHosts: cfg.AttachHosts, StallAfter: cfg.StallAfter, RawLimit: cfg.RawLimit, LogLimit: cfg.LogLimit,
		MaxText: cfg.MaxText,
		Keep:    cfg.Keep,
		Hold:    true, Locked: d.listen,
	}
	if cfg.IdleExit > 0 && cfg.IdleExit < defaultPassiveAge {
		conf.PassiveAge = cfg.IdleExit // a session that rests is no work
	}
	if cfg.Listen.Address != "" && cfg.Listen.Certificate == nil { // an agent knows neither unix sockets nor the certificate
		conf.Grant = d.grant
	}
	d.openOutbox(&conf)
	if d.super, err = supervisor.Start(ctx, conf); err != nil {
		d.release()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), serverTime)
		defer cancel()
		return nil, errors.Join(err, d.answering.close(ctx), closeAll(d.listeners), d.peers.CloseListener())
	}
	d.beginCore()
	if err := d.serve(); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), DrainTime)
		defer cancel()
		return nil, errors.Join(err, d.Close(ctx))
	}
	d.super.Recover()
	d.began = time.Now()
	d.idle.watch(cfg.IdleExit, d.quiet)
	paceCollector()      // not before: while sessions are read, what is in use only grows, and collecting took a quarter of the start
	debug.FreeOSMemory() // making the API's descriptions took as much as the daemon itself has, and it may be idle for long
	leaveProgram()
	return d, nil
}

// DrainTime is how long a daemon may take to end in order.
const DrainTime = 10 * time.Second

// serverTime is the part of it that is left to answers at work once the sessions are down.
const serverTime = 2 * time.Second

// listen opens the listeners: before any agent starts, which may be given the address. The folder's lock is ours. From here on the daemon
// says that it lives, while it reads which sessions there are.
func (d *Daemon) listen() error {
	d.address.PID, d.address.Since = os.Getpid(), time.Now().UnixMilli()
	if d.cfg.Listen.Address != "" {
		d.certificate.Store(d.cfg.Listen.Certificate)
		l, err := d.cfg.Listen.open(&d.certificate)
		if err != nil {
			return err
		}
		d.listeners = append(d.listeners, l)
		d.address.HTTP = d.cfg.Listen.url(l.Addr())
	}
	if d.cfg.Socket != "" {
		l, err := listenSocket(d.cfg.Socket)
		if err != nil {
			return err
		}
		d.listeners = append(d.listeners, l)
		d.address.Socket = d.cfg.Socket
	}
	if d.cfg.Core.IsSet() {
		if err := d.peers.Open(d.cfg.Folder.PeerKeyFile(), d.cfg.Peers, sockets(), maxConnections()/2); err != nil {
			return err
		}
	}
	d.answering = answer(d.apiConfig(), d.listeners, d.failed)
	return nil
}

// apiConfig is what the API is told that is known before the sessions are.
func (d *Daemon) apiConfig() api.Config {
	return api.Config{
		Log: d.cfg.Log, Version: d.cfg.Version, Tokens: d.tokens, Hosts: d.cfg.Hosts, Origins: d.cfg.Origins,
		MaxConnections: maxConnections(), MCPCompat: d.cfg.MCPCompat, RootAdded: d.rooted, Reload: d.Reload,
		OfAgent: process.OfAgent, Held: held, SessionRate: d.cfg.SessionRate, MaxStreams: d.cfg.MaxStreams,
		MaxBodies: d.cfg.MaxInFlight, MaxAnswers: d.cfg.MaxInFlight,
	}
}

// callTimeout is what agents are told that a call of an MCP tool may take: longer than any waits.
const callTimeout = 2 * time.Minute

// grant is supervisor.Config's Grant.
func (d *Daemon) grant(sessionID, owner string) (*adapters.MCPServer, func()) {
	secret, revoke := d.tokens.Grant(sessionID, owner)
	return &adapters.MCPServer{Name: adapters.MCPServerName, URL: d.address.HTTP + "/mcp", Token: secret, CallTimeout: callTimeout}, revoke
}

// serve has the listeners answered by the API, and says where they are.
func (d *Daemon) serve() error {
	token, err := d.cfg.Folder.Token()
	if err != nil {
		return err
	}
	d.token = token
	d.secrets.Know(token) // no session is taken up yet
	d.tokens.Tidy()
	if d.submissions, err = submission.Open(d.cfg.Folder.Path, disk.OS(), time.Now); err != nil {
		return err
	}
	if err := d.openWebhooks(); err != nil {
		return err
	}
	d.super.Retention().OnDiscarded(d.submissions.Removed)
	conf := d.apiConfig()
	d.sessions(&conf)
	conf.Token, conf.Submissions, conf.Webhooks = token, d.submissions, d.webhooks
	if d.api, err = api.New(conf); err != nil {
		return fmt.Errorf("api: %w", err)
	}
	d.webhooks.Begin() // the list of sessions is complete
	d.addressed.Lock()
	d.address.IdleExit = d.cfg.IdleExit.Milliseconds()
	err = d.writeRoots(d.cfg.Roots) // before anybody is answered: what answers is what the address says
	d.addressed.Unlock()
	if err != nil {
		return err
	}
	d.answering.server.Answer(d.api)
	d.peers.Serve(d.answering.server, d.failed)
	return nil
}

// held is api.Config's Held.
func held() resource.Processes {
	h := process.Held()
	return resource.Processes{Adopted: h.Adopts, Marked: h.Marks, Cgroups: h.Cgroups}
}

// Failed gives the error of a listener that ended by itself.
func (d *Daemon) Failed() <-chan error { return d.failed }

// Close ends the daemon in order: no new work, running turns interrupted and readers told, agents ended, journals closed,
// then the listeners. When ctx is done first, what is left is cut. Only the first call does anything.
func (d *Daemon) Close(ctx context.Context) error {
	d.once.Do(func() { d.closed = d.close(ctx) })
	return d.closed
}

func (d *Daemon) close(ctx context.Context) error {
	var errs []error
	d.idle.stop()
	d.addressed.Lock()
	d.left = true
	if err := d.cfg.Folder.RemoveAddress(); err != nil { // first, so that no client finds a daemon that ends
		errs = append(errs, err)
	}
	d.addressed.Unlock()
	if d.submissions != nil {
		d.submissions.Close() // while the folder is ours
	}
	if d.webhooks != nil {
		d.webhooks.Close() // likewise
	}
	errs = append(errs, d.closeSessions(ctx))
	d.release()
	errs = append(errs, d.answering.close(ctx), d.peers.CloseListener())
	return errors.Join(append(errs, closeAll(d.listeners))...)
}

// closeAll closes listeners, those too that are closed already.
func closeAll(listeners []net.Listener) error {
	var errs []error
	for _, l := range listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// closeSessions leaves the listeners their part of the time.
func (d *Daemon) closeSessions(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-serverTime))
		defer cancel()
	}
	d.closeElsewhere()
	err := d.super.Close(ctx)
	d.closeOutbox(ctx)
	return err
}
