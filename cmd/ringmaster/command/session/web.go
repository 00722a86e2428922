package session

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

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
	return w.open(ctx, address+path, "#login="+code.Code)
}

// open has a browser open a page with its code, or prints the link.
func (w *web) open(ctx context.Context, page, code string) error {
	const good = "it logs a browser in once, within a minute"
	why := "open this link: "
	if !w.print {
		err := openInBrowser(ctx, page+code, openPatience)
		if err == nil {
			w.con.Say("a browser was asked to open " + page + ", logged in (--print has the link)")
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		why = "no browser was opened: " + err.Error() + "; open this link: "
	}
	w.con.Say(why + good)
	_, err := fmt.Fprintln(w.con.Out, page+code)
	return err
}

// openPatience is for the desktop to say that it has no browser. Some open it in their own process, and say nothing until it is closed.
const openPatience = 2 * time.Second
