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

// askChoices asks what there is to choose from.
func (t *Translator) askChoices(out *adapters.Output) {
	t.ask(out, call{kind: askModels, method: "GET", path: "/config/providers"})
	t.ask(out, call{kind: askModes, method: "GET", path: "/agent"})
	t.askServers(out)
}

func (t *Translator) modelsAnswered(a *httpline.Answer, out *adapters.Output) {
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
	t.settings.models = map[string]bool{}
	for _, p := range list.Providers {
		for _, id := range slices.Sorted(maps.Keys(p.Models)) {
			if name := modelName(p.ID, id); name != "" && !t.settings.models[name] {
				t.settings.models[name] = true
				offered = append(offered, adapters.Choice{ID: name, Label: p.Models[id].Name})
			}
		}
	}
	out.Draft(adapters.Offered{Models: offered})
}

func (t *Translator) modesAnswered(a *httpline.Answer, out *adapters.Output) {
	var list []struct {
		Name   string `json:"name"`
		Mode   string `json:"mode"` // primary, subagent, all
		Hidden bool   `json:"hidden"`
	}
	if !a.OK() || native.Decode(a.Body, &list) != nil {
		return
	}
	offered := []adapters.Choice{}
	t.settings.modes = map[string]bool{}
	for _, m := range list {
		if m.Name != "" && m.Mode != "subagent" && !m.Hidden && !t.settings.modes[m.Name] {
			t.settings.modes[m.Name] = true
			offered = append(offered, adapters.Choice{ID: m.Name})
		}
	}
	out.Draft(adapters.Offered{Modes: offered})
}

// setModel keeps the model for the next prompt: OpenCode has no other way.
func (t *Translator) setModel(c adapters.SetModel, out *adapters.Output) {
	name := t.fullName(c.Model)
	if c.Model == "" || t.settings.models != nil && !t.settings.models[name] {
		t.refuse(c.ID, `OpenCode has no model "`+native.Head(c.Model, maxWord)+`"; its models are named provider/model`, out)
		return
	}
	t.settings.model = name
	out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingNextTurn})
}

// fullName gives a name without a provider that of the provider in use, where one is.
func (t *Translator) fullName(name string) string {
	if provider, _, ok := cutModel(t.told.model); ok && !strings.Contains(name, "/") {
		return modelName(provider, name)
	}
	return name
}

// wanted is the model that a prompt asks for; nil: that of the session.
func (t *Translator) wanted(out *adapters.Output) *modelIn {
	if t.settings.model == "" {
		return nil
	}
	provider, id, ok := cutModel(t.fullName(t.settings.model))
	if !ok {
		out.Draft(adapters.Notice{Level: "warning", Kind: "model_unknown", Text: "OpenCode goes on with its own model: \"" +
			native.Head(t.settings.model, maxWord) + "\" has no provider, its models are named provider/model."})
		t.settings.model = ""
		return nil
	}
	return &modelIn{provider, id}
}

// cutModel cuts a model's name into provider and model, which may have slashes of its own.
func cutModel(name string) (provider, id string, ok bool) {
	provider, id, ok = strings.Cut(name, "/")
	return provider, id, ok && provider != "" && id != ""
}

func (t *Translator) setMode(c adapters.SetMode, out *adapters.Output) {
	if c.Mode == "" || t.settings.modes != nil && !t.settings.modes[c.Mode] {
		t.refuse(c.ID, `OpenCode has no mode "`+native.Head(c.Mode, maxWord)+`"`, out)
		return
	}
	t.settings.mode = c.Mode
	out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingNextTurn})
}

// maxWord is how much of a word that the agent does not know is repeated, in bytes.
const maxWord = 200

func (t *Translator) refuse(id, why string, out *adapters.Output) {
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
