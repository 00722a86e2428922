package codex

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// settings are what a thread runs with, as last told. Empty members are not known.
type settings struct {
	said                          bool // Ready was: from then on changes are
	version, model, effort, title string
	sandbox                       string // type of the sandbox policy
	planning                      bool   // the collaboration mode is plan
	mode                          string // as it was said

	changing []*asking // thread/settings/update, under way
}

// toldSettings are those in the results of thread/start and thread/resume (threadResult) and in thread/settings/updated.
type toldSettings struct {
	Model         string          `json:"model"`
	Effort        string          `json:"effort"`
	Policy        sandboxPolicy   `json:"sandboxPolicy"`
	Collaboration json.RawMessage `json:"collaborationMode"`
}

// ready says that the thread takes prompts, once. version is that of the program, for a thread that tells none.
func (s *settings) ready(thread, version string, out *adapters.Output) {
	if s.said {
		return
	}
	s.said = true
	out.Draft(adapters.Ready{NativeSessionID: thread, Version: first(s.version, version), Model: s.model, Mode: s.mode})
}

// told takes what the thread runs with.
func (s *settings) told(now toldSettings, out *adapters.Output) {
	if now.Effort != "" {
		s.effort = now.Effort
	}
	if now.Policy.Type != "" {
		s.sandbox = now.Policy.Type
	}
	if mode := text(now.Collaboration, "mode"); mode != "" {
		s.planning = mode == planMode
	}
	var meta protocol.SessionMeta
	if now.Model != "" && now.Model != s.model {
		s.model, meta.Model = now.Model, &now.Model
	}
	if mode := modeOf(s.sandbox, s.planning); mode != "" && mode != s.mode {
		s.mode, meta.Mode = mode, &mode
	}
	if s.said && (meta.Model != nil || meta.Mode != nil) {
		out.Draft(adapters.MetaChanged{Meta: meta})
	}
}

// thread takes what is told of the thread itself.
func (s *settings) thread(info []byte, out *adapters.Output) {
	if v := text(info, "cliVersion"); v != "" {
		s.version = native.Head(v, maxTitle)
	}
	if name := text(info, "name"); name != "" {
		s.named(name, out)
	}
}

func (s *settings) named(name string, out *adapters.Output) {
	if name = native.Head(name, maxNoticed); name != s.title {
		s.title = name
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &name}})
	}
}

// changed takes notifications that change what is known of the session.
func (s *settings) changed(m *message, out *adapters.Output) {
	switch m.method {
	case "thread/name/updated":
		s.named(text(m.params, "threadName"), out)
	case "model/rerouted":
		to := text(m.params, "toModel")
		s.told(toldSettings{Model: to}, out)
		out.Draft(adapters.Notice{Level: "warning", Kind: "model_rerouted", Text: native.Head("The model is now "+to+".", maxNoticed)})
	default:
		var now toldSettings
		_ = native.Decode(member(m.params, "threadSettings"), &now)
		s.told(now, out)
	}
}

// setModel has the thread use another model.
func (s *settings) setModel(c adapters.SetModel, l *link, out *adapters.Output) {
	if !s.refuses(c.ID, c.Model, l, out) {
		s.change(c.ID, c, settingsUpdate{ThreadID: l.thread, Model: c.Model}, l, out)
	}
}

// setMode has the thread work in another mode.
func (s *settings) setMode(c adapters.SetMode, l *link, out *adapters.Output) {
	if s.refuses(c.ID, c.Mode, l, out) {
		return
	}
	m := modeByID(c.Mode)
	if m == nil {
		refuseSetting(c.ID, "there is no such mode", out)
		return
	}
	p := settingsUpdate{ThreadID: l.thread}
	switch {
	case m.id == planMode:
		p.Collaboration = s.collaborate(planMode)
	case s.planning:
		p.Collaboration = s.collaborate("default")
	}
	if m.policy != "" && m.policy != s.sandbox { // the operator's own variant of it stays
		p.Policy, p.Approval = &sandboxPolicy{m.policy}, m.approval
	}
	s.change(c.ID, c, p, l, out)
}

func (s *settings) change(id string, c adapters.Command, p settingsUpdate, l *link, out *adapters.Output) {
	a := &asking{method: "thread/settings/update", id: id, setting: c}
	s.changing = append(s.changing, a)
	l.ask(a, p, out)
}

func (s *settings) collaborate(mode string) *collaboration {
	c := &collaboration{Mode: mode}
	c.Settings.Model = s.model
	if s.effort != "" {
		c.Settings.Effort = &s.effort
	}
	return c
}

// refuses says that a value cannot be set, and answers so.
func (s *settings) refuses(id, value string, l *link, out *adapters.Output) bool {
	switch {
	case l.thread == "" || !s.said:
		refuseSetting(id, "the thread has not begun", out)
	case value == "":
		refuseSetting(id, "nothing to set", out)
	default:
		return false
	}
	return true
}

func refuseSetting(id, why string, out *adapters.Output) {
	out.Draft(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: why})
}

// answered takes the answer to thread/settings/update; what the settings are then comes by itself.
func (s *settings) answered(a *asking, problem string, out *adapters.Output) {
	s.changing = without(s.changing, a)
	switch {
	case a.id == "" && problem != "":
		out.Draft(adapters.Notice{Level: "warning", Kind: "setting_refused", Text: problem})
	case a.id == "":
	case problem != "":
		refuseSetting(a.id, problem, out)
	default:
		out.Draft(adapters.SettingAnswered{ID: a.id, Result: adapters.SettingNextTurn})
	}
}

// lose gives the commands whose answers are lost with the connection, oldest first.
func (s *settings) lose() (list []adapters.Command) {
	for _, a := range s.changing {
		list = append(list, a.setting)
	}
	s.changing = nil
	return list
}
