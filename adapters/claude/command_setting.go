package claude

import (
	"cmp"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// bypass is the mode in which the agent asks for nothing.
const bypass = "bypassPermissions"

// set sends a setting, id being that of its command. A sub-agent has none of its own.
func (c *calls) set(id, kind string, request any, out *adapters.Output) {
	if c.child != "" {
		out.Draft(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: "a sub-agent has the settings of its parent"})
		return
	}
	c.ask(sentControl{kind: kind, setting: id}, request, out)
}

// initialized takes the answer to the handshake: the agent takes prompts, and says what it offers.
func (t *told) initialized(response json.RawMessage, out *adapters.Output) {
	var r struct {
		Mode    string      `json:"current_permission_mode"`
		Version string      `json:"claude_code_version"`
		Models  []modelWire `json:"models"`
	}
	_ = native.Decode(response, &r)
	t.version = cmp.Or(r.Version, t.version)
	if !t.ready {
		t.Mode = r.Mode
		t.tellReady(out)
	}
	t.tell(native.Told{Mode: r.Mode}, out)
	if len(r.Models) > 0 {
		out.Draft(offered(r.Models, r.Mode))
	}
}

// modelWire is a model that the agent offers.
type modelWire struct {
	Value string `json:"value"`
	Name  string `json:"displayName"`
	Auto  bool   `json:"supportsAutoMode"`
}

// offered says what can be chosen. mode is the one that the program was started in.
func offered(models []modelWire, mode string) adapters.Offered {
	offered := adapters.Offered{Modes: []adapters.Choice{
		{ID: "default", Label: "Ask before dangerous operations"},
		{ID: "acceptEdits", Label: "Accept file edits"},
		{ID: "plan", Label: "Plan only"},
		{ID: "dontAsk", Label: "Deny what is not allowed already"},
	}}
	auto := false
	for _, m := range models {
		if m.Value != "" {
			offered.Models = append(offered.Models, adapters.Choice{ID: native.Head(m.Value, maxTitle), Label: native.Head(m.Name, maxTitle)})
		}
		auto = auto || m.Auto
	}
	if auto {
		offered.Modes = append(offered.Modes, adapters.Choice{ID: "auto", Label: "Let a classifier decide"})
	}
	if mode == bypass { // only a program that was started in it takes it again
		offered.Modes = append(offered.Modes, adapters.Choice{ID: bypass, Label: "Allow everything"})
	}
	return offered
}

// settingAnswered takes the answer to set_model or set_permission_mode: they count from the next model request on. The agent
// takes any model unchecked, and resolves the short names of its own.
func (t *told) settingAnswered(c sentControl, r *reply, out *adapters.Output) {
	var now struct {
		Model string `json:"model"`
		Mode  string `json:"mode"`
	}
	_ = native.Decode(r.Response, &now)
	answered := adapters.SettingAnswered{ID: c.setting, Result: adapters.SettingNow}
	if r.Subtype == "error" {
		answered.Result, answered.Error = adapters.SettingRefused, cmp.Or(native.Head(r.Error, maxNotice), "the agent refused it")
	}
	if !c.theirs {
		out.Draft(answered)
	}
	if answered.Result == adapters.SettingNow {
		t.tell(native.Told{Model: now.Model, Mode: now.Mode}, out)
	}
}
