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
	version string // of the program
	ready   bool
}

// tellReady says that the agent answers, once, with what is known by then.
func (t *told) tellReady(out *adapters.Output) {
	if t.ready {
		return
	}
	t.ready = true
	out.Draft(t.Ready(t.version))
}

// tell reports the members of n that are known and new.
func (t *told) tell(n native.Told, out *adapters.Output) {
	if news, ok := t.Take(n); ok {
		out.Draft(adapters.MetaChanged{Meta: news})
	}
}

// state takes the answer to get_state: the first one makes the session ready, and the models are asked for.
func (t *told) state(data json.RawMessage, out *adapters.Output) {
	var s struct {
		Model         model  `json:"model"`
		ThinkingLevel string `json:"thinkingLevel"`
		SessionID     string `json:"sessionId"`
		SessionName   string `json:"sessionName"`
	}
	_ = native.Decode(data, &s)
	if !t.ready {
		t.Session, t.Model, t.Mode = s.SessionID, s.Model.name(), s.ThinkingLevel
		t.tellReady(out)
		send(out, command{ID: ownPrefix + "models", Type: "get_available_models"})
	}
	t.tell(native.Told{Session: s.SessionID, Model: s.Model.name(), Mode: s.ThinkingLevel, Title: s.SessionName}, out)
}

// model takes the answers to set_model (a model) and cycle_model (an object with one, or null).
func (t *told) model(data json.RawMessage, out *adapters.Output) {
	var d struct {
		model
		Model         model  `json:"model"`
		ThinkingLevel string `json:"thinkingLevel"`
	}
	_ = native.Decode(data, &d)
	name := d.model.name()
	if name == "" {
		name = d.Model.name()
	}
	t.tell(native.Told{Model: name, Mode: d.ThinkingLevel}, out)
}

// left follows the agent into another of its sessions, and says whether it has gone there. No event tells of it, and the answer does not
// say which session it is.
func (t *told) left(r *response, out *adapters.Output) bool {
	var d struct {
		Cancelled bool `json:"cancelled"`
	}
	_ = native.Decode(r.Data, &d)
	if !r.Success || d.Cancelled {
		return false
	}
	to := adapters.ToCopy
	switch r.Command {
	case "new_session":
		to = adapters.ToNew
	case "switch_session":
		to = adapters.ToOlder
	}
	t.Told = native.Told{}
	out.Draft(adapters.SessionLeft{To: to})
	return true
}

// aside handles news of the session beside its turns.
func (t *told) aside(kind string, line []byte, out *adapters.Output) {
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
func (t *told) rename(name string, out *adapters.Output) {
	if name != t.Title {
		t.Title = name
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &name}})
	}
}
