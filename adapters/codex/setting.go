package codex

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// mode is one way to work: what may be done without asking. Codex has no word for it; these are its own presets, and its
// planning mode, which leaves them as they are.
type mode struct {
	id, label string
	policy    string // type of the sandbox policy
	start     string // the same in thread/start
	approval  string
}

const planMode = "plan"

var modes = []mode{
	{"read-only", "Read only: asks before it writes or runs anything that could", "readOnly", "read-only", "on-request"},
	{"workspace-write", "Works in its folder, asks before it goes beyond", "workspaceWrite", "workspace-write", "on-request"},
	{"full-access", "Does everything without asking", "dangerFullAccess", "danger-full-access", "never"},
	{planMode, "Plans only", "", "", ""},
}

func modeByID(id string) *mode {
	for i := range modes {
		if modes[i].id == id {
			return &modes[i]
		}
	}
	return nil
}

// mode is the mode that the thread is in; empty: not known, or none of those.
func (t *Translator) mode() string {
	if t.told.planning {
		return planMode
	}
	for _, m := range modes {
		if m.policy == t.told.sandbox && m.policy != "" {
			return m.id
		}
	}
	return ""
}

// settingsUpdate are the parameters of thread/settings/update. It counts from the next turn on.
type settingsUpdate struct {
	ThreadID      string         `json:"threadId"`
	Model         string         `json:"model,omitempty"`
	Approval      string         `json:"approvalPolicy,omitempty"`
	Policy        *sandboxPolicy `json:"sandboxPolicy,omitempty"`
	Collaboration *collaboration `json:"collaborationMode,omitempty"`
}

// collaboration is the planning mode, or "default". It repeats the model and the effort, or they would change.
type collaboration struct {
	Mode     string `json:"mode"`
	Settings struct {
		Model  string  `json:"model"`
		Effort *string `json:"reasoning_effort"`
	} `json:"settings"`
}

func (t *Translator) collaborate(mode string) *collaboration {
	c := &collaboration{Mode: mode}
	c.Settings.Model = t.told.model
	if t.told.effort != "" {
		c.Settings.Effort = &t.told.effort
	}
	return c
}

func (t *Translator) setModel(c adapters.SetModel, out *adapters.Output) {
	if t.refuseSetting(c.ID, c.Model, out) {
		return
	}
	t.ask(&asking{method: "thread/settings/update", id: c.ID, setting: c}, settingsUpdate{ThreadID: t.thread, Model: c.Model}, out)
}

func (t *Translator) setMode(c adapters.SetMode, out *adapters.Output) {
	if t.refuseSetting(c.ID, c.Mode, out) {
		return
	}
	m := modeByID(c.Mode)
	if m == nil {
		out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: "there is no such mode"})
		return
	}
	p := settingsUpdate{ThreadID: t.thread}
	switch {
	case m.id == planMode:
		p.Collaboration = t.collaborate(planMode)
	case t.told.planning:
		p.Collaboration = t.collaborate("default")
	}
	if m.policy != "" && m.policy != t.told.sandbox { // the operator's own variant of it stays
		p.Policy, p.Approval = &sandboxPolicy{m.policy}, m.approval
	}
	t.ask(&asking{method: "thread/settings/update", id: c.ID, setting: c}, p, out)
}

// refuseSetting refuses what no thread could take.
func (t *Translator) refuseSetting(id, value string, out *adapters.Output) bool {
	why := ""
	switch {
	case t.spec.Child:
		why = "a sub-agent is set by the session that started it"
	case t.thread == "" || !t.told.ready:
		why = "the thread has not begun"
	case value == "":
		why = "nothing to set"
	}
	if why != "" {
		out.Draft(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: why})
	}
	return why != ""
}

// settingAnswered takes the answer to thread/settings/update; what the settings are then comes by itself.
func (t *Translator) settingAnswered(a *asking, problem string, out *adapters.Output) {
	switch {
	case a.id == "" && problem != "":
		out.Draft(adapters.Notice{Level: "warning", Kind: "setting_refused", Text: problem})
	case a.id == "":
	case problem != "":
		out.Draft(adapters.SettingAnswered{ID: a.id, Result: adapters.SettingRefused, Error: problem})
	default:
		out.Draft(adapters.SettingAnswered{ID: a.id, Result: adapters.SettingNextTurn})
	}
}

// modelList are the parameters of model/list.
type modelList struct {
	Cursor string `json:"cursor,omitempty"`
}

// maxModelPages bounds how many pages of models are asked for.
const maxModelPages = 10

func (t *Translator) askModels(out *adapters.Output) {
	t.offer = nil
	t.ask(&asking{method: "model/list"}, modelList{}, out)
}

// modelsListed takes a page of models, and says all of them after the last.
func (t *Translator) modelsListed(a *asking, result []byte, problem string, out *adapters.Output) {
	var r struct {
		Data []struct {
			ID     string `json:"id"`
			Model  string `json:"model"`
			Name   string `json:"displayName"`
			Hidden bool   `json:"hidden"`
		} `json:"data"`
		Next string `json:"nextCursor"`
	}
	if problem == "" {
		_ = native.Decode(result, &r)
	}
	for _, m := range r.Data {
		if m.Model == "" {
			m.Model = m.ID
		}
		if m.Model != "" && !m.Hidden && !offers(t.offer, m.Model) {
			t.offer = append(t.offer, adapters.Choice{ID: m.Model, Label: m.Name})
		}
	}
	if r.Next != "" && a.mine && a.page+1 < maxModelPages {
		t.ask(&asking{method: "model/list", page: a.page + 1}, modelList{Cursor: r.Next}, out)
		return
	}
	o := adapters.Offered{Models: t.offer}
	for _, m := range modes {
		o.Modes = append(o.Modes, adapters.Choice{ID: m.id, Label: m.label})
	}
	t.offer = nil
	out.Draft(o)
}

func offers(list []adapters.Choice, id string) bool {
	for _, c := range list {
		if c.ID == id {
			return true
		}
	}
	return false
}
