package opencode

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Translator is one session of an OpenCode server.
type Translator struct {
	spec     adapters.Spec
	session  string // the agent's id; empty until it is created
	entries  native.Counter[adapters.EntryKey]
	requests native.Counter[adapters.RequestKey]

	told     told
	run      run
	before   []waiting           // user messages that came before their run
	messages map[string]*message // of the run, and those whose role is not known yet
	parts    map[string]*part    // of the run
	writing  *part               // of them, the text whose entry was opened last: no other one is open, but those with a gap
	seen     seen                // ids of messages and parts that are done with
	asked    asked               // requests of the agent
	prompts  prompts
	calls    calls
	sync     resync
	settings settings
	compact  compaction
	next     next
	children map[string]bool // that ChildBegan told of
	ended    string          // what the last run failed with
	alone    bool            // no other MCP server's tools are called as those of the session's own
}

func newTranslator(spec adapters.Spec) *Translator {
	t := &Translator{
		spec:     spec,
		session:  spec.NativeSessionID,
		run:      run{phase: protocol.StateIdle},
		messages: map[string]*message{},
		parts:    map[string]*part{},
		asked:    asked{open: map[string]*request{}, keys: map[adapters.RequestKey]string{}},
		calls:    calls{pending: map[uint64]call{}},
		settings: settings{model: spec.Model, mode: spec.Mode},
		children: map[string]bool{},
		told:     told{session: spec.NativeSessionID, version: spec.Version},
	}
	for _, id := range spec.Known {
		t.seen.add(id)
	}
	return t
}

// Start creates a session, or takes up the one that is there. A sub-agent's is: it came with its lane.
func (t *Translator) Start(out *adapters.Output) {
	switch {
	case t.spec.Child:
		t.askServers(out)
		t.ready(out)
	case t.session == "":
		t.ask(out, call{kind: askCreate, method: "POST", path: "/session", body: []byte("{}")})
	case t.spec.Resume:
		t.sync.resume, t.sync.wanted, t.sync.holds = true, true, true
		t.ask(out, call{kind: askSession, method: "GET", path: "/session/" + t.session})
	}
}

// Line takes one line: an event of the session, an answer, or a state of the stream.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if !t.sync.holds && t.delta(line, out) {
		return
	}
	if httpline.Is(line) {
		t.httpLine(line, out)
		return
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return
	}
	e, ok := readEvent(line)
	switch {
	case !ok:
		native.Unparsable(line, out)
	case t.sync.holds && e.kind != "server.heartbeat":
		t.hold(e, line, out)
	default:
		t.event(e, line, out)
	}
}

func (t *Translator) httpLine(line []byte, out *adapters.Output) {
	l, ok := httpline.Parse(line)
	if !ok {
		native.Unparsable(line, out)
		return
	}
	switch l := l.(type) {
	case *httpline.Answer:
		t.answered(l, out)
	case *httpline.Stream:
		t.stream(l, out)
	case *httpline.Call: // a server makes none
	}
}

// event handles an event by its type.
func (t *Translator) event(e event, line []byte, out *adapters.Output) {
	switch {
	case e.kind == "server.heartbeat":
		t.heartbeat(out)
	case aside(e.kind):
	case !t.handle(e, line, out):
		native.Keep(e.kind, line, out)
	}
}

// handle says whether the type of the event is known.
func (t *Translator) handle(e event, line []byte, out *adapters.Output) bool {
	switch e.kind {
	case "message.part.updated":
		t.partUpdated(e.properties, line, out)
	case "message.part.delta":
		t.longDelta(e.properties, line, out)
	case "message.updated":
		t.messageUpdated(e.properties, out)
	case "message.removed", "message.part.removed":
		t.removed(e.properties, out)
	case "session.status":
		t.statusEvent(e, line, out)
	case "session.idle":
		if t.run.status != "idle" { // else its twin session.status has said it
			t.idle(out)
		}
	case "session.error":
		t.sessionError(e.properties, out)
	case "session.created", "session.updated":
		t.sessionUpdated(e.properties, out)
	case "session.deleted":
		t.flush(out)
		out.Draft(adapters.Notice{Level: "info", Kind: "session_deleted", Text: "The agent's session was deleted."})
	case "session.compacted":
		t.compacted(out)
	case "permission.asked", "permission.v2.asked":
		t.permissionAsked(e, out)
	case "permission.replied", "permission.v2.replied":
		t.permissionReplied(e.properties, out)
	case "question.asked", "question.v2.asked":
		t.questionAsked(e, out)
	case "question.replied", "question.v2.replied", "question.rejected", "question.v2.rejected":
		t.questionReplied(e.properties, out)
	default:
		return t.nextEvent(e, out)
	}
	return true
}

// Exit is told that the connection has ended. What was held back is said; the session closes what is open.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) {
	t.release(out)
	t.flush(out)
}

// whole opens and closes an entry that came in one piece.
func (t *Translator) whole(kind protocol.EntryType, data protocol.EntryData, id string, out *adapters.Output) {
	key := t.entries.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id, Round: t.run.round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data, PersistentID: id})
}

// aside says that events of a type tell nothing of a session that its log should have. All versions so far have them.
func aside(kind string) bool {
	switch kind {
	case "server.connected", "server.instance.disposed", "global.disposed", "plugin.added", "catalog.updated", "integration.updated",
		"integration.connection.updated", "reference.updated", "project.updated", "project.directories.updated", "file.edited",
		"file.watcher.updated", "vcs.branch.updated", "lsp.updated", "lsp.client.diagnostics", "mcp.tools.changed", "mcp.browser.open.failed",
		"models-dev.refreshed", "installation.updated", "installation.update-available", "command.executed", "pty.created", "pty.updated",
		"pty.exited", "pty.deleted", "tui.prompt.append", "tui.command.execute", "tui.toast.show", "tui.session.select",
		"workspace.ready", "workspace.failed", "workspace.status", "worktree.ready", "worktree.failed", "session.diff", "todo.updated":
		return true
	}
	return false
}
