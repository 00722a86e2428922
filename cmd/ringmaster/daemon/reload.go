package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/price"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Change is what a configuration says that was read again.
type Change struct {
	File        string // empty: there is none
	Roots       []string
	IdleExit    time.Duration
	Certificate *tls.Certificate // nil: as it was
	Prices      *price.Table     // nil: there are none any more
	Webhooks    []string         // beginnings of the URLs to which webhooks may send
	Applied     []string         // names of settings that have changed, and can while the daemon runs
	Restart     []string         // and of those that take effect when it is restarted
}

// Reload reads the configuration again and takes what can change while the daemon runs. One that is not right changes nothing.
func (d *Daemon) Reload(ctx context.Context) (resource.Reloaded, error) {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	if d.cfg.Reread == nil {
		return resource.Reloaded{}, protocol.NewProblem(protocol.CodeNotSupported, "This daemon has no configuration.", "Start it with ringmaster up.")
	}
	c, err := d.cfg.Reread()
	if err == nil {
		err = d.take(ctx, c)
	}
	if err != nil {
		d.cfg.Log.Error("configuration refused", zap.Error(err))
		return resource.Reloaded{}, refused(err)
	}
	d.cfg.Log.Info("configuration read again", zap.Strings("applied", c.Applied), zap.Strings("restart", c.Restart))
	return resource.Reloaded{File: c.File, Applied: append([]string{}, c.Applied...), Restart: append([]string{}, c.Restart...)}, nil
}

func (d *Daemon) take(ctx context.Context, c Change) error {
	for _, r := range c.Roots {
		if _, err := d.super.AddRoot(ctx, r); err != nil {
			return err
		}
	}
	d.addressed.Lock()
	d.address.IdleExit = c.IdleExit.Milliseconds()
	d.address.Named = slices.Compact(slices.Sorted(slices.Values(append(d.address.Named, c.Roots...)))) // also those that wait for a restart to go
	d.addressed.Unlock()
	if c.Certificate != nil {
		d.certificate.Store(c.Certificate)
	}
	d.prices.Set(c.Prices)
	if err := d.allow.Set(c.Webhooks); err != nil {
		return err
	}
	d.webhooks.Recheck()
	d.idle.watch(c.IdleExit, d.quiet)
	return d.rooted(ctx)
}

// refused is a configuration's fault as a problem.
func refused(err error) error {
	if p := (*protocol.Problem)(nil); errors.As(err, &p) {
		return p
	}
	p := protocol.NewProblem(protocol.CodeInvalidRequest, "The configuration was refused, and the daemon goes on with what it had: "+err.Error()+".",
		"Mend it and try again.")
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		p.Hint = h.Hint()
	}
	return p
}
