package core

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// doors opens the credentials of nodes.
func (p *place) doors(ctx context.Context, does string) (core.Doors, error) {
	at, err := p.database(does)
	if err != nil {
		return nil, err
	}
	d, err := postgres.OpenDoors(ctx, at.URL, postgres.Options{Password: at.Password, Connections: 1})
	return d, told(err)
}

// admit is the command core admit.
type admit struct {
	con *console.Console
	place
	node string
}

func newAdmit(con *console.Console, target *lifecycle.Target) *cobra.Command {
	a := &admit{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:   "admit NAME",
		Short: "Make a token with which a node reaches Core over HTTP, and print it, this once",
		Long: `Make a token with which one node reaches Core over HTTP (ringmaster core serve), and print it, this once. The name is for people. The token is
of the first new node that uses it, and of no other from then on; with --node it is of the node with that id, such as one that was there before.

The database has the token's SHA-256 alone. Whoever has the database's password may admit nodes, and nobody else.`,
		Args: console.Args(1, 1),
		Example: `  (umask 077; ringmaster core admit rack-1 > rack-1.token)
  ringmaster core admit --node k7q2m4x6 rack-1`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), args[0]) },
	}
	a.addTo(cmd)
	cmd.Flags().StringVar(&a.node, "node", "", "id of the node that it is for (ringmaster node ls)")
	return cmd
}

func (a *admit) run(ctx context.Context, name string) error {
	d, err := a.doors(ctx, "core admit")
	if err != nil {
		return err
	}
	defer d.Close()
	c, token := core.NewCredential(name, a.node)
	if err := d.Admit(ctx, c); err != nil {
		return told(err)
	}
	a.con.Say("token " + c.ID + " made; it is shown this once: put it into a file on the node, and name that with --core-token-file")
	_, err = fmt.Fprintln(a.con.Out, token)
	return err
}

// admitted is the command core admitted.
type admitted struct {
	con *console.Console
	place
	asJSON bool
}

func newAdmitted(con *console.Console, target *lifecycle.Target) *cobra.Command {
	a := &admitted{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:     "admitted",
		Short:   "List the tokens of nodes; never what they are",
		Args:    console.Args(0, 0),
		Example: "  ringmaster core admitted",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	a.addTo(cmd)
	cmd.Flags().BoolVar(&a.asJSON, "json", false, "one JSON object for each token")
	return cmd
}

// credential is what is told of one.
type credential struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Node string    `json:"node,omitempty"` // none: nobody has used it yet
	Made time.Time `json:"made"`
}

func (a *admitted) run(ctx context.Context) error {
	d, err := a.doors(ctx, "core admitted")
	if err != nil {
		return err
	}
	defer d.Close()
	list, err := d.Credentials(ctx)
	if err != nil {
		return told(err)
	}
	if a.asJSON {
		out := json.NewEncoder(a.con.Out)
		for i := range list {
			c := &list[i]
			if err := out.Encode(credential{c.ID, c.Name, c.Node, c.Made}); err != nil {
				return err
			}
		}
		return nil
	}
	var rows console.Table
	rows.Add("ID", "NODE", "AGE", "NAME")
	for i := range list {
		c, node := &list[i], "-"
		if c.Node != "" {
			node = c.Node
		}
		rows.Add(c.ID, node, console.Ago(a.con.Now(), c.Made), c.Name)
	}
	return rows.Print(a.con.Out)
}

// expel is the command core expel.
type expel struct {
	con *console.Console
	place
}

func newExpel(con *console.Console, target *lifecycle.Target) *cobra.Command {
	e := &expel{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:   "expel ID",
		Short: "Make a node's token void",
		Long: `Make a node's token void. Every ringmaster core serve refuses it two seconds later at the latest. The node's sessions work on, and are not
sent any more; those that others may go on with (--failover auto) are taken over when its lease has run out.`,
		Args:    console.Args(1, 1),
		Example: "  ringmaster core expel k3v7q2m4x6za",
		RunE:    func(cmd *cobra.Command, args []string) error { return e.run(cmd.Context(), args[0]) },
	}
	e.addTo(cmd)
	return cmd
}

func (e *expel) run(ctx context.Context, id string) error {
	d, err := e.doors(ctx, "core expel")
	if err != nil {
		return err
	}
	defer d.Close()
	gone, err := d.Expel(ctx, id)
	switch {
	case err != nil:
		return told(err)
	case !gone:
		return exit.WithHint(fmt.Errorf("there is no token %q", console.OneLine(id, 0)), "ringmaster core admitted lists them")
	}
	_, err = fmt.Fprintln(e.con.Out, console.OneLine(id, 0)+" is void")
	return err
}
