package daemon

import (
	"context"
	"errors"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rooted says in the address that roots have been added, for whoever starts the next daemon when this one was killed.
func (d *Daemon) rooted(ctx context.Context) error {
	d.addressed.Lock()
	defer d.addressed.Unlock()
	roots, err := d.super.Roots(ctx)
	if err != nil || d.left {
		return err
	}
	return notNoted(d.writeRoots(roots))
}

// notNoted tells a client that what it has changed is in effect, and that the disk refuses the files which tell others of it. It names no path.
func notNoted(err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return err
	}
	return protocol.NewProblem(protocol.CodeReadOnly,
		"It is in effect, for as long as this daemon runs; the address file, which tells commands and the next daemon, cannot be written: "+errno.Error()+".",
		"Free space on the disk of the daemon's data folder, or make the folder writable, and ask again.")
}

// writeRoots writes the address with its roots, and notes them for the next daemon where a command started this one. addressed is held.
func (d *Daemon) writeRoots(roots []string) error {
	d.address.Roots = roots
	if d.address.TakesRoots {
		if err := d.cfg.Folder.Remember(roots); err != nil {
			return err
		}
	}
	return d.cfg.Folder.WriteAddress(d.address)
}

// Address says where the daemon listens.
func (d *Daemon) Address() datafolder.Address {
	d.addressed.Lock()
	defer d.addressed.Unlock()
	return d.address
}
