package claude

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// sentControl is a control request that went to the agent and is not answered.
type sentControl struct {
	kind    string // its subtype
	setting string // id of the SetModel or SetMode command
	theirs  bool   // somebody else sent it
}

// The control requests that go to the agent.
type (
	initialize struct {
		Subtype             string `json:"subtype"`
		ForwardSubagentText bool   `json:"forwardSubagentText"`
	}
	interrupt struct {
		Subtype      string `json:"subtype"`
		CancelQueued bool   `json:"cancel_queued"` // what waits in the agent's queue would start the next turn
	}
	setModel struct {
		Subtype string `json:"subtype"`
		Model   string `json:"model"`
	}
	setMode struct {
		Subtype string `json:"subtype"`
		Mode    string `json:"mode"`
	}
	stopTask struct {
		Subtype string `json:"subtype"`
		TaskID  string `json:"task_id"`
	}
)

// ownPrefix begins the ids of the translator's own control requests; those of a sub-agent name it, so that they are unique on
// the connection.
const ownPrefix = "rm-"

// ask sends a control request.
func (t *Translator) ask(out *adapters.Output, c sentControl, request any) {
	t.ids++
	id := ownPrefix
	if t.spec.Child {
		id += t.child.native + "-"
	}
	id += strconv.Itoa(t.ids)
	t.remember(id, c)
	send(out, control{Type: "control_request", RequestID: id, Request: encode(request)})
}

// maxControls is how many control requests without an answer are remembered.
const maxControls = 256

func (t *Translator) remember(id string, c sentControl) {
	if len(t.controls) >= maxControls {
		clear(t.controls)
	}
	t.controls[id] = c
}

// controlSent takes a control request that somebody else sent.
func (t *Translator) controlSent(id string, request json.RawMessage) {
	var r struct {
		Subtype string `json:"subtype"`
	}
	_ = native.Decode(request, &r)
	t.remember(id, sentControl{kind: r.Subtype, theirs: true})
}

// interrupting says that an interrupt was sent and is not answered.
func (t *Translator) interrupting() bool {
	for _, c := range t.controls {
		if c.kind == "interrupt" {
			return true
		}
	}
	return false
}

// Command puts a command into lines.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	switch c := cmd.(type) {
	case adapters.Prompt:
		t.prompt(c, out)
	case adapters.Interrupt:
		if t.spec.Child {
			t.stopSelf(out)
		} else {
			t.ask(out, sentControl{kind: "interrupt"}, interrupt{Subtype: "interrupt", CancelQueued: true})
		}
	case adapters.Answer:
		t.answerAsk(c, out)
	case adapters.SetModel:
		if !t.childSetting(c.ID, out) {
			t.ask(out, sentControl{kind: "set_model", setting: c.ID}, setModel{Subtype: "set_model", Model: c.Model})
		}
	case adapters.SetMode:
		if !t.childSetting(c.ID, out) {
			t.ask(out, sentControl{kind: "set_permission_mode", setting: c.ID}, setMode{Subtype: "set_permission_mode", Mode: c.Mode})
		}
	}
}

// childSetting refuses the settings of sub-agents.
func (t *Translator) childSetting(id string, out *adapters.Output) bool {
	if t.spec.Child {
		out.Draft(adapters.SettingAnswered{
			ID: id, Result: adapters.SettingRefused, Error: "a sub-agent has the settings of its parent",
		})
	}
	return t.spec.Child
}

// controlResponse takes the answer to a control request.
func (t *Translator) controlResponse(line []byte, out *adapters.Output) {
	var e struct {
		Response struct {
			reply
			Pending []json.RawMessage `json:"pending_permission_requests"`
			Asked   []json.RawMessage `json:"pending_elicitation_requests"`
		} `json:"response"`
	}
	_ = native.Decode(line, &e)
	r := &e.Response
	c := t.controls[r.RequestID]
	delete(t.controls, r.RequestID)
	switch c.kind {
	case "initialize":
		t.initialized(r.Response, out)
	case "set_model", "set_permission_mode":
		t.settingAnswered(c, &r.reply, out)
	}
	for _, pending := range append(r.Pending, r.Asked...) { // asked before somebody else took the session up
		t.controlRequest(pending, out)
	}
	if r.Subtype == "error" && (c.theirs || c.kind == "initialize" || c.kind == "interrupt") {
		t.notice("warning", "command_failed", strings.TrimPrefix(c.kind+": "+r.Error, ": "), out)
	}
}

// initialized takes the answer to the handshake: the agent takes prompts, and says what it offers.
func (t *Translator) initialized(response json.RawMessage, out *adapters.Output) {
	var r struct {
		Mode    string `json:"current_permission_mode"`
		Version string `json:"claude_code_version"`
		Models  []struct {
			Value string `json:"value"`
			Name  string `json:"displayName"`
			Auto  bool   `json:"supportsAutoMode"`
		} `json:"models"`
	}
	_ = native.Decode(response, &r)
	t.told.version = cmp.Or(r.Version, t.told.version)
	if !t.told.ready {
		t.told.Mode = r.Mode
		t.ready(out)
	}
	t.tell(native.Told{Mode: r.Mode}, out)
	if len(r.Models) == 0 {
		return
	}
	offered := adapters.Offered{Modes: []adapters.Choice{
		{ID: "default", Label: "Ask before dangerous operations"},
		{ID: "acceptEdits", Label: "Accept file edits"},
		{ID: "plan", Label: "Plan only"},
		{ID: "dontAsk", Label: "Deny what is not allowed already"},
	}}
	auto := false
	for _, m := range r.Models {
		if m.Value != "" {
			offered.Models = append(offered.Models, adapters.Choice{ID: native.Head(m.Value, maxTitle), Label: native.Head(m.Name, maxTitle)})
		}
		auto = auto || m.Auto
	}
	if auto {
		offered.Modes = append(offered.Modes, adapters.Choice{ID: "auto", Label: "Let a classifier decide"})
	}
	if r.Mode == bypass { // only a program that was started in it takes it again
		offered.Modes = append(offered.Modes, adapters.Choice{ID: bypass, Label: "Allow everything"})
	}
	out.Draft(offered)
}

const bypass = "bypassPermissions"

// settingAnswered takes the answer to set_model or set_permission_mode: they count from the next model request on. The agent
// takes any model unchecked, and resolves the short names of its own.
func (t *Translator) settingAnswered(c sentControl, r *reply, out *adapters.Output) {
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
