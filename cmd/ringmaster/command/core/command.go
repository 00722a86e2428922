package core

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// Command makes the command core, and what is below it.
func Command(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "core",
		Short: "Core, which keeps the logs beside this machine: prepare it, check it, serve it",
		Long: `A daemon with --core sends every log to a PostgreSQL database as well, so that no session is lost with its machine. These commands prepare the
database, or make one to try it with, ask it and the object store whether they can be used, hold both against this machine's journals, and move what
logs are done with into the object store. With serve, nodes that hold no password of the database reach it over HTTP, each with a token that admit
makes. They take --core, --objects and the files with passwords and keys from where the daemon takes them.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster core init --dev
  ringmaster core migrate --core postgres://ringmaster@localhost/ringmaster
  ringmaster core check
  ringmaster core verify
  ringmaster core serve`,
		RunE: console.ShowHelp,
	}
	cmd.AddCommand(newInit(con), newMigrate(con, target), newCheck(con, target), newVerify(con, target), newCompact(con, target),
		newServe(con, target), newAdmit(con, target), newAdmitted(con, target), newExpel(con, target))
	return cmd
}

// place is Core as a command's flags, the environment and the configuration file name it.
type place struct {
	target *lifecycle.Target
	flags  *settings.Flags
}

func (p *place) addTo(cmd *cobra.Command) {
	p.flags = settings.NewFlags()
	p.flags.AddCoreTo(cmd)
}

func (p *place) core() (daemon.Core, error) {
	given, err := p.target.Settings(p.flags)
	if err != nil {
		return daemon.Core{}, err
	}
	at, err := given.Core()
	if err == nil && !at.IsSet() {
		err = exit.Usagef("there is no Core: name its database with --core postgres://USER@HOST/DATABASE, or core in the configuration file")
	}
	return at, err
}

// database is Core where the command works on the database itself.
func (p *place) database(does string) (daemon.Core, error) {
	at, err := p.core()
	if err == nil && at.IsServed() {
		err = exit.Usagef("%s works on the database itself: run it where ringmaster core serve runs, with --core postgres://USER@HOST/DATABASE", does)
	}
	return at, err
}

// told is an error of Core's as exit tells it: the hint apart.
func told(err error) error {
	var schema *core.SchemaError
	var access *core.AccessError
	var full *core.FullError
	var away *core.AwayError
	var without *core.ColdError
	switch {
	case errors.As(err, &schema):
		return exit.WithHint(errors.New(schema.Problem()), schema.Hint())
	case errors.As(err, &access) && access.IsHere():
		return exit.WithHint(access.Err, access.Hint)
	case errors.As(err, &access):
		return exit.WithHint(fmt.Errorf("refused by Core: %w", access.Err), access.Hint)
	case errors.As(err, &full):
		return exit.WithHint(errors.New(full.Problem()), full.Hint())
	case errors.As(err, &away):
		return exit.WithHint(fmt.Errorf("no answer of Core: %w", away.Err),
			"look whether the database, or ringmaster core serve, runs, and whether this machine reaches it")
	case errors.As(err, &without):
		return exit.WithHint(errors.New(without.Problem()), without.Hint())
	}
	return toldObjects(err)
}

// migrate is the command core migrate.
type migrate struct {
	con *console.Console
	place
}

func newMigrate(con *console.Console, target *lifecycle.Target) *cobra.Command {
	m := &migrate{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Make the database's tables, or bring them up to this build",
		Long: `Make the tables of Ringmaster in the database, or bring them up to this build. It goes forward only: a build that is older than the tables
refuses them. It may be run again, by several machines at once, and while daemons of this build are at work.`,
		Args:    console.Args(0, 0),
		Example: "  ringmaster core migrate --core postgres://ringmaster@localhost/ringmaster --core-password-file ~/.core-password",
		RunE:    func(cmd *cobra.Command, _ []string) error { return m.run(cmd.Context()) },
	}
	m.addTo(cmd)
	return cmd
}

func (m *migrate) run(ctx context.Context) error {
	at, err := m.database("core migrate")
	if err != nil {
		return err
	}
	from, to, err := postgres.Migrate(ctx, at.URL, postgres.Options{Password: at.Password})
	if err != nil {
		return told(err)
	}
	if from == to {
		_, err = fmt.Fprintf(m.con.Out, "the database has schema version %d already\n", to)
		return err
	}
	_, err = fmt.Fprintf(m.con.Out, "the database has schema version %d now; it had %d\n", to, from)
	return err
}
