package daemon

import (
	"context"
	"crypto/x509"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/remote"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsdisk "github.com/ringmaster-agents/ringmaster/actors/objects/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3"
	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/natives"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/parents"
	"github.com/ringmaster-agents/ringmaster/supervisor/pictures"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// Core says where Core is, and how this node is one among others there; the zero value: there is none.
type Core struct {
	URL   string                 // of the database, without a password; or of a server in front of it (IsServed)
	Token func() (string, error) // of this node, for a server
	// Authorities are those who may vouch for a server; nil: whom the system trusts.
	Authorities func() (*x509.CertPool, error)
	Password    func() (string, error) // asked for each connection; nil: there is none
	Workspaces  []placement.Workspace  // that other nodes may have as well
	Auto        bool                   // their sessions go on elsewhere when this node is gone
	Lease       time.Duration          // 0: placement.Lease
	Objects     Objects                // what logs are done with goes there
	// NativesStay keeps native lines from the object store.
	NativesStay bool
}

// Objects says where the object store is; the zero value: there is none.
type Objects struct {
	Folder string
	Bucket *s3.Options
}

// IsSet says that there is a store.
func (o Objects) IsSet() bool { return o.Folder != "" || o.Bucket != nil }

// Open opens it.
func (o Objects) Open() (objects.Store, error) {
	if o.Bucket != nil {
		return s3.Open(*o.Bucket)
	}
	return objectsdisk.Open(o.Folder, objectsdisk.Options{})
}

// IsSet says that there is a Core.
func (c Core) IsSet() bool { return c.URL != "" }

// IsServed says that Core is reached over HTTP: then the object store is the server's, and so is its care.
func (c Core) IsServed() bool {
	return strings.HasPrefix(c.URL, "http://") || strings.HasPrefix(c.URL, "https://")
}

// HasObjects says that there is an object store, directly or through the server. Whether the server has one it alone knows: without one it takes nothing.
func (c Core) HasObjects() bool { return c.Objects.IsSet() || c.IsServed() }

// Bucket opens the object store, directly or through the server.
func (c Core) Bucket() (objects.Store, error) {
	if c.IsServed() {
		return remote.Objects(c.URL, c.remote()), nil
	}
	return c.Objects.Open()
}

func (c Core) remote() remote.Options {
	return remote.Options{Token: c.Token, Authorities: c.Authorities}
}

// Open opens it.
func (c Core) Open(ctx context.Context) (core.Core, error) {
	if c.IsServed() {
		return remote.Open(ctx, c.URL, c.remote())
	}
	return postgres.Open(ctx, c.URL, postgres.Options{Password: c.Password})
}

// Join opens Core with the object store, where there is one: for whoever reads logs.
func (c Core) Join(ctx context.Context) (core.Core, error) {
	at, err := c.Open(ctx)
	if err != nil || !c.HasObjects() {
		return at, err
	}
	return cold.Join(at, c.Bucket), nil
}

// openOutbox makes the way to Core. What is shown before it begins waits in it.
func (d *Daemon) openOutbox(conf *supervisor.Config) {
	if !d.cfg.Core.IsSet() {
		return
	}
	d.workspaces = placement.Workspaces{List: d.cfg.Core.Workspaces, Auto: d.cfg.Core.Auto, Resumes: d.resumes}
	d.outbox = outbox.New(outbox.Config{
		Root: d.cfg.Folder.Path, Connect: d.cfg.Core.Open, Log: d.cfg.Log.Named("core"), Place: d.workspaces.Place,
		Fenced: func(at core.Position) { d.placement.Fenced(at) },
	})
	conf.Outbox = d.outbox
	if d.cfg.Core.HasObjects() {
		conf.Native = func(id string) { d.natives.Load().Note(id) } // before there is one: it asks all at its beginning
	}
	if d.workspaces.Auto {
		conf.Moves = d.workspaces.Moves
	}
}

// resumes says that an agent goes on with its own session in another process.
func (d *Daemon) resumes(agent string) bool {
	for _, a := range d.cfg.Agents {
		if a.Name() == agent {
			return a.Capabilities().Resume
		}
	}
	return false
}

// beginCore has it carry what the sessions show, and has the daemon know of the sessions of other nodes. The daemon's start does not wait for Core.
func (d *Daemon) beginCore() {
	if d.outbox == nil {
		return
	}
	log := d.cfg.Log.Named("core")
	d.beginMover()
	d.elsewhere = elsewhere.Begin(d.super, elsewhere.Config{
		Connect: d.cfg.Core.Join, Removing: d.outbox.IsLeaving, Retired: d.outbox.MayReturn, Log: log, Workspaces: d.workspaces.Names(),
		Take: func(ctx context.Context, id string, revive bool) error { return d.placement.Take(ctx, id, revive) }, Pictured: d.pictured(),
		Objects: d.cfg.Core.HasObjects(),
		Drains: func() bool {
			_, is := d.placement.Draining()
			return is
		},
	})
	d.outbox.OnRetired(elsewhere.RetiredFrom(d.elsewhere))
	d.placement = placement.Begin(placement.Config{
		Connect: d.cfg.Core.Join, Life: d.outbox.Life, Rejoin: d.outbox.Rejoin, Answers: d.outbox.Doubt, Owns: d.outbox.Owns, Told: d.told,
		Lease: d.cfg.Core.Lease, Log: log, Node: d.node(),
	})
	d.parents = parents.Begin(parents.Config{List: d.super.Roster(), Look: d.elsewhere.Look, Over: supervisor.MovesOf(d.super).Over})
	d.peers.Begin(d.super.Instance(), elsewhere.WhereOf(d.elsewhere), d.cfg.Log.Named("peers"))
	elsewhere.Through(d.elsewhere, d.peers.Mirrors())
	d.outbox.Begin(d.super) // last: it tells the others
}

// beginMover has events move into the object store, and pictures of prompts be put there.
func (d *Daemon) beginMover() {
	at, log := d.cfg.Core, d.cfg.Log.Named("core")
	if !at.HasObjects() {
		return
	}
	if !at.IsServed() {
		d.mover = cold.Begin(cold.Config{Connect: at.Open, Open: at.Objects.Open, Log: log})
		d.outbox.Moving(d.mover.Stands)
	}
	d.pictures = pictures.Begin(pictures.Config{
		Connect: at.Open, Open: at.Bucket, Sessions: d.own, Images: d.super.Images, Has: d.has,
		Data: folder.Data{Root: d.cfg.Folder.Path}, Logs: d.super.Logs(), Log: log,
	})
	if at.NativesStay {
		return
	}
	d.natives.Store(natives.Begin(natives.Config{
		Connect: at.Open, Open: at.Bucket, Node: d.super.Instance(), Sessions: d.own, Epoch: elsewhere.EpochIn(d.super), Written: supervisor.WrittenIn(d.super),
		Data: folder.Data{Root: d.cfg.Folder.Path}, Logs: d.super.Logs(), Log: log,
	}))
}

// own are the ids of this node's sessions.
func (d *Daemon) own() (ids []string) {
	found, _, _ := d.super.Roster().Since(0)
	for _, s := range found {
		if !s.Away {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// has says that this node has a session.
func (d *Daemon) has(id string) bool {
	_, ok := d.super.Known(id)
	return ok
}

func (d *Daemon) closeMover() {
	if d.mover != nil {
		d.mover.Close()
	}
	if d.pictures != nil {
		d.pictures.Close()
	}
	if n := d.natives.Load(); n != nil {
		n.Close()
	}
}

// pictured is told of new pictures; nil: there is no object store.
func (d *Daemon) pictured() func(id string) {
	if d.pictures == nil {
		return nil
	}
	return d.pictures.Note
}

// node is what moving sessions needs of the daemon.
func (d *Daemon) node() *placement.Node {
	n := elsewhere.NodeOf(d.elsewhere, d.outbox, &d.workspaces)
	moved := n.Moved
	n.Moved = func(id string) { // what is left of its pictures and of its native lines is put of what was set aside
		moved(id)
		d.pictures.Note(id)
		d.natives.Load().Note(id)
	}
	n.Archived = func(ctx context.Context, id string) {
		d.pictures.Put(ctx, id) // first: a prompt that waits needs them at the next node
		d.natives.Load().Put(ctx, id)
	}
	n.Agents, n.Files, n.Data, n.Boot = d.installed, disk.OS(), folder.Data{Root: d.cfg.Folder.Path}, folder.BootID()
	return n
}

// installed are the agents that can be started here.
func (d *Daemon) installed() (names []string) {
	ctx, cancel := context.WithTimeout(context.Background(), installedTime)
	defer cancel()
	list, err := d.super.Agents(ctx)
	if err != nil {
		return nil
	}
	for _, a := range list {
		if a.Installation.Program != "" {
			names = append(names, a.Name)
		}
	}
	return names
}

const installedTime = 5 * time.Second

// told is what the node says of itself.
func (d *Daemon) told() core.Beat {
	return d.peers.Told(core.Beat{Build: d.cfg.Version, Workspaces: d.workspaces.Names()})
}

// sessions gives the API the daemon's sessions, and with a Core those of other nodes.
func (d *Daemon) sessions(conf *api.Config) {
	conf.Supervisor, conf.Retention = d.super, d.super.Retention()
	if d.elsewhere != nil {
		c := elsewhere.NewCluster(d.elsewhere)
		c.Drain, c.Draining, c.Join, c.Shelf = d.placement.Drain, d.placement.Draining, d.placement.Join, d.super.Logs()
		conf.Supervisor, conf.Retention, conf.Nodes = d.elsewhere, d.elsewhere.Retention(), c
		conf.Peers = d.peers.Forwarder()
	}
}

// closeElsewhere lets those go that read sessions of other nodes, and ends the beats.
func (d *Daemon) closeElsewhere() {
	if d.elsewhere != nil {
		d.placement.Close() // first: it tells the other of what moves
		d.closeMover()
		d.parents.Close()
		d.elsewhere.Close()
		d.peers.Close()
	}
}

// outboxTime is how long a Core that does not answer may hold up a daemon that ends.
const outboxTime = 2 * time.Second

// closeOutbox sends what the sessions have said to their end, for as long as there is time and Core answers.
func (d *Daemon) closeOutbox(ctx context.Context) {
	if d.outbox != nil {
		ctx, cancel := context.WithTimeout(ctx, outboxTime)
		defer cancel()
		d.outbox.Close(ctx)
	}
}
