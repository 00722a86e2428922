package pi

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Translator is one connection to Pi.
type Translator struct {
	spec     adapters.Spec
	entries  adapters.EntryKey   // last given
	requests adapters.RequestKey // last given
	ids      int                 // of our own commands, last given

	told    told
	run     run
	msg     assistant
	failed  []abandoned
	dropped bool // the message that failed had texts that had ended
	tools   map[string]*tool
	shells  map[string]*shell
	dialogs dialogs
	binder  binder
	prompts prompts
	images  map[[32]byte]bool // pictures that Prompt sent

	settings map[string]string // id of our set_model → id of the command

	clearing bool // clear_queue was sent and is not answered

	recalls      bool // the earlier conversation is asked for, and Pi not yet who it is
	asksMessages bool // by get_messages
}

func newTranslator(spec adapters.Spec) *Translator {
	return &Translator{
		spec:    spec,
		tools:   map[string]*tool{},
		shells:  map[string]*shell{},
		dialogs: dialogs{open: map[string]*dialog{}, keys: map[adapters.RequestKey]string{}},
		prompts: prompts{waiting: map[string]string{}},
		images:  map[[32]byte]bool{},

		settings: map[string]string{},
	}
}

// Start asks who the agent is, and after a resume what its session holds already, so that nothing of it is taken for new.
func (t *Translator) Start(out *adapters.Output) {
	if !t.spec.Recall {
		t.ask(out, command{Type: "get_state"})
	}
	if t.spec.MCP != nil && legacy(t.spec.Version) {
		out.Draft(adapters.Notice{Level: "warning", Kind: "mcp_unknown", Text: "This Pi knows no MCP servers: its session has none of the daemon's tools."})
	}
	switch {
	case t.spec.Recall:
		t.recall(out)
	case t.spec.Resume:
		t.fetch(out)
	}
}

// Line takes one native line.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if t.update(line, out) {
		return
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

// maxNoticed is how much of a line that could not be read is shown, in bytes.
const maxNoticed = 2 << 10

// event handles a line that is an object, by its type.
func (t *Translator) event(kind string, line []byte, out *adapters.Output) {
	if t.releases(kind) {
		t.endRun(out)
	}
	switch kind {
	case "response":
		t.response(line, out)
	case "message_update":
		t.messageUpdate(line, out)
	case "message_start":
		t.messageStart(line, out)
	case "message_end":
		t.messageEnd(line, out)
	case "tool_execution_start", "tool_execution_update", "tool_execution_end":
		t.toolExecution(kind, line, out)
	case "agent_start":
		t.agentStart(out)
	case "agent_end":
		t.agentEnd(line, out)
	case "agent_settled":
		t.agentSettled(line, out)
	case "turn_start":
		t.begin(out)
		t.run.round++
	case "turn_end":
		t.closeTools("not_executed", out)
	case "auto_retry_start":
		t.retryStart(line, out)
	case "auto_retry_end":
		t.retryEnd(line)
	case "compaction_start":
		t.compactionStart(out)
	case "compaction_end":
		t.compactionEnd(line, out)
	case "queue_update":
		t.queueUpdate(line, out)
	case "extension_ui_request":
		t.dialogRequest(line, out)
	case "bash_execution_update":
		t.shellUpdate(line, out)
	case "extension_error", "thinking_level_changed", "session_info_changed", "summarization_retry_scheduled", "session":
		t.aside(kind, line, out)
	case "entry_appended", "summarization_retry_attempt_start", "summarization_retry_finished":
		// Entries that an extension stored for itself, edits of the context before a retry, and steps of a retry inside a
		// compaction: nothing that a reader of the session misses.
	default:
		native.Keep(kind, line, out)
	}
}

// Exit is told that the output has ended. A run whose end was only held back ends here.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) {
	if t.run.held {
		t.endRun(out)
	}
	t.closeFailed("error", out)
}

func (t *Translator) entry() adapters.EntryKey {
	t.entries++
	return t.entries
}

// whole opens and closes an entry that came in one piece.
func (t *Translator) whole(kind protocol.EntryType, data protocol.EntryData, out *adapters.Output) adapters.EntryKey {
	key := t.entry()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, Round: t.run.round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
	return key
}

// ownPrefix begins the ids of the commands that the translator sends for itself.
const ownPrefix = "rm-"

// ask sends a command of the translator's own and gives its id.
func (t *Translator) ask(out *adapters.Output, c command) string {
	t.ids++
	c.ID = ownPrefix + strconv.Itoa(t.ids)
	send(out, c)
	return c.ID
}
