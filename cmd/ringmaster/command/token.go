package command

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// newToken makes the command token, and what is below it.
func newToken(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke tokens of narrower scope than the daemon's own",
		Long: `The token in the data folder may do everything. Others are made of it, each for one holder:

  admin      everything, the tokens included
  admin:ro   reads everything but the tokens
  owner      makes sessions, and reads and changes those of its owner
  owner:ro   reads the sessions of its owner

A client gets one as its bearer token, this program with --token-file.

Pages that are logged in have tokens too. The list says which token has asked for each, with which it is void.`,
		Args:    console.Args(0, 0),
		Example: "  ringmaster token create --name dashboard --scope admin:ro\n  ringmaster token list\n  ringmaster token revoke k3v7q2m4x6za",
		RunE: func(*cobra.Command, []string) error {
			return exit.Usagef("want create, list or revoke")
		},
	}
	cmd.AddCommand(newTokenCreate(con, target), newTokenList(con, target), newTokenRevoke(con, target))
	return cmd
}

// tokenCreate is the command token create.
type tokenCreate struct {
	con     *console.Console
	target  *lifecycle.Target
	wanted  resource.NewToken
	expires time.Duration
	asJSON  bool
}

func newTokenCreate(con *console.Console, target *lifecycle.Target) *cobra.Command {
	t := &tokenCreate{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make a token and print it, this once",
		Args:  console.Args(0, 0),
		Example: `  ringmaster token create --name dashboard --scope admin:ro
  (umask 077; ringmaster token create --name ann --scope owner --owner ann --expires 720h > ann.token)`,
		RunE: t.run,
	}
	f := cmd.Flags()
	f.StringVar(&t.wanted.Name, "name", "", "who or what will have it")
	f.StringVar(&t.wanted.Scope, "scope", "", "what it may do: admin, admin:ro, owner or owner:ro")
	f.StringVar(&t.wanted.Owner, "owner", "", "whose sessions, with the scopes owner and owner:ro")
	f.DurationVar(&t.expires, "expires", 0, "how long it is valid, such as 720h (default: until it is revoked)")
	f.BoolVar(&t.asJSON, "json", false, "the daemon's answer as it is, the token in it")
	console.CompleteWords(cmd, "scope", "admin", "admin:ro", "owner", "owner:ro")
	return cmd
}

func (t *tokenCreate) run(cmd *cobra.Command, _ []string) error {
	if t.wanted.Name == "" || t.wanted.Scope == "" {
		return exit.Usagef("want --name and --scope")
	}
	if t.expires < 0 {
		return exit.Usagef("--expires: want a time to come, such as 720h")
	}
	if t.expires > 0 {
		t.wanted.ExpiresAt = new(t.con.Now().Add(t.expires).UTC())
	}
	c, err := t.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	made, err := c.Tokens().Create(client.WithRaw(cmd.Context(), &raw), t.wanted)
	if err != nil {
		return err
	}
	if t.asJSON {
		return console.PrintJSON(t.con.Out, raw)
	}
	t.con.Say("token " + made.ID + " made; it is shown this once")
	_, err = fmt.Fprintln(t.con.Out, made.Token)
	return err
}

// tokenList is the command token list.
type tokenList struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
}

func newTokenList(con *console.Console, target *lifecycle.Target) *cobra.Command {
	t := &tokenList{con: con, target: target}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the tokens that are valid; never what they are",
		Args:    console.Args(0, 0),
		Example: "  ringmaster token list",
		RunE:    t.run,
	}
	cmd.Flags().BoolVar(&t.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (t *tokenList) run(cmd *cobra.Command, _ []string) error {
	c, err := t.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	list, err := c.Tokens().List(client.WithRaw(cmd.Context(), &raw))
	if err != nil {
		return err
	}
	if t.asJSON {
		return console.PrintJSON(t.con.Out, raw)
	}
	var rows console.Table
	rows.Add("ID", "SCOPE", "OWNER", "AGE", "EXPIRES", "ASKED BY", "NAME")
	for _, k := range list {
		owner, expires := "-", "never"
		if k.Owner != "" {
			owner = k.Owner
		}
		if k.ExpiresAt != nil {
			expires = k.ExpiresAt.Format(time.RFC3339)
		}
		asked := "-"
		if k.AskedBy != "" {
			asked = k.AskedBy
		}
		rows.Add(k.ID, k.Scope, owner, console.Ago(t.con.Now(), k.CreatedAt), expires, asked, k.Name)
	}
	return rows.Print(t.con.Out)
}

// tokenRevoke is the command token revoke.
type tokenRevoke struct {
	con    *console.Console
	target *lifecycle.Target
}

func newTokenRevoke(con *console.Console, target *lifecycle.Target) *cobra.Command {
	t := &tokenRevoke{con: con, target: target}
	return &cobra.Command{
		Use:     "revoke ID",
		Short:   "Make a token void at once, with its streams and MCP sessions",
		Args:    console.Args(1, 1),
		Example: "  ringmaster token revoke k3v7q2m4x6za",
		RunE:    t.run,
	}
}

func (t *tokenRevoke) run(cmd *cobra.Command, args []string) error {
	c, err := t.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Tokens().Revoke(cmd.Context(), args[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintln(t.con.Out, console.OneLine(args[0], 0)+" revoked")
	return err
}
