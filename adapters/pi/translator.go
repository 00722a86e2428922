package pi

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Translator is one connection to Pi.
type Translator struct {
	spec adapters.Spec
	work
	settings settings
	history  history
}

func newTranslator(spec adapters.Spec) *Translator {
	limit := spec.TextLimit()
	return &Translator{
		spec: spec,
		work: work{
			content: content{
				entries:  entries{limit: limit},
				tools:    tools{limit: limit, cwd: spec.Cwd, calls: map[string]*tool{}},
				requests: requests{limit: limit, cwd: spec.Cwd, mcp: spec.MCP, open: map[string]*dialog{}, native: map[adapters.RequestKey]string{}},
			},
			told:    told{version: spec.Version},
			prompts: prompts{limit: limit, waiting: map[string]string{}, images: map[[32]byte]bool{}},
			shells:  shells{limit: limit, open: map[string]*shell{}},
		},
		settings: settings{waiting: map[string]string{}},
		history:  history{unbound: spec.Unbound, known: spec.Known},
	}
}

// Start asks who the agent is, and after a resume what its session holds already, so that nothing of it is taken for new.
func (t *Translator) Start(out *adapters.Output) {
	if !t.spec.Recall {
		t.calls.ask(out, command{Type: "get_state"})
	}
	if t.spec.MCP != nil && legacy(t.spec.Version) {
		out.Draft(adapters.Notice{Level: "warning", Kind: "mcp_unknown", Text: "This Pi knows no MCP servers: its session has none of the daemon's tools."})
	}
	switch {
	case t.spec.Recall:
		t.history.recall(&t.binder, &t.calls, out)
	case t.spec.Resume:
		t.binder.fetch(&t.calls, out)
	}
}

// Command puts a command into lines.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	switch c := cmd.(type) {
	case adapters.Prompt:
		t.prompts.send(c, out)
	case adapters.Interrupt:
		t.interrupt(out)
	case adapters.Answer:
		t.requests.answer(c, out)
	case adapters.SetModel:
		t.settings.model(c, &t.calls, out)
	case adapters.SetMode:
		out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: "Pi has no modes to choose from"})
	}
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	var c command
	if native.Decode(line, &c) != nil {
		return
	}
	switch c.Type {
	case "prompt":
		if !t.turn.on || t.turn.held {
			t.prompts.begins(&c)
		}
	case "clear_queue":
		t.prompts.clearing = true
	case "extension_ui_response":
		t.requests.answered(&c, out)
	case "bash":
		t.shells.start(c.ID, c.Command, &t.entries.keys, t.turn.round, out)
	}
}

// Line takes one native line.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if !t.turn.held {
		if d, ok := readDelta(line); ok {
			t.add(&d, out)
			return
		}
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	var kind string
	m := native.Scan(line)
	for {
		key, value, ok := m.Next()
		if !ok {
			break
		}
		if string(key) == "type" {
			kind = native.Text(value)
		}
	}
	if m.Bad || !json.Valid(line) {
		out.Draft(adapters.Notice{Level: "warning", Kind: "unparsable_line", Text: native.Head(string(line), maxNoticed)})
		return
	}
	t.event(kind, line, out)
}

// event handles a line that is an object, by its type.
func (t *Translator) event(kind string, line []byte, out *adapters.Output) {
	if t.turn.releases(kind) {
		t.end(out)
	}
	switch kind {
	case "response":
		t.response(line, out)
	case "message_update":
		t.update(line, out)
	case "message_start":
		t.startMessage(line, out)
	case "message_end":
		t.endMessage(line, out)
	case "tool_execution_start", "tool_execution_update", "tool_execution_end":
		t.execute(kind, line, out)
	case "agent_start":
		t.started(out)
	case "agent_end":
		t.ended(line, out)
	case "agent_settled":
		t.settled(line, out)
	case "turn_start":
		t.begin(out)
		t.turn.round++
	case "turn_end":
		t.leaveTools("not_executed", out)
	case "auto_retry_start":
		t.retries(line, out)
	case "auto_retry_end":
		t.turn.retried(line)
	case "compaction_start":
		t.turn.compacts(out)
	case "compaction_end":
		t.compacted(line, out)
	case "queue_update":
		t.prompts.queue(line, out)
	case "extension_ui_request":
		t.asked(line, out)
	case "bash_execution_update":
		t.shells.update(line, &t.entries.keys, t.turn.round, out)
	case "extension_error", "thinking_level_changed", "session_info_changed", "summarization_retry_scheduled", "session":
		t.told.aside(kind, line, out)
	case "entry_appended", "summarization_retry_attempt_start", "summarization_retry_finished":
		// Entries that an extension stored for itself, edits of the context before a retry, and steps of a retry inside a
		// compaction: nothing that a reader of the session misses.
	default:
		native.Keep(kind, line, out)
	}
}

// Exit is told that the output has ended. A turn whose end was only held back ends here.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) {
	if t.turn.held {
		t.end(out)
	}
	t.entries.closeFailed("error", out)
}
