package session

import (
	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/browser"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// web is the command of that name.
type web struct {
	con    *console.Console
	target *lifecycle.Target
	print  bool
}

// Web makes the command.
func Web(con *console.Console, target *lifecycle.Target) *cobra.Command {
	w := &web{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "web [SESSION]",
		Short: "Open the daemon's page in a browser, logged in",
		Long: `Open the daemon's page, or a session on it, in the browser of this desktop. The browser is logged in by a link that is good once, for a
minute. It may then do what this program may with the token that it uses, for 30 days, and is in ringmaster token list until it logs out.
--token-file with a token of narrower scope makes a page that may do no more than that.

Where there is no desktop, and with --print, the link is printed, to be opened in a browser that reaches the daemon's address.`,
		Args: console.Args(0, 1),
		Example: `  ringmaster web
  ringmaster web @last
  ringmaster web --print
  ringmaster --token-file wall.token web`,
		ValidArgsFunction: completeSession(target),
		RunE:              w.run,
	}
	cmd.Flags().BoolVar(&w.print, "print", false, "print the link and open nothing")
	return cmd
}

func (w *web) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	c, err := w.target.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	address, err := w.target.Page()
	if err != nil {
		return err
	}
	path := "/"
	if len(args) > 0 {
		id, err := resolve(ctx, c, args[0])
		if err != nil {
			return err
		}
		path += "s/" + id
	}
	code, err := c.Logins().Ask(ctx)
	if err != nil {
		return err
	}
	return browser.Show(ctx, w.con, address+path, code.Code, w.print, "--print has the link")
}
