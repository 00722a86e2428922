package codex

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Translator is one thread on one connection: it gives each line and each command to the part that it is for, and does nothing else.
type Translator struct {
	life
	notices notices
	exec    execRun
	rollout rollout
}

func newTranslator(spec adapters.Spec) *Translator {
	return &Translator{life: life{thread: newThread(spec)}}
}

// Start starts the thread, or goes on with it.
func (t *Translator) Start(out *adapters.Output) { t.startOrResume(out) }

// Line takes one native line.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	var d delta
	if !t.history.busy && d.scan(line) && string(d.thread) == t.link.thread {
		t.usage.repeats = false
		t.delta(&d, out)
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
	held, full := t.history.holds(line, &m)
	if full {
		gap(out)
		t.joined(true, out)
		t.release(out)
	}
	if !held {
		t.message(&m, line, out)
	}
}

// message handles a line that is an object.
func (t *Translator) message(m *message, line []byte, out *adapters.Output) {
	switch {
	case m.isResponse():
		t.responded(m, out)
		t.release(out)
	case m.isRequest():
		t.asked(m, line, out)
	case m.isNotification():
		switch id := threadOf(m); {
		case id == "" || id == t.link.thread:
		case t.link.thread == "":
			t.link.thread = id
		default:
			t.children.began(id, 0, "", out)
			return
		}
		t.noted(m, line, out)
	case isRollout(m.kind):
		t.rollout.line(m.kind, line, &t.thread, out)
	case isExec(m.kind):
		t.exec.line(m.kind, line, &t.thread, out)
	default:
		native.Keep(m.kind, line, out)
	}
}

// noted handles a notification about this thread, or about the whole connection.
func (t *Translator) noted(m *message, line []byte, out *adapters.Output) {
	t.usage.settled(m.method)
	switch m.method {
	case "item/started", "item/completed":
		t.itemTold(m, line, out)
	case "turn/started":
		t.turnStarted(text(m.params, "turn", "id"), out)
	case "turn/completed":
		var p struct {
			Turn struct {
				ID     string     `json:"id"`
				Status string     `json:"status"`
				Error  *turnError `json:"error"`
			} `json:"turn"`
		}
		_ = native.Decode(m.params, &p)
		if t.locate(p.Turn.ID, out) { // the server has said by then that the thread is idle; after a failure it never says so
			t.endAs(p.Turn.Status, p.Turn.Error, out)
		}
	case "turn/plan/updated":
		var p planUpdate
		_ = native.Decode(m.params, &p)
		t.planned(&p, out)
	case "thread/tokenUsage/updated":
		var p ofTokens
		_ = native.Decode(m.params, &p)
		t.usage.told(p.Usage.Total, p.Usage.Last, t.settings.model, out)
	case "error":
		t.failed(m.params, out)
	case "serverRequest/resolved":
		t.requests.resolved(member(m.params, "requestId"), out)
	case "thread/settings/updated", "thread/name/updated", "model/rerouted":
		t.settings.changed(m, out)
	case "thread/started":
		t.settings.thread(member(m.params, "thread"), out)
	case "item/fileChange/patchUpdated":
		t.entries.patched(m.params)
	default:
		if kind := deltaKind(m.method); kind != noDelta {
			if d := readDelta(kind, m.params); len(d.id) > 0 {
				t.delta(&d, out)
			}
			return
		}
		t.usage.repeats = t.usage.repeats || m.method == "thread/reverted"
		t.notices.take(m, line, out)
	}
}

