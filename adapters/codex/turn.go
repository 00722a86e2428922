package codex

import (
	"encoding/json"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// ofTerminal are the parameters of requests about a command that outlived its turn.
type ofTerminal struct {
	ThreadID  string `json:"threadId"`
	ProcessID string `json:"processId"`
}

// turn is the turn that runs.
type turn struct {
	on      bool
	id      string // empty: not known yet, after a rejoin
	alias   string // another id that the server has for it, in a review
	started bool   // turn/started was seen
	phase   protocol.State
	retry   string // the last reason to try again
	problem string // the error that ended it
	hint    string
	plan    *item // the entry of turn/plan/updated

	stop, stopping bool // Interrupt was asked for; and sent
}

func (r *turn) is(id string) bool { return r.on && id != "" && (id == r.id || id == r.alias) }

// endedTurns are the newest turns that are over, so that their stragglers are known.
type endedTurns struct {
	ids  [32]string
	next int
}

func (e *endedTurns) add(id string) {
	if id != "" {
		e.ids[e.next%len(e.ids)] = id
		e.next++
	}
}

func (e *endedTurns) has(id string) bool { return slices.Contains(e.ids[:], id) }

// locate says whether something that a line tells of belongs to the turn that runs. A turn that nobody has heard of begins
// with it: not every turn begins with turn/started.
func (t *Translator) locate(id string, out *adapters.Output) bool {
	switch {
	case id == "" || t.turn.is(id):
		return t.turn.on
	case t.ended.has(id):
		return false
	case !t.turn.on:
		t.begin(id, out)
	case t.turn.id == "":
		t.turn.id = id
		t.stopNow(out)
		t.sendSteers(out)
	case t.turn.started: // the end of that one was lost
		t.end(protocol.TurnInterrupted, "the end of the turn was not seen", "", out)
		t.begin(id, out)
	default:
		t.turn.alias = id
	}
	return true
}

// begin opens a turn.
func (t *Translator) begin(id string, out *adapters.Output) {
	t.ready(out)
	t.beginTurn(id, out)
	t.stopNow(out)
	t.sendSteers(out)
}

func (t *Translator) beginTurn(id string, out *adapters.Output) {
	for name, it := range t.items {
		if it = it.living(); it == nil {
			delete(t.items, name)
		} else {
			t.items[name] = it
		}
	}
	t.turn = turn{on: true, id: id, stop: t.prompts.stop}
	out.Draft(adapters.TurnBegan{Prompt: t.prompts.started})
	t.prompts.started, t.prompts.stop, t.prompts.starting = nil, false, false
	for _, a := range t.calls {
		if a.method == "turn/start" && a.prompt != nil {
			a.prompt.taken = true
		}
	}
}

// turnStarted takes turn/started. In a review it comes after the first items and has another id than they.
func (t *Translator) turnStarted(params []byte, out *adapters.Output) {
	id := text(params, "turn", "id")
	switch {
	case id == "" || t.ended.has(id):
		return
	case t.turn.on && !t.turn.is(id) && !t.turn.started && t.turn.id != "":
		t.turn.alias, t.turn.id = t.turn.id, id // by this one it is interrupted
	default:
		t.locate(id, out)
	}
	t.turn.started = true
	t.stopNow(out)
}

// turnCompleted ends the turn. The server has said by then that the thread is idle; after a failure it never says so.
func (t *Translator) turnCompleted(params []byte, out *adapters.Output) {
	var p struct {
		Turn struct {
			ID     string     `json:"id"`
			Status string     `json:"status"`
			Error  *turnError `json:"error"`
		} `json:"turn"`
	}
	_ = native.Decode(params, &p)
	if !t.locate(p.Turn.ID, out) {
		return
	}
	t.endAs(p.Turn.Status, p.Turn.Error, out)
}

// endAs ends the turn in the server's words.
func (t *Translator) endAs(status string, e *turnError, out *adapters.Output) {
	switch status {
	case "interrupted":
		t.terminate(out)
		t.end(protocol.TurnInterrupted, "", "", out)
	case "failed":
		if e != nil {
			t.turn.problem, t.turn.hint = e.text(), e.hint()
		}
		t.end(protocol.TurnError, t.turn.problem, t.turn.hint, out)
	default:
		t.end(protocol.TurnCompleted, "", "", out)
	}
}

// terminate ends the commands of a turn that was interrupted here: the server leaves them running. Those of earlier turns, which
// somebody wanted in the background, stay. A sub-agent's turn is interrupted with its root's.
func (t *Translator) terminate(out *adapters.Output) {
	if !t.turn.stopping && !t.spec.Child || t.link.quiet() {
		return
	}
	var running []string
	for _, it := range t.items {
		for ; it != nil; it = it.older {
			if !it.closed && it.runsOn() && it.wire.ProcessID != "" && t.turn.is(it.turn) {
				running = append(running, it.wire.ProcessID)
			}
		}
	}
	slices.Sort(running)
	for _, id := range running {
		t.ask(&asking{method: "thread/backgroundTerminals/terminate"}, ofTerminal{t.thread, id}, out)
	}
}

// end ends the turn. What is still open the session closes, but for commands that run on.
func (t *Translator) end(status protocol.TurnStatus, problem, hint string, out *adapters.Output) {
	if !t.turn.on {
		return
	}
	t.closePlan(out)
	if status == protocol.TurnError && problem == "" {
		problem = "the turn failed"
	}
	lost := status == protocol.TurnInterrupted && t.link.rejoining
	if lost && problem == "" {
		problem = "the agent ended the turn while the connection to it was lost"
	}
	end := adapters.TurnEnded{Status: status, Error: problem, Hint: hint, Lost: lost}
	for _, it := range t.items {
		for ; it != nil; it = it.older {
			if it.closed {
				continue
			}
			if it.runsOn() {
				end.Running = append(end.Running, it.key)
			} else {
				it.closed = true
			}
		}
	}
	slices.Sort(end.Running)
	t.ended.add(t.turn.id)
	t.ended.add(t.turn.alias)
	t.turn = turn{}
	clear(t.open)
	clear(t.keys)
	clear(t.answers)
	if !t.prompts.starting && len(t.prompts.steers)+len(t.prompts.unsure)+len(t.prompts.doubtful) == 0 {
		clear(t.prompts.images)
	}
	out.Draft(end)
	t.neverTaken(out)
	t.retrySteers(out)
}

// atWork says that the agent is back at work after a retry or a compaction.
func (t *Translator) atWork(out *adapters.Output) {
	if t.turn.phase != "" && t.turn.on {
		t.turn.phase = ""
		out.Draft(adapters.PhaseChanged{State: protocol.StateResponding})
	}
}

// turnError is why a turn, or one attempt of it, failed.
type turnError struct {
	Message string          `json:"message"`
	Info    json.RawMessage `json:"codexErrorInfo"` // a word, or an object with one member
	Details string          `json:"additionalDetails"`
}

func (e *turnError) text() string { return native.Head(e.Message, maxNoticed) }

// hint says what helps, or else what the agent knows beyond the message.
func (e *turnError) hint() string {
	switch native.Text(e.Info) {
	case "contextWindowExceeded":
		return "Start a new session, or have this one compacted."
	case "usageLimitExceeded", "sessionBudgetExceeded":
		return "The account's limit is reached: wait, or use another model."
	case "unauthorized":
		return "Log in with: codex login"
	case "modelNotFound":
		return "Choose another model."
	}
	return native.Head(e.Details, maxNoticed)
}

// failed takes an error. One that the agent tries to get over drops what it has half said; the last one is the turn's.
func (t *Translator) failed(params []byte, out *adapters.Output) {
	var p struct {
		Error     turnError `json:"error"`
		WillRetry bool      `json:"willRetry"`
		TurnID    string    `json:"turnId"`
	}
	_ = native.Decode(params, &p)
	if !t.locate(p.TurnID, out) {
		if p.Error.Message != "" && !t.ended.has(p.TurnID) {
			out.Draft(adapters.Notice{Level: "error", Kind: "error", Text: p.Error.text()})
		}
		return
	}
	if !p.WillRetry {
		t.turn.problem, t.turn.hint = p.Error.text(), p.Error.hint()
		return
	}
	t.dropHalf("retry", out)
	t.turn.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying})
	reason := p.Error.text()
	if p.Error.Details != "" {
		reason += ": " + native.Head(p.Error.Details, maxNoticed)
	}
	if reason != t.turn.retry { // without a network it says the same for ever
		t.turn.retry = reason
		out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(reason, maxNoticed)})
	}
}
