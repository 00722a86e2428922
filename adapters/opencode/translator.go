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
	spec    adapters.Spec
	calls   calls
	history history
	work    work
	next    next
}

func newTranslator(spec adapters.Spec) *Translator {
	limit := spec.TextLimit()
	t := &Translator{
		spec:    spec,
		calls:   calls{session: spec.NativeSessionID, folder: folder(&spec), pending: map[uint64]call{}},
		history: history{recall: spec.Recall},
		work: work{
			content: content{
				entries: entries{limit: limit, messages: messages{}, parts: map[string]*part{}},
				requests: requests{
					limit: limit, cwd: spec.Cwd, own: ownServer{given: spec.MCP}, open: map[string]*request{}, ids: map[adapters.RequestKey]string{},
				},
			},
			told:     told{Told: native.Told{Session: spec.NativeSessionID}, version: spec.Version},
			turn:     turn{phase: protocol.StateIdle},
			settings: settings{model: spec.Model, mode: spec.Mode},
			children: children{told: map[string]bool{}},
		},
	}
	for _, id := range spec.Known {
		t.work.entries.seen.add(id)
	}
	return t
}

// Start creates a session, or takes up the one that is there. A sub-agent's is: it came with its lane.
func (t *Translator) Start(out *adapters.Output) {
	switch {
	case t.spec.Child:
		t.work.requests.own.ask(&t.calls, out)
		t.work.told.tellReady(out)
	case t.calls.session == "":
		t.calls.create(out)
	case t.spec.Resume:
		t.history.takeUp()
		t.calls.ask(call{kind: askSession, method: "GET", path: t.calls.about("")}, out)
	}
}

// Line takes one line: an event of the session, an answer, or a state of the stream.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if !t.history.holds && t.work.entries.delta(line, out) {
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
	case e.kind == "server.heartbeat":
		t.heartbeat(out)
	case t.history.holds:
		if t.history.hold(e, line) {
			t.release(out)
		}
	case aside(e.kind):
	case !t.event(e, line, out):
		native.Keep(e.kind, line, out)
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
		if c, ok := t.calls.take(l); ok {
			t.answered(l, c, out)
		}
	case *httpline.Stream:
		t.stream(l, out)
	case *httpline.Call: // a server makes none
	}
}

// event handles an event, and says whether its type is known.
func (t *Translator) event(e event, line []byte, out *adapters.Output) bool {
	w := &t.work
	switch e.kind {
	case "message.part.updated":
		w.partUpdated(e.properties, line, t.history.live(), out)
	case "message.part.delta":
		w.entries.longDelta(e.properties, line, out)
	case "message.updated":
		var p struct {
			Info messageInfo `json:"info"`
		}
		_ = native.Decode(e.properties, &p)
		w.message(&p.Info, t.history.live(), out)
	case "message.removed", "message.part.removed":
		w.removed(e.properties, out)
	case "session.status":
		t.status(e, line, out)
	case "session.idle":
		if w.turn.status != "idle" { // else its twin session.status has said it
			t.idle(out)
		}
	case "session.error":
		w.failed(e.properties, out)
	case "session.created", "session.updated":
		var p struct {
			Info sessionInfo `json:"info"`
		}
		_ = native.Decode(e.properties, &p)
		w.session(&p.Info, out)
	case "session.deleted":
		w.say(adapters.PromptHandled, out)
		out.Draft(adapters.Notice{Level: "info", Kind: "session_deleted", Text: "The agent's session was deleted."})
	case "session.compacted":
		w.compacted(out)
	default:
		return w.asked(e, out) || t.next.event(e, w, out)
	}
	return true
}

// status takes the status of the session.
func (t *Translator) status(e event, line []byte, out *adapters.Output) {
	var p struct {
		Status statusWire `json:"status"`
	}
	_ = native.Decode(e.properties, &p)
	switch p.Status.Type {
	case "busy":
		t.work.busy(out)
	case "retry":
		t.work.retry(&p.Status, e.id, out)
	case "idle":
		t.idle(out)
	default:
		native.Keep("session.status."+p.Status.Type, line, out)
	}
}

// idle is said too early, and more than once. Where the turn is not over, its messages are asked for some time later.
func (t *Translator) idle(out *adapters.Output) {
	over, settle := t.work.turn.rests()
	if over {
		t.work.end(out)
	}
	if settle {
		t.calls.messages(askSettled, pageQuery, settleMs, out)
	}
}

// heartbeat comes every ten seconds.
func (t *Translator) heartbeat(out *adapters.Output) {
	switch {
	case !t.history.holds:
		t.work.beat(out)
	case t.history.beat():
		t.release(out)
	}
}

// stream takes a state of the stream of events.
func (t *Translator) stream(s *httpline.Stream, out *adapters.Output) {
	if s.State == httpline.Lost {
		t.history.lost = true
		t.release(out)
		t.work.entries.lose()
		return
	}
	again := t.history.lost || t.spec.Child
	t.history.lost = false
	if again && t.calls.session != "" {
		t.history.holds = !t.history.foreign
		t.history.start(&t.calls, out)
	}
}

// release lets go of the events that were held back.
func (t *Translator) release(out *adapters.Output) {
	for _, line := range t.history.release() {
		t.Line(line, out)
	}
}

// Exit is told that the connection has ended. What was held back is said; the session closes what is open.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) {
	t.release(out)
	t.work.say(adapters.PromptHandled, out)
}
