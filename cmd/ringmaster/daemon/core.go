package daemon

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
)

// Core says where Core is; the zero value: there is none.
type Core struct {
	URL      string                 // of the database, without a password
	Password func() (string, error) // asked for each connection; nil: there is none
}

// IsSet says that there is a Core.
func (c Core) IsSet() bool { return c.URL != "" }

// Open opens it.
func (c Core) Open(ctx context.Context) (core.Core, error) {
	return postgres.Open(ctx, c.URL, postgres.Options{Password: c.Password})
}

// openOutbox makes the way to Core. What is shown before it begins waits in it.
func (d *Daemon) openOutbox(conf *supervisor.Config) {
	if !d.cfg.Core.IsSet() {
		return
	}
	d.outbox = outbox.New(outbox.Config{Root: d.cfg.Folder.Path, Connect: d.cfg.Core.Open, Log: d.cfg.Log.Named("core")})
	conf.Outbox = d.outbox
}

// beginOutbox has it carry what the sessions show. The daemon's start does not wait for Core.
func (d *Daemon) beginOutbox() {
	if d.outbox != nil {
		d.outbox.Begin(d.super)
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
