package droid

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// settings are those that were sent and are not answered, by the ids of their requests.
type settings map[string]setting

type setting struct {
	id    string // of the SetModel or SetMode command
	model string
	mode  string
}

// setModel chooses a model.
func (s settings) setModel(c adapters.SetModel, calls *calls, out *adapters.Output) {
	if c.Model == "" {
		refuseSetting(c.ID, "no model was named", out)
		return
	}
	s[calls.ask(call{method: methodSettings}, settingsParams{ModelID: &c.Model}, out)] = setting{id: c.ID, model: c.Model}
}

// setMode chooses a mode.
func (s settings) setMode(c adapters.SetMode, calls *calls, out *adapters.Output) {
	var p settingsParams
	if !p.setMode(c.Mode) {
		refuseSetting(c.ID, native.Head(unknownMode(c.Mode), maxNoticed), out)
		return
	}
	s[calls.ask(call{method: methodSettings}, p, out)] = setting{id: c.ID, mode: c.Mode}
}

// accepted takes the answer that a setting is made. Seen on 0.225: the next model request of a running turn has the new model, the next
// tool the new mode.
func (s settings) accepted(request string, told *told, out *adapters.Output) {
	x, ours := s[request]
	if !ours {
		return
	}
	delete(s, request)
	told.tell(native.Told{Model: x.model, Mode: x.mode}, out)
	out.Draft(adapters.SettingAnswered{ID: x.id, Result: adapters.SettingNow})
}

// refused takes the answer that a setting is not made, and says whether it was one of ours.
func (s settings) refused(request, problem string, out *adapters.Output) (ours bool) {
	x, ours := s[request]
	if ours {
		delete(s, request)
		refuseSetting(x.id, problem, out)
	}
	return ours
}

func refuseSetting(id, problem string, out *adapters.Output) {
	out.Draft(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: problem})
}

// offer says what one may choose.
func offer(o *openedWire, out *adapters.Output) {
	offered := adapters.Offered{Models: []adapters.Choice{}, Modes: modes(o.Settings.Levels)}
	for _, m := range o.Models {
		same := func(c adapters.Choice) bool { return c.ID == m.ID }
		if m.ID != "" && !slices.ContainsFunc(offered.Models, same) {
			offered.Models = append(offered.Models, adapters.Choice{ID: m.ID, Label: m.DisplayName})
		}
	}
	out.Draft(offered)
}
