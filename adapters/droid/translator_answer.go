package droid

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// response takes the answer to a request, ours or somebody else's.
func (t *Translator) response(e *envelope, out *adapters.Output) {
	k, known := t.calls.take(e.ID)
	if e.Error != nil {
		if known || !strings.HasPrefix(e.ID, ownPrefix) { // else a second answer: it says what an error event has said
			t.refused(e, k, out)
		}
		return
	}
	w := &t.work
	switch k.method {
	case methodInitialize, methodLoad:
		t.opened(e.Result, k, out)
	case methodCompact, methodFork:
		w.told.copied(e.Result, k.method == methodCompact, out)
	case methodMessage:
		w.prompts.accepted(e.ID, w.turn.on, out)
	case methodInterrupt:
		w.turn.aborting = w.turn.aborting && (w.turn.on || len(w.prompts.list) > 0)
	case methodSettings:
		t.settings.accepted(e.ID, &w.told, out)
	case "":
		if !known && !w.told.ready {
			t.unasked(e.Result, out)
		}
	}
}

// opened takes the answer to initialize_session and load_session. After the first one prompts are taken; with a later one, which
// only recordings have, the agent has left its session.
func (t *Translator) opened(result json.RawMessage, k call, out *adapters.Output) {
	var o openedWire
	_ = native.Decode(result, &o)
	now := native.Told{Session: o.SessionID, Model: o.Settings.ModelID, Mode: o.Settings.mode(), Title: o.Session.Title}
	loaded := k.method == methodLoad
	if loaded {
		now.Session = k.session
	}
	w := &t.work
	compacted := w.told.enter(now, loaded, out)
	w.usage.begin(o.Usage)
	if compacted {
		w.compacted("manual", out)
	}
	for _, m := range o.Session.Messages {
		w.prompts.past[m.ID] = true
	}
	if k.start {
		t.history.missed(o.Session.Messages, &w.content, out)
	}
	w.told.tellReady(out)
	offer(&o, out)
}

// unasked takes the answer to a request that was not seen, where it is one that makes a session.
func (t *Translator) unasked(result json.RawMessage, out *adapters.Output) {
	var o openedWire
	if native.Decode(result, &o) == nil && o.Settings.ModelID != "" {
		t.opened(result, call{method: methodInitialize}, out)
	}
}

// refused takes the agent's refusal of a request.
func (t *Translator) refused(e *envelope, k call, out *adapters.Output) {
	problem := native.Head(e.Error.Message, maxNoticed)
	if strings.TrimSpace(problem) == "" {
		problem = "the agent refused the request"
	}
	if k.start {
		startFailed(k, problem, &t.calls, out)
		return
	}
	if t.settings.refused(e.ID, problem, out) || t.work.prompts.refused(e.ID, problem, out) {
		return
	}
	if k.method != "" {
		problem = k.method + ": " + problem
	}
	notice("warning", "command_failed", problem, out)
}
