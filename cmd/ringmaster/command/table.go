package command

import (
	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/core"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/node"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/session"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/webhook"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/demo"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/doctor"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// constructor makes a command with what the process gives it and with the daemon that the command line means.
type constructor = func(*console.Console, *lifecycle.Target) *cobra.Command

// groups are all commands that help lists, in its order of groups.
var groups = []struct {
	id, title string
	commands  []constructor
}{
	{"start", "Start here:", []constructor{demo.Command, session.Run}},
	{"session", "Sessions:", []constructor{
		session.New, session.Native, session.List, session.Show, session.Send, session.Answer, session.Policy, session.Budget, session.Prompts, session.Model,
		session.Mode, session.Interrupt, session.End, session.Pin, session.Remove,
	}},
	{"read", "Reading:", []constructor{
		session.Top, session.Attach, session.Tail, session.Wait, newWatch, session.Web, session.Log, session.State, session.Raw, newImport,
	}},
	{"daemon", "The daemon and its agents:", []constructor{
		newUp, newDown, newRestart, newStatus, newLogs, newServe, newRoots, node.Command, newConfiguration, newService, newMCP, newToken, newOwner, newGC,
		webhook.Command, core.Command, newAgents, doctor.Command, newSelftest, newVersion,
	}},
}
