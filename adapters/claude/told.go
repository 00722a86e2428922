package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// told is what was last said about the session.
type told struct {
	native.Told
	version string // of the program
	resumed bool   // the session goes on with one of the agent's own
	ready   bool
}

// tellReady says that the agent answers, once, with what is known by then. The agent's own session is there only with its first
// turn: until then nothing can be resumed, and its id is not said.
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

// turnInit takes a system/init.
func (t *told) turnInit(line []byte, out *adapters.Output) {
	var e struct {
		Session string `json:"session_id"`
		Model   string `json:"model"`
		Mode    string `json:"permissionMode"`
		Version string `json:"claude_code_version"`
	}
	_ = native.Decode(line, &e)
	if !t.ready {
		t.Session, t.Model, t.Mode, t.version = e.Session, e.Model, e.Mode, cmp.Or(e.Version, t.version)
		t.tellReady(out)
	}
	t.tell(native.Told{Session: e.Session, Model: e.Model, Mode: e.Mode}, out)
}

// title takes a session_title_changed.
func (t *told) title(line []byte, out *adapters.Output) {
	var e struct {
		Title string `json:"title"`
	}
	_ = native.Decode(line, &e)
	t.tell(native.Told{Title: e.Title}, out)
}

// left takes a conversation_reset: the agent has left its session for a new one.
func (t *told) left(out *adapters.Output) {
	t.Session = ""
	out.Draft(adapters.SessionLeft{To: adapters.ToNew})
}
