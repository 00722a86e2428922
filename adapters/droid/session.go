package droid

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// machineID names the client to Droid, which wants a name and does nothing else with it here.
const machineID = "ringmaster"

type initializeParams struct {
	MachineID string `json:"machineId"`
	Cwd       string `json:"cwd"`
	settings
	MCP []mcpServer `json:"mcpServers,omitempty"`
}

type loadParams struct {
	SessionID string      `json:"sessionId"`
	MCP       []mcpServer `json:"mcpServers,omitempty"`
}

// asked is a request to the agent that waits for its answer.
type asked struct {
	method  string
	session string // to load
	start   bool   // it makes or loads the session that is wanted
	prompt  *prompt
	setting string // id of the SetModel or SetMode command
	model   string // that it sets
	mode    string
}

// sessionCopy is a copy of the session that Droid made, and did not go on with.
type sessionCopy struct{ compacted bool }

// told is what was last said about the session.
type told struct {
	native.Told
	ready bool
}

// ready says that the agent takes prompts, once, with what is known by then.
func (t *Translator) ready(out *adapters.Output) {
	if t.told.ready {
		return
	}
	t.told.ready = true
	out.Draft(t.told.Ready(t.spec.Version))
	waiting := t.waiting
	t.waiting = nil
	for _, c := range waiting {
		t.Command(c, out)
	}
}

// tell reports the members of n that are known and new. Until Ready they are only noted: it says them.
func (t *Translator) tell(n native.Told, out *adapters.Output) {
	news, ok := t.told.Take(n)
	if !t.told.ready {
		news, ok = protocol.SessionMeta{Title: news.Title}, news.Title != nil
	}
	if ok {
		out.Draft(adapters.MetaChanged{Meta: news})
	}
}

// opened is the answer to initialize_session and load_session.
type opened struct {
	SessionID string `json:"sessionId"` // not of load_session
	Settings  struct {
		ModelID         string   `json:"modelId"`
		InteractionMode string   `json:"interactionMode"`
		AutonomyLevel   string   `json:"autonomyLevel"`
		Levels          []string `json:"availableAutonomyLevels"`
	} `json:"settings"`
	Models []struct {
		ID          string `json:"id"`
		DisplayName string `json:"displayName"`
	} `json:"availableModels"`
	Session struct {
		Title    string    `json:"title"`
		Messages []message `json:"messages"`
	} `json:"session"`
	Usage tokens `json:"inclusiveTokenUsage"` // of load_session
}

// sessionOpened takes the answer to initialize_session and load_session. After the first one prompts are taken; with a later one, which
// only recordings have, the agent has left its session.
func (t *Translator) sessionOpened(a asked, result json.RawMessage, out *adapters.Output) {
	var o opened
	_ = native.Decode(result, &o)
	now := native.Told{
		Session: o.SessionID, Model: o.Settings.ModelID, Title: o.Session.Title,
		Mode: modeOf(o.Settings.InteractionMode, o.Settings.AutonomyLevel),
	}
	if a.method == methodLoad {
		now.Session = a.session
	}
	left := t.told.ready && now.Session != "" && t.told.Session != "" && now.Session != t.told.Session
	copied, isCopy := t.copies[now.Session]
	if left {
		to := adapters.ToNew
		switch {
		case isCopy:
			to = adapters.ToCopy
		case a.method == methodLoad:
			to = adapters.ToOlder
		}
		out.Draft(adapters.SessionLeft{To: to})
	}
	t.tell(now, out)
	t.usage.begin(o.Usage)
	if left && copied.compacted {
		t.whole(protocol.EntryCompaction, &protocol.CompactionData{Trigger: "manual"}, "", out)
	}
	for _, m := range o.Session.Messages {
		t.prompts.past[m.ID] = true
	}
	if a.start {
		t.missed(o.Session.Messages, out)
	}
	t.ready(out)
	t.offer(&o, out)
}

// offer says what one may choose.
func (t *Translator) offer(o *opened, out *adapters.Output) {
	offered := adapters.Offered{Models: []adapters.Choice{}, Modes: modes(o.Settings.Levels)}
	for _, m := range o.Models {
		same := func(c adapters.Choice) bool { return c.ID == m.ID }
		if m.ID != "" && !slices.ContainsFunc(offered.Models, same) {
			offered.Models = append(offered.Models, adapters.Choice{ID: m.ID, Label: m.DisplayName})
		}
	}
	out.Draft(offered)
}

