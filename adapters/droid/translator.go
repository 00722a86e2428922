package droid

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Translator is one process of Droid: it gives each line, each answer and each command to the part that it is for.
type Translator struct {
	spec     adapters.Spec
	calls    calls
	early    []adapters.Command // that came before the session stands
	settings settings
	history  history
	children children
	work     work
}

func newTranslator(spec adapters.Spec) *Translator {
	limit := spec.TextLimit()
	return &Translator{
		spec:     spec,
		calls:    calls{waiting: map[string]call{}},
		settings: settings{},
		history:  history{known: spec.Known, recall: spec.Recall},
		children: children{},
		work: work{
			content: content{
				entries: entries{limit: limit, messages: map[string]stream{}, done: map[string]bool{}},
				tools:   tools{limit: limit, cwd: spec.Cwd, calls: map[string]*tool{}},
				requests: requests{
					limit: limit, cwd: spec.Cwd, own: ownServer{given: spec.MCP}, byKey: map[adapters.RequestKey]*request{}, byID: map[string]*request{},
				},
			},
			told:    told{version: spec.Version, copies: map[string]bool{}},
			prompts: prompts{session: spec.SessionID, waiting: map[string]*prompt{}, past: map[string]bool{}},
		},
	}
}

// Start makes a session, or loads the one that is there.
func (t *Translator) Start(out *adapters.Output) { start(&t.spec, &t.calls, out) }

// Command puts a command into lines. Before the session stands, it waits.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	_, stop := cmd.(adapters.Interrupt)
	if !t.work.told.ready && !stop {
		t.early = append(t.early, cmd)
		return
	}
	switch c := cmd.(type) {
	case adapters.Prompt:
		t.work.turn.aborting = false
		t.work.prompts.send(c, &t.calls, out)
	case adapters.Interrupt:
		t.interrupt(out)
	case adapters.Answer:
		t.work.requests.answer(c, out)
	case adapters.SetModel:
		t.settings.setModel(c, &t.calls, out)
	case adapters.SetMode:
		t.settings.setMode(c, &t.calls, out)
	}
}

// interrupt stops the turn. Droid withdraws its requests and discards its queue itself. Prompts that it has never seen end.
func (t *Translator) interrupt(out *adapters.Output) {
	if t.work.told.ready {
		t.work.turn.aborting = true
		t.calls.ask(call{method: methodInterrupt}, struct{}{}, out)
		return
	}
	kept := t.early[:0]
	for _, c := range t.early {
		p, ok := c.(adapters.Prompt)
		if !ok {
			kept = append(kept, c)
			continue
		}
		out.Draft(adapters.PromptAnswered{ID: p.ID, Result: adapters.PromptStarted})
		out.Draft(adapters.TurnBegan{Prompt: &protocol.Prompt{Text: native.Head(p.Text, t.spec.TextLimit())}})
		out.Draft(adapters.TurnEnded{Status: protocol.TurnInterrupted})
	}
	t.early = kept
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	var e envelope
	if native.Decode(line, &e) != nil || e.ID == "" {
		return
	}
	if e.Method == "" {
		t.work.requests.answered(&e, out)
		return
	}
	t.calls.sent(&e)
	switch e.Method {
	case methodMessage:
		t.work.turn.aborting = false
		t.work.prompts.sent(&e)
	case methodInterrupt:
		t.work.turn.aborting = true
	}
}

// Line takes one native line. Commands that came too early are carried out behind the one that makes the session ready.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	var d delta
	if d.scan(line) && !t.children.wrote(&d) {
		t.work.add(&d, out)
	} else if line = bytes.TrimSpace(line); len(line) > 0 {
		t.line(line, out)
	}
	if t.early != nil && t.work.told.ready {
		early := t.early
		t.early = nil
		for _, c := range early {
			t.Command(c, out)
		}
	}
}

// line takes a line that is no delta in its usual form.
func (t *Translator) line(line []byte, out *adapters.Output) {
	var e envelope
	if line[0] != '{' || !json.Valid(line) {
		native.Unparsable(line, out)
		return
	}
	_ = native.Decode(line, &e)
	switch e.Type {
	case typeNotification:
		t.notification(&e, line, out)
	case typeRequest:
		t.work.asked(&e, line, out)
	case typeResponse:
		t.response(&e, out)
	default:
		printed(e.Type, line, &t.work, out)
	}
}

// notification takes an event of the session.
func (t *Translator) notification(e *envelope, line []byte, out *adapters.Output) {
	var p struct {
		SessionID    string          `json:"sessionId"`
		Notification json.RawMessage `json:"notification"`
	}
	_ = native.Decode(e.Params, &p)
	var n struct {
		Type string `json:"type"`
	}
	_ = native.Decode(p.Notification, &n)
	switch {
	case e.Method != methodNotification || n.Type == "":
		native.Keep(e.Method, line, out)
	case t.children[p.SessionID]:
	case !t.event(n.Type, p.Notification, out):
		native.Keep(n.Type, line, out)
	}
}

// event takes an event by its type; false: there is no such type.
func (t *Translator) event(kind string, raw json.RawMessage, out *adapters.Output) bool {
	w := &t.work
	switch kind {
	case "create_message":
		w.message(raw, out)
	case "assistant_text_delta":
		w.add(readDelta(protocol.EntryAssistantMessage, raw), out)
	case "thinking_text_delta":
		w.add(readDelta(protocol.EntryThinking, raw), out)
	case "assistant_text_complete":
		w.entries.completed(protocol.EntryAssistantMessage, raw, out)
	case "thinking_text_complete":
		w.entries.completed(protocol.EntryThinking, raw, out)
	case "assistant_message_retracted":
		w.retracted(raw, out)
	case "tool_call":
		w.call(raw, out)
	case "tool_execution_phase_changed":
		w.executes(raw, out)
	case "tool_progress_update":
		w.progress(raw, out)
	case "tool_result":
		var r contentWire
		_ = native.Decode(raw, &r)
		w.result(&r, out)
	case "permission_resolved":
		w.requests.resolved(raw, w.turn.aborting, out)
	case "droid_working_state_changed":
		w.turn.changed(raw, out)
	case "llm_retry":
		w.retries(raw, out)
	case "error":
		w.failed(raw, out)
	case "agent_turn_completed":
		w.completed(raw, out)
	case "queued_messages_discarded":
		w.prompts.discard("the agent discarded it: its turn was interrupted", out)
	case "session_compacted":
		w.compacted("", out)
	case "session_token_usage_changed":
		w.usage.changed(raw, w.turn.on, &w.told.Told, out)
	case "settings_updated":
		w.told.changed(raw, out)
	case "session_title_updated":
		w.told.renamed(raw, out)
	case "mcp_status_changed":
		w.requests.own.changed(raw, out)
	case "mcp_auth_required", "mcp_auth_completed":
		login(kind, raw, out)
	case "child_session_available":
		t.children.began(raw, out)
	case "tool_execution_heartbeat":
		// It says nothing new.
	default:
		return false
	}
	return true
}

// Exit is told that the output has ended. The session closes what is open.
func (t *Translator) Exit(adapters.Exit, *adapters.Output) {}
