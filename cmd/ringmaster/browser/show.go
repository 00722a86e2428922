// Package browser opens the daemon's page, logged in, in the browser of this desktop.
package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
)

// Show has a browser open a page with the code that logs it in, or prints the link: where there is no browser, and where onlyPrint is set. hint is how
// to see the link of a page that a browser was asked to open.
func Show(ctx context.Context, con *console.Console, page, code string, onlyPrint bool, hint string) error {
	const good = "it logs a browser in once, within a minute"
	link, why := page+"#login="+code, "open this link: "
	if !onlyPrint {
		err := open(ctx, link, patience)
		if err == nil {
			con.Say("a browser was asked to open " + page + ", logged in (" + hint + ")")
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		why = "no browser was opened: " + err.Error() + "; open this link: "
	}
	con.Say(why + good)
	_, err := fmt.Fprintln(con.Out, link)
	return err
}

// patience is for the desktop to say that it has no browser. Some open it in their own process, and say nothing until it is closed.
const patience = 2 * time.Second
