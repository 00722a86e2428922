package live

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	product "github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// outside is the value that the daemon has of each of them.
const outside = "of the session in which the daemon was started"

// sessionVariables are those of all agents, as the daemon has them.
func sessionVariables() (names []string) {
	for _, a := range product.Agents(datafolder.Folder{}, "") {
		if o, is := a.(adapters.Outer); is {
			names = append(names, o.SessionVariables()...)
		}
	}
	return names
}

// insideVariables reads what a command of the agent's gets: each variable that the agent itself has not is one that a daemon which is started there
// keeps from its agents, or says nothing of the session. The daemon of all rows is started with them: none of them reached the agent.
func insideVariables(w *world) {
	s := w.create(w.agent.free)
	s.send(w.agent.model.prompt(w, "Run it.", use(w.agent.run(`env | grep -o '^[A-Za-z_][A-Za-z0-9_]*='`)), say("It has run.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	var inside []string
	for _, word := range strings.Fields(s.tool().Output) {
		if name, _, ok := strings.Cut(word, "="); ok {
			inside = append(inside, name)
		}
	}
	if !slices.Contains(inside, "PATH") {
		s.fail("the command has %q", inside)
	}
	outer, own := sessionVariables(), []string{}
	for _, p := range w.daemon.family(w) {
		if p.parent != w.daemon.cmd.Process.Pid {
			continue
		}
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		if err != nil {
			w.Fatal(err)
		}
		for v := range strings.SplitSeq(string(env), "\x00") {
			name, value, _ := strings.Cut(v, "=")
			if own = append(own, name); value == outside {
				s.fail("the agent has %s of the daemon's", name)
			}
		}
	}
	inside = slices.DeleteFunc(inside, func(name string) bool {
		return slices.Contains(own, name) || slices.Contains(outer, name) || slices.Contains(w.agent.harmless, name)
	})
	if len(inside) > 0 {
		s.fail("a command has %q, which SessionVariables does not name", inside)
	}
}
