package daemon

import (
	"context"
	"os"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/api"
)

// listen opens the listeners: before any agent starts, which may be given the address. The folder's lock is ours. From here on the daemon says that it lives, while it
// reads which sessions there are.
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
	d.server = api.NewStarting(d.apiConfig())
	d.served = make(chan error, len(d.listeners))
	for _, l := range d.listeners {
		go func() { // ends with Server.Close
			err := d.server.Serve(l)
			if err != nil {
				select {
				case d.failed <- err:
				default:
				}
			}
			d.served <- err
		}()
	}
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

// closeServer ends what answers on the listeners, which are closed by that.
func (d *Daemon) closeServer(ctx context.Context) error {
	if d.server == nil {
		return nil
	}
	err := d.server.Close(ctx)
	for range cap(d.served) {
		<-d.served
	}
	return err
}

// giveUp ends what answers where the daemon cannot start.
func (d *Daemon) giveUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), serverTime)
	defer cancel()
	return d.closeServer(ctx)
}
