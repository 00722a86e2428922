package codex

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Translator is one thread on one connection.
type Translator struct {
	spec     adapters.Spec
	limit    int                 // of one text, in bytes
	entries  adapters.EntryKey   // last given
	requests adapters.RequestKey // last given
	ids      int                 // of our own requests, last given
	thread   string              // empty: not known yet

	told     told
	turn     turn
	ended    endedTurns
	items    map[string]*item // by native id; the newest of those that share one
	calls    map[string]*asking
	sent     map[string]*asking // requests of a recording, by raw id
	open     map[string]*request
	keys     map[adapters.RequestKey]*request
	answers  map[string]*request // that were answered and may be asked again, by raw id
	prompts  prompts
	usage    usage
	children map[string]bool // sub-agents that were told of
	history  history
	link     link
	offer    []adapters.Choice // models told so far, while more pages come
	exec     execRun
	rollout  rollout
}

// asking is a request that waits for its response.
type asking struct {
	method  string
	prompt  *prompting       // of turn/start and turn/steer
	id      string           // of the command that it serves
	page    int              // of lists: which one
	setting adapters.Command // of thread/settings/update
	mine    bool             // not the request of a recording
}

func newTranslator(spec adapters.Spec) *Translator {
	return &Translator{
		spec: spec, limit: spec.TextLimit(), thread: spec.NativeSessionID,
		items: map[string]*item{}, calls: map[string]*asking{}, sent: map[string]*asking{},
		open: map[string]*request{}, keys: map[adapters.RequestKey]*request{}, answers: map[string]*request{}, children: map[string]bool{},
		prompts: prompts{images: map[string][]string{}},
	}
}

// Line takes one native line.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if t.delta(line, out) {
		return
	}
	if line = bytes.TrimSpace(line); len(line) == 0 || httpline.Is(line) && t.stream(line, out) {
		return
	}
	m, ok := parse(line)
	if !ok || !json.Valid(line) {
		native.Unparsable(line, out)
		return
	}
	if t.history.holds(t, line, &m, out) {
		return
	}
	t.message(&m, line, out)
}

// message handles a line that is an object.
func (t *Translator) message(m *message, line []byte, out *adapters.Output) {
	switch {
	case m.isResponse():
		t.responded(m, out)
	case m.isRequest():
		t.asked(m, line, out)
	case m.isNotification():
		switch id := threadOf(m); {
		case id == "" || id == t.thread:
		case t.thread == "":
			t.thread = id
		default:
			t.child(id, 0, "", out)
			return
		}
		t.noted(m, line, out)
	case isRollout(m.kind):
		t.rolloutLine(m.kind, line, out)
	case isExec(m.kind):
		t.execLine(m.kind, line, out)
	default:
		native.Keep(m.kind, line, out)
	}
}

// noted handles a notification about this thread, or about the whole connection.
func (t *Translator) noted(m *message, line []byte, out *adapters.Output) {
	t.usage.settled(m.method)
	switch m.method {
	case "item/started":
		t.itemStarted(m.params, line, out)
	case "item/completed":
		t.itemCompleted(m.params, line, out)
	case "turn/started":
		t.turnStarted(m.params, out)
	case "turn/completed":
		t.turnCompleted(m.params, out)
	case "turn/plan/updated":
		t.planUpdated(m.params, out)
	case "thread/tokenUsage/updated":
		t.tokens(m.params, out)
	case "error":
		t.failed(m.params, out)
	case "serverRequest/resolved":
		t.resolved(m.params, out)
	case "thread/settings/updated", "thread/name/updated", "model/rerouted":
		t.settings(m.method, m.params, out)
	case "thread/started":
		t.threadInfo(member(m.params, "thread"), out)
	case "item/fileChange/patchUpdated":
		t.patchUpdated(m.params)
	default:
		if kind := deltaKind(m.method); kind != noDelta {
			t.slowDelta(kind, m.params, out)
			return
		}
		t.remark(m, line, out)
	}
}

// Exit is told that the output has ended. What is open the session closes.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) { t.unheld(out) }

func (t *Translator) entry() adapters.EntryKey {
	t.entries++
	return t.entries
}

// ask sends a request of the translator's own.
func (t *Translator) ask(a *asking, params any, out *adapters.Output) {
	t.ids++
	id := "t" + strconv.Itoa(t.ids)
	a.mine = true
	t.calls[`"`+id+`"`] = a
	out.Line(encode(call{ID: id, Method: a.method, Params: params}))
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	t.link.foreign = true
	m, ok := parse(line)
	if !ok || !json.Valid(line) {
		return
	}
	switch {
	case m.isResponse():
		t.answeredElsewhere(&m, out)
	case m.isRequest():
		a := &asking{method: m.method}
		if m.method == "turn/start" && !t.turn.on {
			var p struct {
				Input []userInput `json:"input"`
			}
			_ = native.Decode(m.params, &p)
			text, _ := native.Cut(joinInput(p.Input), t.limit)
			t.prompts.started = &protocol.Prompt{Text: text}
		}
		t.sent[string(m.id)] = a
	}
}

// responded takes the response to a request, ours or somebody else's.
func (t *Translator) responded(m *message, out *adapters.Output) {
	a := t.calls[string(m.id)]
	if a == nil {
		a = t.sent[string(m.id)]
	}
	if a == nil {
		return
	}
	delete(t.calls, string(m.id))
	delete(t.sent, string(m.id))
	problem := ""
	if m.fault != nil {
		if problem = native.Head(text(m.fault, "message"), maxNoticed); problem == "" {
			problem = "the agent refused " + a.method
		}
	}
	switch a.method {
	case "thread/start":
		t.threadStarted(a, m.result, problem, out)
	case "thread/resume":
		t.threadResumed(a, m.result, problem, out)
	case "thread/fork":
		t.threadForked(m.result, problem, out)
	case "thread/turns/list":
		t.history.page(t, a, m.result, problem, out)
	case "turn/start":
		t.turnAnswered(a, m.result, problem, out)
	case "turn/steer":
		t.steerAnswered(a, problem, out)
	case "turn/interrupt":
		t.interruptAnswered(a, problem, out)
	case "thread/settings/update":
		t.settingAnswered(a, problem, out)
	case "model/list":
		t.modelsListed(a, m.result, problem, out)
	case "thread/revert":
		t.usage.repeats = problem == ""
	default:
		if problem != "" && !a.mine {
			out.Draft(adapters.Notice{Level: "warning", Kind: "command_failed", Text: a.method + ": " + problem})
		}
	}
}

// maxNoticed is how much of a text goes into a notice, in bytes.
const maxNoticed = 2 << 10

// child tells of a sub-agent, once.
func (t *Translator) child(id string, entry adapters.EntryKey, title string, out *adapters.Output) {
	if id == "" || id == t.thread || t.children[id] {
		return
	}
	t.children[id] = true
	out.Draft(adapters.ChildBegan{NativeID: id, Entry: entry, Title: native.Head(title, maxTitle)})
}

// maxTitle is the longest title, in bytes.
const maxTitle = 256
