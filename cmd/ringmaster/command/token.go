package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

func (p *Program) token() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke tokens of narrower scope than the daemon's own",
		Long: `The token in the data folder may do everything. Others are made of it, each for one holder:

  admin      everything, the tokens included
  admin:ro   reads everything but the tokens
  owner      makes sessions, and reads and changes those of its owner
  owner:ro   reads the sessions of its owner

A client gets one as its bearer token, this program with --token-file.`,
		Args:    args(0, 0),
		Example: "  ringmaster token create --name dashboard --scope admin:ro\n  ringmaster token list\n  ringmaster token revoke k3v7q2m4x6za",
		RunE: func(*cobra.Command, []string) error {
			return usagef("want create, list or revoke")
		},
	}
	for _, sub := range []*cobra.Command{p.createToken(), p.listTokens(), p.revokeToken()} {
		p.begin(sub)
		cmd.AddCommand(sub)
	}
	return cmd
}

func (p *Program) createToken() *cobra.Command {
	var n client.NewToken
	var expires time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make a token and print it, this once",
		Args:  args(0, 0),
		Example: `  ringmaster token create --name dashboard --scope admin:ro
  (umask 077; ringmaster token create --name ann --scope owner --owner ann --expires 720h > ann.token)`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n.Name == "" || n.Scope == "" {
				return usagef("want --name and --scope")
			}
			if expires < 0 {
				return usagef("--expires: want a time to come, such as 720h")
			}
			if expires > 0 {
				n.ExpiresAt = new(p.Now().Add(expires).UTC())
			}
			c, err := p.connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			made, secret, raw, err := c.CreateToken(cmd.Context(), n)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			p.say("token " + made.ID + " made; it is shown this once")
			_, err = fmt.Fprintln(p.Out, secret)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&n.Name, "name", "", "who or what will have it")
	f.StringVar(&n.Scope, "scope", "", "what it may do: admin, admin:ro, owner or owner:ro")
	f.StringVar(&n.Owner, "owner", "", "whose sessions, with the scopes owner and owner:ro")
	f.DurationVar(&expires, "expires", 0, "how long it is valid, such as 720h (default: until it is revoked)")
	f.BoolVar(&asJSON, "json", false, "the daemon's answer as it is, the token in it")
	_ = cmd.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"admin", "admin:ro", "owner", "owner:ro"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (p *Program) listTokens() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the tokens that are valid; never what they are",
		Args:    args(0, 0),
		Example: "  ringmaster token list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			list, raw, err := c.Tokens(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			var t table
			t.add("ID", "SCOPE", "OWNER", "AGE", "EXPIRES", "NAME")
			for _, k := range list {
				owner, expires := "-", "never"
				if k.Owner != "" {
					owner = k.Owner
				}
				if k.ExpiresAt != nil {
					expires = k.ExpiresAt.Format(time.RFC3339)
				}
				t.add(k.ID, k.Scope, owner, ago(p.Now(), k.CreatedAt), expires, k.Name)
			}
			return t.print(p.Out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (p *Program) revokeToken() *cobra.Command {
	return &cobra.Command{
		Use:     "revoke ID",
		Short:   "Make a token void at once, with its streams and MCP sessions",
		Args:    args(1, 1),
		Example: "  ringmaster token revoke k3v7q2m4x6za",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := p.connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			if err := c.RevokeToken(cmd.Context(), args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.Out, oneLine(args[0], 0)+" revoked")
			return err
		},
	}
}
