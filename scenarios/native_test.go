package scenarios

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	program "github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/scenarios/fake"
)

// The real agents, whose programs are played: package fake says how.

type (
	playedClaude struct {
		claude.Agent
		played
	}
	playedCodex struct {
		codex.Agent
		played
	}
	playedDroid struct {
		droid.Agent
		played
	}
	playedOpenCode struct {
		opencode.Agent
		played
	}
	playedPi struct {
		pi.Agent
		played
	}
)

// played finds a program on the stage.
type played struct {
	stage *fake.Stage
	name  string
}

func (p played) find() adapters.Installation {
	version, _ := p.stage.Version(p.name)
	return adapters.Installation{Program: p.name, Version: version, Tested: true}
}

func (a playedClaude) Find(context.Context) adapters.Installation   { return a.find() }
func (a playedCodex) Find(context.Context) adapters.Installation    { return a.find() }
func (a playedDroid) Find(context.Context) adapters.Installation    { return a.find() }
func (a playedOpenCode) Find(context.Context) adapters.Installation { return a.find() }
func (a playedPi) Find(context.Context) adapters.Installation       { return a.find() }

// programVariables name the programs of this build's agents but the scripted one, by their names.
var programVariables = func() map[string]string {
	names := map[string]string{}
	for _, a := range program.Agents(datafolder.Folder{}, "") {
		if _, is := a.(scripted.Agent); !is {
			names[a.Name()] = "RINGMASTER_" + strings.ToUpper(a.Name())
		}
	}
	return names
}()

// playing is a real agent on a stage. It embeds the agent, so that it has all of the agent's interfaces.
func playing(stage *fake.Stage, name string) (adapters.Agent, error) {
	p := played{stage, name}
	switch name {
	case "claude":
		return playedClaude{played: p}, nil
	case "codex":
		return playedCodex{played: p}, nil
	case "droid":
		return playedDroid{played: p}, nil
	case "opencode":
		return playedOpenCode{played: p}, nil
	case "pi":
		return playedPi{played: p}, nil
	}
	return nil, fmt.Errorf("there is no agent %s that a script could be for: playing in scenarios/native_test.go has those that there are", name)
}

// script is what scripted agents do from their next start on, or the program of an agent.
func (w *world) script(a args) error {
	if a["AGENT"] == "" {
		b, bubbled := w.daemon.(*bubble)
		if !bubbled {
			return fmt.Errorf("a script can be set in the bubble only; a prompt can carry one everywhere")
		}
		b.stage.setScript(w.data(a["FILE"]))
		return nil
	}
	text, err := fake.Inline(string(w.data(a["FILE"])), func(name string) (string, error) {
		b, err := os.ReadFile(filepath.Join(filepath.Dir(w.file.path), name))
		return string(w.expand(b)), err
	})
	if err != nil {
		return err
	}
	return w.daemon.play(a["AGENT"], text)
}

func (b *bubble) play(agent, script string) error {
	s, err := fake.Parse(script)
	if err != nil {
		return err
	}
	if _, ok := b.stage.fake.Version(agent); !ok {
		if b.super != nil {
			return fmt.Errorf("the first script for %s comes before the first step that needs the daemon", agent)
		}
		playing, err := playing(&b.stage.fake, agent)
		if err != nil {
			return err
		}
		b.stage.real = append(b.stage.real, playing)
	}
	b.stage.fake.Set(agent, s)
	return nil
}

// DialContext reaches agents that listen.
func (s *stage) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return s.fake.DialContext(ctx, network, address)
}

func (p *built) play(agent, script string) error {
	s, err := fake.Parse(script)
	if err != nil {
		return err
	}
	p.fake.Set(agent, s.Attached())
	if slices.Contains(p.played, agent) {
		return fmt.Errorf("the script for %s cannot be changed where it is a process", agent)
	}
	if _, err := fake.Install(p.agents, agent, script); err != nil {
		return err
	}
	p.played = append(p.played, agent)
	return nil
}

func (p *built) endpoint(agent string) (string, error) { return p.fake.Endpoint(agent) }

// environment is that of the daemon: programs that are played are found, and none of this machine.
func (p *built) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(p.played, func(agent string) bool { return programVariables[agent] == name })
	})
	for _, agent := range p.played {
		env = append(env, programVariables[agent]+"="+filepath.Join(p.agents, agent))
	}
	return env
}
