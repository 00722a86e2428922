package demo

import (
	"context"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/browser"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// exhibits are the sessions of the page. The script "demo" has a turn for each prompt; the last one asks.
var exhibits = []struct{ title, prompt string }{
	{"Changelog", "Write the changelog of the last release."},
	{"Slow start", "Find out why the program starts slowly."},
	{"Translations", "Look for texts that are not translated yet."},
	{"The parser's test", prompt},
}

// exhibition shows sessions in the page.
type exhibition struct {
	con    *console.Console
	client *client.Client
	folder string
	base   string
	work   string
	link   bool // it is printed, and nothing opened
}

// open begins the sessions, and opens the page.
func (x *exhibition) open(ctx context.Context) error {
	for _, s := range exhibits {
		_, err := x.client.Create(ctx, client.New{NewSession: resource.NewSession{
			Agent: scripted.Name, Cwd: x.work, Title: s.title, Prompt: &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: s.prompt}},
		}})
		if err != nil {
			return err
		}
	}
	code, err := x.client.Logins().Ask(ctx)
	if err != nil {
		return err
	}
	x.say("A daemon runs in a temporary folder, and %d sessions of the scripted agent in it. One of them asks you something in a few seconds.", len(exhibits))
	x.say("Another link to the page: ringmaster web --data %s", x.folder)
	if err := browser.Show(ctx, x.con, x.base+"/", code.Code, x.link, "ringmaster demo --web --print has the link"); err != nil {
		return err
	}
	x.say("It stays until Ctrl-C, and leaves nothing behind.")
	return nil
}

func (x *exhibition) say(format string, args ...any) {
	_, _ = fmt.Fprintf(x.con.Out, format+"\n", args...)
}
