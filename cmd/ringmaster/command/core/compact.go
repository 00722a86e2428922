package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// mostFull bounds a segment, which is made in memory.
const mostFull = 256 << 20

// compact is the command core compact.
type compact struct {
	con *console.Console
	place
	every, rest time.Duration
	full        settings.Size
	strays      bool
	remove      bool
	asJSON      bool
}

func newCompact(con *console.Console, target *lifecycle.Target) *cobra.Command {
	c := &compact{con: con, place: place{target: target}, full: cold.Full}
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Move what Core's logs are done with into the object store",
		Long: `Move what Core's logs are done with out of the database's rows into the object store: of each session as soon as it has 8 MiB in rows, and all of
it when nothing has come for an hour. Then delete the objects that no row names, a day after that. Readers notice nothing. A daemon with --objects does the same
by itself, once a minute; any number may do it at once.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster core compact --objects s3://bucket/logs?endpoint=https://s3.example.org
  ringmaster core compact --every 1m
  ringmaster core compact --strays`,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	c.addTo(cmd)
	f := cmd.Flags()
	f.DurationVar(&c.every, "every", 0, "again and again, so long after the last time, such as 1m; 0: once")
	f.Var(&c.full, "full", "bytes of a session's lines in rows from which on they become an object")
	f.DurationVar(&c.rest, "rest", cold.Rest, "also what is less, when nothing has come for so long")
	f.BoolVar(&c.strays, "strays", false, "instead, tell which objects the database knows nothing of: it has gone back, or is not that of the store")
	f.BoolVar(&c.remove, "delete", false, "with --strays: delete them, for good")
	f.BoolVar(&c.asJSON, "json", false, "one JSON object for each time")
	return cmd
}

// done is what is told of one time.
type done struct {
	Sessions int    `json:"sessions"`
	Segments int    `json:"segments"`
	Events   uint64 `json:"events"`
	Lines    int64  `json:"lineBytes"`   // as they were in rows
	Objects  int64  `json:"objectBytes"` // as they are now
	Deleted  int    `json:"deletedObjects"`
}

func (c *compact) run(ctx context.Context) error {
	if c.every < 0 || c.rest < time.Nanosecond || c.full < 1 || c.full > mostFull || c.remove && !c.strays || c.strays && c.every > 0 {
		return exit.Usagef(
			"--every is not negative, --rest and --full are above 0, --full is 256MiB at most, --delete goes with --strays, and --strays is done once")
	}
	at, err := c.database("core compact")
	if err != nil {
		return err
	}
	if !at.Objects.IsSet() {
		return exit.Usagef("there is no object store: name it with --objects DIR or --objects s3://BUCKET/PREFIX")
	}
	core, err := at.Open(ctx)
	if err != nil {
		return told(err)
	}
	defer core.Close()
	store, err := at.Objects.Open()
	if err != nil {
		return told(err)
	}
	defer store.Close()
	with := &cold.Compactor{Core: core, Store: store, Full: int64(c.full), Rest: c.rest}
	if c.strays {
		return c.stray(ctx, with)
	}
	for {
		err := c.once(ctx, with)
		switch {
		case ctx.Err() != nil && c.every > 0:
			return nil
		case c.every == 0:
			return told(err)
		case err != nil:
			c.con.Say(exit.Words(told(err)))
		}
		again := time.NewTimer(c.every)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return nil
		}
	}
}

// once is one time, of which is told what was done also where it did not end well.
func (c *compact) once(ctx context.Context, with *cold.Compactor) error {
	r, err := with.Pass(ctx)
	d := done{Sessions: r.Sessions, Segments: r.Segments, Events: r.Events, Lines: r.Lines, Objects: r.Bytes}
	deleted, failed := with.Sweep(ctx) // also where nothing could be moved: what goes makes room
	d.Deleted = deleted
	return errors.Join(err, failed, c.print(&d))
}

func (c *compact) print(d *done) error {
	if c.asJSON {
		return json.NewEncoder(c.con.Out).Encode(d)
	}
	_, err := fmt.Fprintf(c.con.Out, "%d events of %d sessions moved: %d bytes of lines are %d bytes in %d objects; %d objects deleted\n",
		d.Events, d.Sessions, d.Lines, d.Objects, d.Segments, d.Deleted)
	return err
}

// stray tells of strays, and deletes them where that is wanted.
func (c *compact) stray(ctx context.Context, with *cold.Compactor) error {
	count, bytes := 0, int64(0)
	for info, err := range with.Strays(ctx) {
		if err != nil {
			return told(err)
		}
		if _, err := fmt.Fprintln(c.con.Out, info.Key); err != nil {
			return err
		}
		if c.remove {
			if err := with.Store.Delete(ctx, info.Key); err != nil {
				return told(err)
			}
		}
		count, bytes = count+1, bytes+info.Size
	}
	what := "--delete deletes them; not where the database has come out of a backup, or is not the store's"
	if c.remove {
		what = "they are deleted"
	}
	c.con.Say(fmt.Sprintf("%d objects, %d bytes, of which the database knows nothing; %s", count, bytes, what))
	return nil
}

// toldObjects is an error of the store's as exit tells it; others stay as they are.
func toldObjects(err error) error {
	var access *objects.AccessError
	var away *objects.AwayError
	var full *objects.FullError
	switch {
	case errors.As(err, &access):
		return exit.WithHint(fmt.Errorf("the object store refuses: %w", access.Err), access.Hint)
	case errors.As(err, &away):
		return exit.WithHint(fmt.Errorf("the object store does not answer: %w", away.Err), "look whether it runs, and whether this machine reaches it")
	case errors.As(err, &full):
		return exit.WithHint(fmt.Errorf("the object store has no room: %w", full.Err), "make room there, and do it again")
	}
	return err
}
