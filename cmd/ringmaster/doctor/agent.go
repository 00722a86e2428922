package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// checkAgent says what was found of an agent: first whether it can be used, then whether it is set up.
func checkAgent(ctx context.Context, a adapters.Agent) []finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return verdictOfAgent(a.Name(), a.Find(ctx))
}

// agentsOfDaemon says how the daemon knows processes of agents, and what it found of each agent; false: none answers.
func agentsOfDaemon(ctx context.Context, target *lifecycle.Target) (list []finding, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	c, err := target.Reach(ctx)
	if err != nil {
		return nil, false
	}
	defer c.Close()
	var raw json.RawMessage
	agents, err := c.Agents(client.WithRaw(ctx, &raw))
	var with struct {
		Processes *resource.Processes `json:"processes"` // nil: a daemon of before
	}
	if err != nil || json.Unmarshal(raw, &with) != nil {
		return nil, false
	}
	if with.Processes != nil {
		list = append(list, verdictOfProcesses(*with.Processes))
	}
	for _, a := range agents.Agents {
		found := adapters.Installation{Program: a.Program, Version: a.Version, Tested: a.Tested, Problem: a.Problem, Hint: a.Hint}
		list = append(list, verdictOfAgent(a.Name, found)...)
	}
	return list, true
}

// verdictOfAgent judges what was found.
func verdictOfAgent(name string, found adapters.Installation) []finding {
	f := finding{"agent " + name, verdictOK, strings.TrimSpace(found.Version + " at " + found.Program), found.Hint}
	switch {
	case found.Problem != "":
		f.Verdict, f.Text = verdictWarning, found.Problem
	case found.Program == "":
		f.Verdict, f.Text = verdictWarning, "not found"
	case !found.Tested:
		f.Verdict, f.Text = verdictWarning, f.Text+": not a version that the adapter was tested with"
	}
	list := []finding{f}
	if s, known := setups[name]; known && found.Problem == "" && found.Program != "" {
		list = append(list, s.check(f.Check))
	}
	return list
}

// setup is where an agent keeps what it needs to work: keys and a login. Whether these are good, only the agent can tell.
type setup struct {
	env   string   // variable that names the folder; empty, or not set: folder counts
	home  string   // folder in the home folder
	files []string // one of them is enough
	keys  []string // environment variables of which one is enough, too
	login string   // the command that sets it up
}

var setups = map[string]setup{
	"pi": {
		env: "PI_CODING_AGENT_DIR", home: ".pi/agent", files: []string{"auth.json", "models.json"},
		keys: []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"}, login: "pi, then /login",
	},
	"codex": {
		env: "CODEX_HOME", home: ".codex", files: []string{"auth.json", "config.toml"},
		keys: []string{"OPENAI_API_KEY", "CODEX_API_KEY"}, login: "codex login",
	},
	"droid": {home: ".factory", files: []string{"auth.json", "auth.v2.file", "settings.json"}, keys: []string{"FACTORY_API_KEY"}, login: "droid, then /login"},
	"claude": {
		env: "CLAUDE_CONFIG_DIR", home: ".claude", files: []string{".credentials.json", "settings.json"},
		keys: []string{"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"}, login: "claude, then /login",
	},
	"opencode": {
		home: ".", files: []string{".local/share/opencode/auth.json", ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"},
		keys: []string{"OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"}, login: "opencode auth login",
	},
}

// check looks for one of the files or keys.
func (s *setup) check(name string) finding {
	for _, k := range s.keys {
		if os.Getenv(k) != "" {
			return finding{name, verdictOK, "set up by " + k, ""}
		}
	}
	folder := os.Getenv(s.env)
	if s.env == "" || folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return finding{name, verdictWarning, "its configuration was not looked for: " + err.Error(), ""}
		}
		folder = filepath.Join(home, filepath.FromSlash(s.home))
	}
	for _, file := range s.files {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if _, err := os.Stat(path); err == nil { //nolint:gosec // where the operator's own agent keeps its login
			return finding{name, verdictOK, "set up in " + path, ""}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return finding{name, verdictWarning, "its configuration cannot be read: " + err.Error(), ""}
		}
	}
	return finding{name, verdictWarning, "no login and no key was found in " + folder, s.login}
}
