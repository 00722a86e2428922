package claude

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Translator is one session's or sub-agent's part of a connection to Claude Code.
type Translator struct {
	spec     adapters.Spec
	entries  adapters.EntryKey   // last given
	requests adapters.RequestKey // last given
	ids      int                 // of our own control requests, last given

	told     told
	turn     turn
	stream   stream
	tools    map[string]*tool // of the running turn, by id
	prompts  prompts
	asks     asks
	controls map[string]sentControl // control requests that are not answered, by id
	compact  compaction
	totals   map[string]modelUse // modelUsage of the last result
	last     lastLines
	child    child
	agents   map[string]string // the sub-agents' native ids, by the agent's own ids of them
}

// lastLines tells a line that came twice from two lines that say the same.
type lastLines struct{ assistant, result string }

func newTranslator(spec adapters.Spec) *Translator {
	return &Translator{
		spec:     spec,
		tools:    map[string]*tool{},
		prompts:  prompts{known: map[string]*prompt{}},
		asks:     asks{open: map[string]*ask{}, ids: map[adapters.RequestKey]string{}},
		controls: map[string]sentControl{},
		child:    child{native: spec.NativeSessionID},
		agents:   map[string]string{},
	}
}

// Start begins the handshake. A sub-agent has none: its lines have begun.
func (t *Translator) Start(out *adapters.Output) {
	if t.spec.Child {
		t.told.Session = t.spec.NativeSessionID
		t.ready(out)
		return
	}
	if t.spec.Resume {
		t.told.Session = t.spec.NativeSessionID
		t.past(t.spec.Past, out)
		t.spec.Past = nil // it may be large
	}
	t.ask(out, sentControl{kind: "initialize"}, initialize{Subtype: "initialize", ForwardSubagentText: true})
}

// head are the members by which a line is told from others.
type head struct {
	kind, subtype string
	parent        string // parent_tool_use_id; empty: the main agent's
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
	var h head
	m := native.Scan(line)
	for {
		key, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			h.kind = native.Text(value)
		case "subtype":
			h.subtype = native.Text(value)
		case "parent_tool_use_id":
			h.parent = native.Text(value)
		}
	}
	if m.Bad || !json.Valid(line) {
		native.Unparsable(line, out)
		return
	}
	if t.foreign(&h, line, out) {
		return
	}
	t.event(&h, line, out)
}

// event handles a line that is an object, by its type.
func (t *Translator) event(h *head, line []byte, out *adapters.Output) {
	switch h.kind {
	case "stream_event":
		t.streamEvent(line, out)
	case "assistant":
		t.assistant(line, out)
	case "user":
		t.user(line, out)
	case "result":
		t.result(line, out)
	case "system":
		t.system(h.subtype, line, out)
	case "command_lifecycle":
		t.lifecycle(line, out)
	case "control_request":
		t.controlRequest(line, out)
	case "control_cancel_request":
		t.controlCancelled(line, out)
	case "control_response":
		t.controlResponse(line, out)
	case "conversation_reset":
		t.told.Session = ""
		out.Draft(adapters.SessionLeft{To: adapters.ToNew})
	case "rate_limit_event":
		t.rateLimit(line, out)
	case "auth_status":
		t.authStatus(line, out)
	case "keep_alive", "tool_progress", "tool_use_summary", "prompt_suggestion", "transcript_mirror", "idle_notification":
		// Signs of life, and short forms of what is there already.
	default:
		native.Keep(h.kind, line, out)
	}
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	var s struct {
		Type      string          `json:"type"`
		UUID      string          `json:"uuid"`
		Message   message         `json:"message"`
		RequestID string          `json:"request_id"`
		Request   json.RawMessage `json:"request"`
		Response  reply           `json:"response"`
	}
	if native.Decode(line, &s) != nil {
		return
	}
	switch s.Type {
	case "user":
		t.promptSent(s.UUID, blocks(s.Message.Content))
	case "control_request":
		t.controlSent(s.RequestID, s.Request)
	case "control_response":
		t.answered(&s.Response, out)
	}
}

// Exit is told that the output has ended. What is open is closed by the session; a compaction whose summary has not come is
// said without it, and a sub-agent's turn ends as was said of it.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) {
	t.endCompaction("", out)
	if t.turn.on && t.child.ending != nil {
		t.end(*t.child.ending, out)
	}
}

func (t *Translator) entry() adapters.EntryKey {
	t.entries++
	return t.entries
}

// whole opens and closes an entry that came in one piece.
func (t *Translator) whole(kind protocol.EntryType, data protocol.EntryData, id string, out *adapters.Output) {
	key := t.entry()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id, Round: t.turn.round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}

func (t *Translator) notice(level, kind, text string, out *adapters.Output) {
	if text != "" {
		out.Draft(adapters.Notice{Level: level, Kind: kind, Text: native.Head(text, maxNotice)})
	}
}

// maxNotice is how much of a text of the agent about itself is shown, in bytes.
const maxNotice = 8 << 10
