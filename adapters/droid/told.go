package droid

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
	copies  map[string]bool // of the session, which Droid made and did not go on with, by their ids; true: a compacted one
}

// tellReady says that the agent takes prompts, once, with what is known by then.
func (t *told) tellReady(out *adapters.Output) {
	if !t.ready {
		t.ready = true
		out.Draft(t.Ready(t.version))
	}
}

// tell reports the members of n that are known and new. Until Ready they are only noted: it says them, but for the title.
func (t *told) tell(n native.Told, out *adapters.Output) {
	news, ok := t.Take(n)
	if !t.ready {
		news, ok = protocol.SessionMeta{Title: news.Title}, news.Title != nil
	}
	if ok {
		out.Draft(adapters.MetaChanged{Meta: news})
	}
}

// changed takes settings_updated.
func (t *told) changed(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Settings settingsWire `json:"settings"`
	}
	_ = native.Decode(raw, &n)
	t.tell(native.Told{Model: n.Settings.ModelID, Mode: n.Settings.mode()}, out)
}

// renamed takes session_title_updated.
func (t *told) renamed(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Title string `json:"title"`
	}
	_ = native.Decode(raw, &n)
	t.tell(native.Told{Title: n.Title}, out)
}

// enter takes which session the agent is in now. Where it was in another one, as only recordings have it, it has left that; compacted says
// that it went on with a compacted copy of it.
func (t *told) enter(n native.Told, loaded bool, out *adapters.Output) (compacted bool) {
	left := t.ready && n.Session != "" && t.Session != "" && n.Session != t.Session
	compacted, isCopy := t.copies[n.Session]
	if left {
		to := adapters.ToNew
		switch {
		case isCopy:
			to = adapters.ToCopy
		case loaded:
			to = adapters.ToOlder
		}
		out.Draft(adapters.SessionLeft{To: to})
	}
	t.tell(n, out)
	return left && compacted
}

// copied remembers a copy of the session, which the agent goes on with only when it is loaded.
func (t *told) copied(result json.RawMessage, compacted bool, out *adapters.Output) {
	var r struct {
		NewSessionID string `json:"newSessionId"`
	}
	_ = native.Decode(result, &r)
	if r.NewSessionID == "" {
		return
	}
	t.copies[r.NewSessionID] = compacted
	kind, what := "session_forked", "a copy"
	if compacted {
		kind, what = "session_copy_compacted", "a compacted copy"
	}
	notice("info", kind, fmt.Sprintf("Droid made %s of the session, %s. It goes on with the old one until the copy is loaded.", what, r.NewSessionID), out)
}
