package pi

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// maxModels is how many models are offered.
const maxModels = 1000

// setModel chooses the model of the next request. Pi answers with the model, or with the reason why not.
func (t *Translator) setModel(c adapters.SetModel, out *adapters.Output) {
	provider, id, ok := strings.Cut(c.Model, "/")
	if !ok || provider == "" || id == "" {
		out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: `a model of Pi is named "provider/model"`})
		return
	}
	t.settings[t.ask(out, command{Type: "set_model", Provider: provider, ModelID: id})] = c.ID
}

// modelAnswered takes the answer to set_model, whoever sent it.
func (t *Translator) modelAnswered(r *response, out *adapters.Output) {
	t.modelSet(r.Data, out)
	id, ours := t.settings[r.ID]
	if !ours {
		return
	}
	delete(t.settings, r.ID)
	a := adapters.SettingAnswered{ID: id}
	if !r.Success {
		a.Result, a.Error = adapters.SettingRefused, native.Head(r.Error, maxNoticed)
		if a.Error == "" {
			a.Error = "the agent refused the model"
		}
	}
	out.Draft(a)
}

// offer says what models there are.
func (t *Translator) offer(data json.RawMessage, out *adapters.Output) {
	var d struct {
		Models []struct {
			model
			Name string `json:"name"`
		} `json:"models"`
	}
	if native.Decode(data, &d) != nil {
		return
	}
	list := []adapters.Choice{}
	for _, m := range d.Models {
		if m.Provider != "" && m.ID != "" && len(list) < maxModels {
			list = append(list, adapters.Choice{ID: m.model.name(), Label: m.Name})
		}
	}
	out.Draft(adapters.Offered{Models: list})
}
