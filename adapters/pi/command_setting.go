package pi

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// settings follows what was set and is not answered.
type settings struct {
	waiting map[string]string // id of our set_model → id of the command
}

// maxModels is how many models are offered.
const maxModels = 1000

// model chooses the model of the next request. Pi answers with the model, or with the reason why not.
func (s *settings) model(c adapters.SetModel, calls *calls, out *adapters.Output) {
	provider, id, ok := strings.Cut(c.Model, "/")
	if !ok || provider == "" || id == "" {
		out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: `a model of Pi is named "provider/model"`})
		return
	}
	s.waiting[calls.ask(out, command{Type: "set_model", Provider: provider, ModelID: id})] = c.ID
}

// answered takes the answer to set_model, whoever sent it.
func (s *settings) answered(r *response, out *adapters.Output) {
	id, ours := s.waiting[r.ID]
	if !ours {
		return
	}
	delete(s.waiting, r.ID)
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
func offer(data json.RawMessage, out *adapters.Output) {
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