// responded takes the response to a request, ours or somebody else's.
func (t *Translator) responded(m *message, out *adapters.Output) {
	a := t.link.take(m.id)
	if a == nil {
		return
	}
	problem := ""
	if m.fault != nil {
		problem = first(native.Head(text(m.fault, "message"), maxNoticed), "the agent refused "+a.method)
	}
	switch a.method {
	case "thread/start":
		t.started(a, m.result, problem, out)
	case "thread/resume":
		t.resumed(a, m.result, problem, out)
	case "thread/fork": // somebody's: this thread begins as a copy
		if problem == "" && text(m.result, "thread", "id") == t.link.thread {
			t.opened(m.result, out)
			t.usage.repeats = true
			t.ready(out)
		}
	case "thread/turns/list":
		if t.history.page(a, m.result, problem, &t.thread, out) {
			t.joined(a.mine, out)
		}
	case "turn/start":
		id := text(m.result, "turn", "id")
		t.prompts.startAnswered(a, id, problem, t.ended.has(id), &t.turn, out)
	case "turn/steer":
		t.prompts.steerAnswered(a, problem, &t.turn, &t.link, out)
	case "turn/interrupt":
		t.turn.interruptAnswered(a, problem, &t.link, out)
	case "thread/settings/update":
		t.settings.answered(a, problem, out)
	case "model/list":
		var page modelPage
		if problem == "" {
			_ = native.Decode(m.result, &page)
		}
		t.offer.listed(a, page, &t.link, out)
	case "thread/revert":
		t.usage.repeats = problem == ""
	default:
		if problem != "" && !a.mine {
			out.Draft(adapters.Notice{Level: "warning", Kind: "command_failed", Text: a.method + ": " + problem})
		}
	}
}

// asked takes a request of the server.
func (t *Translator) asked(m *message, line []byte, out *adapters.Output) {
	if t.requests.again(m, out) {
		return
	}
	limit := t.entries.limit
	switch m.method {
	case "item/commandExecution/requestApproval":
		var p askedCommand
		_ = native.Decode(m.params, &p)
		it := t.about(p.TurnID, p.item(), out)
		t.requests.wait(m, it, p.ask(it, limit), out)
	case "item/fileChange/requestApproval":
		var p askedPatch
		_ = native.Decode(m.params, &p)
		it := t.about(p.TurnID, &wireItem{Type: "fileChange", ID: p.ItemID}, out)
		t.requests.wait(m, it, p.ask(it, t.entries.folder, limit), out)
	case "item/permissions/requestApproval":
		var p askedPermissions
		_ = native.Decode(m.params, &p)
		t.locate(p.TurnID, out)
		t.requests.wait(m, nil, p.ask(limit), out)
	case "item/tool/requestUserInput":
		var p askedUser
		_ = native.Decode(m.params, &p)
		if len(p.Questions) == 0 {
			out.Line(failure(m.id, "there is no question"))
			return
		}
		t.locate(p.TurnID, out)
		t.requests.wait(m, t.entries.find([]byte(p.TurnID), []byte(p.ItemID)), p.ask(limit), out)
	case "mcpServer/elicitation/request":
		var p askedElicitation
		_ = native.Decode(m.params, &p)
		if p.TurnID != "" {
			t.locate(p.TurnID, out)
		}
		if a, ok := p.ask(t.spec.MCP, limit); ok {
			t.requests.wait(m, t.entries.calledOf(p.Server, p.tool()), a, out)
			return
		}
		native.Keep(m.method+"."+p.Mode, line, out)
		out.Line(declined(m.id))
	case "item/tool/call":
		if t.spec.Endpoint == nil { // on a server with other clients the tool may be theirs
			out.Line(noTool(m.id))
		}
	default:
		native.Keep(m.method, line, out)
		out.Line(failure(m.id, "not supported here: "+native.Head(m.method, maxTitle)))
	}
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
		t.requests.answered(&m, out)
	case m.isRequest():
		if m.method == "turn/start" && !t.turn.on {
			var p struct {
				Input []userInput `json:"input"`
			}
			_ = native.Decode(m.params, &p)
			text, _ := native.Cut(joinInput(p.Input), t.entries.limit)
			t.prompts.started = &protocol.Prompt{Text: text}
		}
		t.link.note(&m)
	}
}

// Exit is told that the output has ended. What is open the session closes.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) {
	t.free()
	t.release(out)
}

// release goes on with what has waited.
func (t *Translator) release(out *adapters.Output) {
	r := t.released
	t.released = released{}
	for _, c := range r.commands {
		t.Command(c, out)
	}
	if r.models {
		t.offer.ask(&t.link, out)
	}
	for _, line := range r.lines {
		t.Line(line, out)
	}
}
