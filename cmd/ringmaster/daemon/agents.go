package daemon

import (
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// Agents are the agents of this build. The scripted one keeps its sessions in the data folder, as a real one keeps its
// own at home, so that it can go on after a restart.
func Agents(folder datafolder.Folder, version string) []adapters.Agent {
	return []adapters.Agent{
		claude.Agent{}, codex.Agent{}, droid.Agent{}, opencode.Agent{}, pi.Agent{}, scriptedAgent(folder, version),
	}
}

func scriptedAgent(folder datafolder.Folder, version string) scripted.Agent {
	return scripted.Agent{Native: pi.Agent{}, Version: version, SessionDir: filepath.Join(folder.Path, "scripted")}
}

// DemoAgents is the scripted agent alone, with the script of the demonstration.
func DemoAgents(folder datafolder.Folder, version string) []adapters.Agent {
	return []adapters.Agent{demoAgent{scriptedAgent(folder, version)}}
}

type demoAgent struct{ scripted.Agent }

// Launch adds the script to the arguments.
func (a demoAgent) Launch(spec adapters.Spec) adapters.Launch {
	l := a.Agent.Launch(spec)
	l.Args = append(l.Args, "--script", "demo")
	return l
}

// outer names the variables of sessions of agents in which the daemon may have been started.
func outer(agents []adapters.Agent) (names []string) {
	for _, a := range agents {
		if o, is := a.(adapters.Outer); is {
			names = append(names, o.SessionVariables()...)
		}
	}
	return names
}
