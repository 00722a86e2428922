package opencode

import (
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// settings are the model and the mode that prompts ask for. The agent keeps both for the session, so each is said until a
// message of the agent shows it. A mode is what OpenCode calls an agent.
type settings struct {
	model, mode   string // wanted; empty: the session's own
	models, modes map[string]bool
}

// modelsAnswered takes the models that there are.
func (s *settings) modelsAnswered(a *httpline.Answer, out *adapters.Output) {
	var list struct {
		Providers []struct {
			ID     string `json:"id"`
			Models map[string]struct {
				Name string `json:"name"`
			} `json:"models"`
		} `json:"providers"`
	}
	if !a.OK() || native.Decode(a.Body, &list) != nil {
		return
	}
	offered := []adapters.Choice{}
	s.models = map[string]bool{}
	for _, p := range list.Providers {
		for _, id := range slices.Sorted(maps.Keys(p.Models)) {
			if name := modelName(p.ID, id); name != "" && !s.models[name] {
				s.models[name] = true
				offered = append(offered, adapters.Choice{ID: name, Label: p.Models[id].Name})
			}
		}
	}
	out.Draft(adapters.Offered{Models: offered})
}

// modesAnswered takes the modes that there are.
func (s *settings) modesAnswered(a *httpline.Answer, out *adapters.Output) {
	var list []struct {
		Name   string `json:"name"`
		Mode   string `json:"mode"` // primary, subagent, all
		Hidden bool   `json:"hidden"`
	}
	if !a.OK() || native.Decode(a.Body, &list) != nil {
		return
	}
	offered := []adapters.Choice{}
	s.modes = map[string]bool{}
	for _, m := range list {
		if m.Name != "" && m.Mode != "subagent" && !m.Hidden && !s.modes[m.Name] {
			s.modes[m.Name] = true
			offered = append(offered, adapters.Choice{ID: m.Name})
		}
	}
	out.Draft(adapters.Offered{Modes: offered})
}

// setModel keeps the model for the next prompt: OpenCode has no other way. current is the model in use.
func (s *settings) setModel(c adapters.SetModel, current string, out *adapters.Output) {
	name := fullName(c.Model, current)
	if c.Model == "" || s.models != nil && !s.models[name] {
		refuse(c.ID, `OpenCode has no model "`+native.Head(c.Model, maxWord)+`"; its models are named provider/model`, out)
		return
	}
	s.model = name
	out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingNextTurn})
}

// fullName gives a name without a provider that of the model in use, where one is.
func fullName(name, current string) string {
	if provider, _, ok := cutModel(current); ok && !strings.Contains(name, "/") {
		return modelName(provider, name)
	}
	return name
}

// wanted is the model that a prompt asks for; nil: that of the session.
func (s *settings) wanted(current string, out *adapters.Output) *modelIn {
	if s.model == "" {
		return nil
	}
	provider, id, ok := cutModel(fullName(s.model, current))
	if !ok {
		out.Draft(adapters.Notice{Level: "warning", Kind: "model_unknown", Text: "OpenCode goes on with its own model: \"" +
			native.Head(s.model, maxWord) + "\" has no provider, its models are named provider/model."})
		s.model = ""
		return nil
	}
	return &modelIn{provider, id}
}

// cutModel cuts a model's name into provider and model, which may have slashes of its own.
func cutModel(name string) (provider, id string, ok bool) {
	provider, id, ok = strings.Cut(name, "/")
	return provider, id, ok && provider != "" && id != ""
}

// setMode keeps the mode for the next prompt.
func (s *settings) setMode(c adapters.SetMode, out *adapters.Output) {
	if c.Mode == "" || s.modes != nil && !s.modes[c.Mode] {
		refuse(c.ID, `OpenCode has no mode "`+native.Head(c.Mode, maxWord)+`"`, out)
		return
	}
	s.mode = c.Mode
	out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingNextTurn})
}

// maxWord is how much of a word that the agent does not know is repeated, in bytes.
const maxWord = 200

func refuse(id, why string, out *adapters.Output) {
	out.Draft(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: why})
}

// applied notes that a message of the agent shows model and mode.
func (s *settings) applied(model, mode string) {
	if s.model == model {
		s.model = ""
	}
	if s.mode == mode {
		s.mode = ""
	}
}
