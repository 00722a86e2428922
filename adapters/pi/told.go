package pi

import (
	"encoding/json"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// told is what was last said about the session.
type told struct {
	native.Told
	ready bool
}

// ready says that the agent answers, once, with what is known by then.
func (t *Translator) ready(out *adapters.Output) {
	if t.told.ready {
		return
	}
	t.told.ready = true
	out.Draft(t.told.Ready(t.spec.Version))
}

// tell reports the members of n that are known and new.
func (t *Translator) tell(n native.Told, out *adapters.Output) {
	if news, ok := t.told.Take(n); ok {
		out.Draft(adapters.MetaChanged{Meta: news})
	}
}

// state takes the answer to get_state: the first one makes the session ready.
func (t *Translator) state(data json.RawMessage, out *adapters.Output) {
	var s struct {
		Model         model  `json:"model"`
		ThinkingLevel string `json:"thinkingLevel"`
		SessionID     string `json:"sessionId"`
		SessionName   string `json:"sessionName"`
	}
	_ = native.Decode(data, &s)
	if !t.told.ready {
		t.told.Session, t.told.Model, t.told.Mode = s.SessionID, s.Model.name(), s.ThinkingLevel
		t.ready(out)
		send(out, command{ID: ownPrefix + "models", Type: "get_available_models"})
	}
	t.tell(native.Told{Session: s.SessionID, Model: s.Model.name(), Mode: s.ThinkingLevel, Title: s.SessionName}, out)
}

// leave follows the agent into another of its sessions. No event tells of it, and the answer does not say which: ask.
func (t *Translator) leave(r *response, out *adapters.Output) {
	var d struct {
		Cancelled bool `json:"cancelled"`
	}
	_ = native.Decode(r.Data, &d)
	if !r.Success || d.Cancelled {
		return
	}
	to := adapters.ToCopy
	switch r.Command {
	case "new_session":
		to = adapters.ToNew
	case "switch_session":
		to = adapters.ToOlder
	}
	t.told, t.binder.cursor = told{ready: t.told.ready}, ""
	out.Draft(adapters.SessionLeft{To: to})
	t.ask(out, command{Type: "get_state"})
}

// aside handles news of the session beside its runs.
func (t *Translator) aside(kind string, line []byte, out *adapters.Output) {
	var e struct {
		Level        string `json:"level"`
		Name         string `json:"name"`
		ID           string `json:"id"`
		Path         string `json:"extensionPath"`
		Event        string `json:"event"`
		Error        string `json:"error"`
		ErrorMessage string `json:"errorMessage"`
	}
	_ = native.Decode(line, &e)
	switch kind {
	case "thinking_level_changed":
		t.tell(native.Told{Mode: e.Level}, out)
	case "session_info_changed":
		t.rename(e.Name, out)
	case "session": // the first line of `pi --mode json`
		t.tell(native.Told{Session: e.ID}, out)
	case "extension_error":
		out.Draft(adapters.Notice{
			Level: "error", Kind: "extension_error",
			Text: native.Head(fmt.Sprintf("%s (%s): %s", e.Path, e.Event, e.Error), maxNoticed),
		})
	case "summarization_retry_scheduled":
		out.Draft(adapters.Notice{Level: "warning", Kind: "summarization_retry", Text: native.Head(e.ErrorMessage, maxNoticed)})
	}
}

// rename reports a name, which may also have been taken away.
func (t *Translator) rename(name string, out *adapters.Output) {
	if name != t.told.Title {
		t.told.Title = name
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &name}})
	}
}

// used reports tokens of one request. Failed and aborted requests report zeros: nothing.
func (t *Translator) used(u *usage, model string, out *adapters.Output) {
	if u == nil || u.Input|u.Output|u.CacheRead|u.CacheWrite == 0 {
		return
	}
	usage := protocol.TokenUsage{Model: model, Usage: protocol.Usage{
		InputTokens:           u.Input + u.CacheRead + u.CacheWrite,
		CachedInputTokens:     u.CacheRead,
		OutputTokens:          u.Output,
		ReasoningOutputTokens: u.Reasoning,
		TotalTokens:           u.TotalTokens,
	}}
	if c := u.Cost; c.Total != 0 {
		usage.Cost = &protocol.Cost{Input: c.Input, Output: c.Output, CacheRead: c.CacheRead, Total: c.Total}
	}
	out.Draft(adapters.Used{Usage: usage})
}
