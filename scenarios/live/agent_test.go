package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// agent is a column of the table: how one agent's model is made to call its tools, how the agent is made to ask, and what
// it cannot do.
type agent struct {
	name     string
	newModel func(t testing.TB, address string) model
	model    model // while its rows run

	startModel  string // model to start with; empty: the agent's own choice
	otherModel  string // model to change to
	otherCalled string // what the model server hears of it then

	run     func(command string) call                     // its shell
	asks    func(command string) call                     // its shell, in a way that it asks before, in a session made with asking
	ask     func(question string, options ...string) call // asks the user
	helper  func(prompt string) call                      // starts a sub-agent
	await   func() call                                   // waits for a sub-agent, where starting one does not
	read    func(path string) call                        // reads a file, in a way that it asks before, in a session made with asking
	given   func(tool string, args any) call              // a tool of the daemon's MCP server
	inside  func(command string, ask bool) call           // as run and asks, for the model of a sub-agent; nil: those
	free    setting                                       // a session in which run does not ask; nil: any
	asking  setting                                       // a session in which asks does; nil: any
	unheld  setting                                       // as free, and without a sandbox that ends its commands; nil: as free
	beside  setting                                       // as unheld, in the folder of asking: a server's second folder costs as much as the first; nil: as unheld
	leading setting                                       // a session in which given asks before; nil: any
	helpful setting                                       // a session in which helper works; nil: any

	readsOutside bool                              // it asks only before it reads outside of the session's folder
	exitCodes    bool                              // it tells exit codes
	denyStop     protocol.TurnStatus               // how a turn ends whose tool call was refused with deny_stop
	lostTurn     protocol.TurnStatus               // how a turn ends whose agent was killed; empty: error
	endsDenied   bool                              // every refusal ends the turn
	persistent   bool                              // it gives ids to its messages
	usage        bool                              // it reports tokens
	attach       map[string]func(w *world) setting // by row: starts a server, and makes sessions use it

	harmless []string // variables that its commands get and that say nothing of the session, or nothing that another one minds

	cannot map[string]string // rows that make no sense with it, and why
}

// agents is the table's upper side.
var agents = []*agent{opencode, codex, droid, claude, pi}

// within is a shell call of a sub-agent.
func (a *agent) within(command string, ask bool) call {
	switch {
	case a.inside != nil:
		return a.inside(command, ask)
	case ask && a.asks != nil:
		return a.asks(command)
	default:
		return a.run(command)
	}
}

// variable names the environment variable that holds the program.
func (a *agent) variable() string { return "RINGMASTER_LIVE_" + strings.ToUpper(a.name) }

func (a *agent) program() string { return os.Getenv(a.variable()) }

// address is where the agent's scripted model listens.
func (a *agent) address(t *testing.T) string {
	t.Helper()
	name := "FAKELLM_" + strings.ToUpper(a.name)
	address := os.Getenv(name)
	if address == "" {
		t.Fatalf("%s does not say where the model of %s is", name, a.name)
	}
	return address
}

// every makes all of these settings.
func every(list ...setting) setting {
	return func(w *world, body map[string]any) {
		for _, set := range list {
			set(w, body)
		}
	}
}

// folder makes sessions work in a folder of their own, with these files.
func folder(name string, files map[string]string) setting {
	return func(w *world, body map[string]any) {
		dir := filepath.Join(w.daemon.root, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			w.Fatal(err)
		}
		for file, text := range files {
			path := filepath.Join(dir, file)
			if old, err := os.ReadFile(path); err == nil && string(old) == text {
				continue // another row has written it, and the agent may be reading it
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				w.Fatal(err)
			}
		}
		body["cwd"] = dir
	}
}
