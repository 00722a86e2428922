package codex

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// told is what was last said about the session. Empty members are not known.
type told struct {
	ready                         bool
	version, model, effort, title string
	sandbox                       string // type of the sandbox policy
	planning                      bool   // the collaboration mode is plan
	mode                          string // as it was said
	warning                       string // the last one about the configuration
	folder                        string // of the thread, in Codex's own log of it
}

// settings are what a thread runs with, in the results of thread/start and thread/resume (threadResult) and in
// thread/settings/updated.
type settings struct {
	Model         string          `json:"model"`
	Effort        string          `json:"effort"`
	Policy        sandboxPolicy   `json:"sandboxPolicy"`
	Collaboration json.RawMessage `json:"collaborationMode"`
}

type sandboxPolicy struct {
	Type string `json:"type"`
}

// threadResult is the result of thread/start, thread/resume and thread/fork.
type threadResult struct {
	Thread        json.RawMessage `json:"thread"`
	Model         string          `json:"model"`
	Effort        string          `json:"reasoningEffort"`
	Sandbox       sandboxPolicy   `json:"sandbox"`
	Collaboration json.RawMessage `json:"collaborationMode"`
	Page          turnsPage       `json:"initialTurnsPage"`
}

// ready says that the thread takes prompts, once. While its history is fetched it does not.
func (t *Translator) ready(out *adapters.Output) {
	if t.told.ready || t.history.joining {
		return
	}
	t.told.ready = true
	version := t.told.version
	if version == "" {
		version = t.spec.Version
	}
	out.Draft(adapters.Ready{NativeSessionID: t.thread, Version: version, Model: t.told.model, Mode: t.told.mode})
}

// set takes what a thread runs with.
func (t *Translator) set(s settings, out *adapters.Output) {
	if s.Effort != "" {
		t.told.effort = s.Effort
	}
	if s.Policy.Type != "" {
		t.told.sandbox = s.Policy.Type
	}
	if mode := text(s.Collaboration, "mode"); mode != "" {
		t.told.planning = mode == planMode
	}
	var meta protocol.SessionMeta
	if s.Model != "" && s.Model != t.told.model {
		t.told.model, meta.Model = s.Model, &s.Model
	}
	if mode := t.mode(); mode != "" && mode != t.told.mode {
		t.told.mode, meta.Mode = mode, &mode
	}
	if t.told.ready && (meta.Model != nil || meta.Mode != nil) {
		out.Draft(adapters.MetaChanged{Meta: meta})
	}
}

// threadInfo takes what is told of the thread itself.
func (t *Translator) threadInfo(info []byte, out *adapters.Output) {
	if v := text(info, "cliVersion"); v != "" {
		t.told.version = native.Head(v, maxTitle)
	}
	if name := text(info, "name"); name != "" {
		t.named(name, out)
	}
}

func (t *Translator) named(name string, out *adapters.Output) {
	if name = native.Head(name, maxNoticed); name != t.told.title {
		t.told.title = name
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &name}})
	}
}

// settings takes notifications that change what is known of the session.
func (t *Translator) settings(method string, params []byte, out *adapters.Output) {
	switch method {
	case "thread/name/updated":
		t.named(text(params, "threadName"), out)
	case "model/rerouted":
		to := text(params, "toModel")
		t.set(settings{Model: to}, out)
		out.Draft(adapters.Notice{Level: "warning", Kind: "model_rerouted", Text: native.Head("The model is now "+to+".", maxNoticed)})
	default:
		var s settings
		_ = native.Decode(member(params, "threadSettings"), &s)
		t.set(s, out)
	}
}