// startFailed says why there is no session, and ends the process: without one it would wait for ever.
func (t *Translator) startFailed(a asked, problem string, out *adapters.Output) {
	text := a.method + ": " + problem
	if a.session != "" {
		text += " (" + a.session + ")"
	}
	out.Draft(adapters.Notice{Level: "error", Kind: "start_failed", Text: native.Head(text, maxNoticed)})
	t.send(out, methodClose, struct{}{})
}

// copyMade remembers a copy of the session, which the agent goes on with only when it is loaded.
func (t *Translator) copyMade(a asked, result json.RawMessage, out *adapters.Output) {
	var r struct {
		NewSessionID string `json:"newSessionId"`
	}
	_ = native.Decode(result, &r)
	if r.NewSessionID == "" {
		return
	}
	c := sessionCopy{compacted: a.method == methodCompact}
	t.copies[r.NewSessionID] = c
	kind, what := "session_forked", "a copy"
	if c.compacted {
		kind, what = "session_copy_compacted", "a compacted copy"
	}
	out.Draft(adapters.Notice{Level: "info", Kind: kind, Text: native.Head(
		fmt.Sprintf("Droid made %s of the session, %s. It goes on with the old one until the copy is loaded.", what, r.NewSessionID), maxNoticed)})
}

func (t *Translator) settingsUpdated(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Settings struct {
			ModelID         string `json:"modelId"`
			InteractionMode string `json:"interactionMode"`
			AutonomyLevel   string `json:"autonomyLevel"`
		} `json:"settings"`
	}
	_ = native.Decode(raw, &n)
	s := &n.Settings
	t.tell(native.Told{Model: s.ModelID, Mode: modeOf(s.InteractionMode, s.AutonomyLevel)}, out)
}

func (t *Translator) titleUpdated(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Title string `json:"title"`
	}
	_ = native.Decode(raw, &n)
	t.tell(native.Told{Title: n.Title}, out)
}

// response takes the answer to a request, ours or somebody else's.
func (t *Translator) response(e *envelope, out *adapters.Output) {
	a, known := t.asked[e.ID]
	delete(t.asked, e.ID)
	if e.Error != nil {
		if known || !strings.HasPrefix(e.ID, ownPrefix) { // else a second answer: it says what an error event has said
			t.refused(a, e.Error.Message, out)
		}
		return
	}
	switch a.method {
	case methodInitialize, methodLoad:
		t.sessionOpened(a, e.Result, out)
	case methodCompact, methodFork:
		t.copyMade(a, e.Result, out)
	case methodMessage:
		t.accepted(a.prompt, out)
	case methodInterrupt:
		t.aborting = t.aborting && (t.run.on || len(t.prompts.list) > 0)
	case methodSettings:
		t.tell(native.Told{Model: a.model, Mode: a.mode}, out)
		if a.setting != "" {
			// Seen on 0.225: the next model request of a running turn has the new model, the next tool the new mode.
			out.Draft(adapters.SettingAnswered{ID: a.setting, Result: adapters.SettingNow})
		}
	case "":
		if !known && !t.told.ready {
			t.unasked(e.Result, out)
		}
	}
}

// unasked takes the answer to a request that was not seen, where it is one that makes a session.
func (t *Translator) unasked(result json.RawMessage, out *adapters.Output) {
	var o opened
	if native.Decode(result, &o) == nil && o.Settings.ModelID != "" {
		t.sessionOpened(asked{method: methodInitialize}, result, out)
	}
}

// refused takes the agent's refusal of a request.
func (t *Translator) refused(a asked, problem string, out *adapters.Output) {
	problem = native.Head(problem, maxNoticed)
	if strings.TrimSpace(problem) == "" {
		problem = "the agent refused the request"
	}
	switch {
	case a.start:
		t.startFailed(a, problem, out)
	case a.setting != "":
		out.Draft(adapters.SettingAnswered{ID: a.setting, Result: adapters.SettingRefused, Error: problem})
	case a.prompt != nil && a.prompt.id != "":
		t.prompts.refused(a.prompt, problem, out)
	default:
		if a.prompt != nil {
			t.prompts.forget(a.prompt)
		}
		if a.method != "" {
			problem = a.method + ": " + problem
		}
		out.Draft(adapters.Notice{Level: "warning", Kind: "command_failed", Text: native.Head(problem, maxNoticed)})
	}
}
