package droid

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxNoticed is how much of a text that is shown as a notice or an error is kept, in bytes.
const maxNoticed = 2 << 10

// Translator is one process of Droid.
type Translator struct {
	spec     adapters.Spec
	entries  adapters.EntryKey   // last given
	requests adapters.RequestKey // last given
	ids      int                 // of own requests, last given

	told     told
	asked    map[string]asked   // requests to the agent that wait for their answers, by native id
	waiting  []adapters.Command // until the agent is ready
	prompts  prompts
	aborting bool // an interrupt was sent, and nothing has ended since

	run      run
	messages map[string]*stream // that stream now
	last     *block             // that the last delta was of
	writing  *block             // whose entry was opened last: no other one is open
	done     map[string]bool    // messages of the turn that are complete
	tools    map[string]*tool   // of the turn
	asks     asks
	usage    usage
	copies   map[string]sessionCopy // of the session, which may be loaded
	children map[string]bool        // sessions of sub-agents
	foreign  bool                   // a server of the user's has the name of the session's own, and its place
}

func newTranslator(spec adapters.Spec) *Translator {
	return &Translator{
		spec:     spec,
		asked:    map[string]asked{},
		prompts:  prompts{past: map[string]bool{}},
		messages: map[string]*stream{},
		done:     map[string]bool{},
		tools:    map[string]*tool{},
		asks:     asks{byKey: map[adapters.RequestKey]*ask{}, byID: map[string]*ask{}},
		copies:   map[string]sessionCopy{},
		children: map[string]bool{},
	}
}

// Start makes a session, or loads the one that is there.
func (t *Translator) Start(out *adapters.Output) {
	if t.spec.Resume && t.spec.NativeSessionID != "" {
		p := loadParams{SessionID: t.spec.NativeSessionID, MCP: mcpServers(t.spec.MCP)}
		t.asked[t.send(out, methodLoad, p)] = asked{method: methodLoad, session: p.SessionID, start: true}
		return
	}
	p := initializeParams{MachineID: machineID, Cwd: t.spec.Cwd, MCP: mcpServers(t.spec.MCP)}
	if t.spec.Model != "" {
		p.ModelID = &t.spec.Model
	}
	known := t.spec.Mode == "" || p.setMode(t.spec.Mode)
	t.asked[t.send(out, methodInitialize, p)] = asked{method: methodInitialize, start: true}
	if !known {
		out.Draft(adapters.Notice{Level: "warning", Kind: "mode_unknown", Text: native.Head(unknownMode(t.spec.Mode), maxNoticed)})
	}
}

// Line takes one native line.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if t.delta(line, out) {
		return
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
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
		t.request(&e, line, out)
	case typeResponse:
		t.response(&e, out)
	default:
		t.printed(e.Type, line, out)
	}
}

// Exit is told that the output has ended. The session closes what is open.
func (t *Translator) Exit(adapters.Exit, *adapters.Output) {}

func (t *Translator) entry() adapters.EntryKey {
	t.entries++
	return t.entries
}

// whole opens and closes an entry that came in one piece.
func (t *Translator) whole(kind protocol.EntryType, data protocol.EntryData, id string, out *adapters.Output) {
	key := t.entry()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id, Round: t.run.round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}
