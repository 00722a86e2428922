package codex

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// thread is what the log was told of the thread: its parts, and what one of them means for the others. What tells of the thread, the server's
// lines, its history, the formats that are imported, is above and uses it.
type thread struct {
	spec     adapters.Spec
	link     link
	joining  bool // its past is asked for: it takes no prompts yet
	settings settings
	turn     turn
	ended    endedTurns
	entries  entries
	plan     plan
	requests requests
	prompts  prompts
	usage    usage
	children children
}

func newThread(spec adapters.Spec) thread {
	return thread{
		spec: spec, link: newLink(spec.NativeSessionID), requests: newRequests(), children: children{},
		entries: entries{limit: spec.TextLimit(), folder: spec.Cwd, items: map[string]*item{}},
		prompts: prompts{images: map[string][]string{}},
	}
}

// ready says that the thread takes prompts. While its history is fetched it does not.
func (t *thread) ready(out *adapters.Output) {
	if !t.joining {
		t.settings.ready(t.link.thread, t.spec.Version, out)
	}
}

// start begins a thread; in the place of one that was lost, with what that one ran with.
func (t *thread) start(out *adapters.Output) {
	p, mode := threadStart{Cwd: t.spec.Cwd, Model: t.spec.Model}, t.spec.Mode
	if t.link.rejoining {
		p.Model, mode = t.settings.model, t.settings.mode
	}
	if m := modeByID(mode); m != nil {
		p.Sandbox, p.Approval = m.start, m.approval
	}
	t.link.ask(&asking{method: "thread/start"}, p, out)
}

// opened takes what the results about a thread have in common.
func (t *thread) opened(result []byte, out *adapters.Output) {
	var r threadResult
	_ = native.Decode(result, &r)
	if id := text(r.Thread, "id"); id != "" {
		t.link.thread = id
	}
	t.settings.thread(r.Thread, out)
	t.settings.told(toldSettings{Model: r.Model, Effort: r.Effort, Policy: r.Sandbox, Collaboration: r.Collaboration}, out)
}

// locate says whether something that a line tells of belongs to the turn that runs. A turn that nobody has heard of begins
// with it: not every turn begins with turn/started.
func (t *thread) locate(id string, out *adapters.Output) bool {
	switch {
	case id == "" || t.turn.is(id):
		return t.turn.on
	case t.ended.has(id):
		return false
	case !t.turn.on:
		t.begin(id, out)
	case t.turn.id == "":
		t.turn.id = id
		t.turnKnown(out)
	case t.turn.started: // the end of that one was lost
		t.end(protocol.TurnInterrupted, unseenEnd, "", out)
		t.begin(id, out)
	default:
		t.turn.alias = id
	}
	return true
}

// unseenEnd is why a turn is over that has not ended here.
const unseenEnd = "the end of the turn was not seen"

// begin opens a turn.
func (t *thread) begin(id string, out *adapters.Output) {
	t.ready(out)
	t.beginTurn(id, out)
	t.turnKnown(out)
}

// beginTurn opens a turn and sends nothing.
func (t *thread) beginTurn(id string, out *adapters.Output) {
	t.entries.prune()
	t.turn = turn{on: true, id: id, stop: t.prompts.stop}
	out.Draft(adapters.TurnBegan{Prompt: t.prompts.started})
	t.prompts.began()
}

// turnKnown sends what has waited for the turn to be known.
func (t *thread) turnKnown(out *adapters.Output) {
	t.turn.stopNow(&t.link, out)
	t.prompts.sendSteers(&t.turn, &t.link, out)
}

// turnStarted takes turn/started. In a review it comes after the first items and has another id than they.
func (t *thread) turnStarted(id string, out *adapters.Output) {
	switch {
	case id == "" || t.ended.has(id):
		return
	case t.turn.on && !t.turn.is(id) && !t.turn.started && t.turn.id != "":
		t.turn.rename(id) // by this one it is interrupted
	default:
		t.locate(id, out)
	}
	t.turn.started = true
	t.turn.stopNow(&t.link, out)
}

// endAs ends the turn in the server's words.
func (t *thread) endAs(status string, e *turnError, out *adapters.Output) {
	switch status {
	case "interrupted":
		t.terminate(out)
		t.end(protocol.TurnInterrupted, "", "", out)
	case "failed":
		if e != nil {
			t.turn.failed(e)
		}
		t.end(protocol.TurnError, t.turn.problem, t.turn.hint, out)
	default:
		t.end(protocol.TurnCompleted, "", "", out)
	}
}

// terminate ends the commands of a turn that was interrupted here: the server leaves them running. Those of earlier turns, which
// somebody wanted in the background, stay. A sub-agent's turn is interrupted with its root's.
func (t *thread) terminate(out *adapters.Output) {
	if !t.turn.stopping && !t.spec.Child || t.link.quiet() {
		return
	}
	for _, id := range t.entries.processes(&t.turn) {
		t.link.ask(&asking{method: "thread/backgroundTerminals/terminate"}, ofTerminal{t.link.thread, id}, out)
	}
}

// end ends the turn. What is still open the session closes, but for commands that run on.
func (t *thread) end(status protocol.TurnStatus, problem, hint string, out *adapters.Output) {
	if !t.turn.on {
		return
	}
	t.plan.close(out)
	if status == protocol.TurnError && problem == "" {
		problem = "the turn failed"
	}
	lost := status == protocol.TurnInterrupted && t.link.rejoining
	if lost && problem == "" {
		problem = "the agent ended the turn while the connection to it was lost"
	}
	t.ended.add(t.turn.id)
	t.ended.add(t.turn.alias)
	t.turn = turn{}
	t.requests.endTurn()
	if t.prompts.idle() {
		clear(t.prompts.images)
	}
	out.Draft(adapters.TurnEnded{Status: status, Error: problem, Hint: hint, Lost: lost, Running: t.entries.endTurn()})
	t.prompts.ended(&t.turn, &t.link, out)
}

// failed takes an error. One that the agent tries to get over drops what it has half said; the last one is the turn's.
func (t *thread) failed(params []byte, out *adapters.Output) {
	var p struct {
		Error     turnError `json:"error"`
		WillRetry bool      `json:"willRetry"`
		TurnID    string    `json:"turnId"`
	}
	_ = native.Decode(params, &p)
	switch on := t.locate(p.TurnID, out); {
	case on && p.WillRetry:
		t.entries.dropHalf("retry", out)
		t.turn.retrying(&p.Error, out)
	case on:
		t.turn.failed(&p.Error)
	case p.Error.Message != "" && !t.ended.has(p.TurnID):
		out.Draft(adapters.Notice{Level: "error", Kind: "error", Text: p.Error.text()})
	}
}

// itemTold takes item/started and item/completed. The start of a command is told late, when its turn may be over.
func (t *thread) itemTold(m *message, line []byte, out *adapters.Output) {
	var p ofItem
	_ = native.Decode(m.params, &p)
	w, over := &p.Item, m.method == "item/completed"
	switch {
	case w.entryType() == "":
		native.Keep("item."+w.Type, line, out)
		return
	case w.ID == "":
		return
	case t.entries.find([]byte(p.TurnID), []byte(w.ID)) == nil && !t.locate(p.TurnID, out) && w.Type != "commandExecution":
		return
	}
	if !over && w.Status == "" {
		w.Status = "inProgress"
	}
	t.item(p.TurnID, w, over, out)
}

// item takes an item that has begun, or is over.
func (t *thread) item(turn string, w *wireItem, over bool, out *adapters.Output) {
	it := t.entries.find([]byte(turn), []byte(w.ID))
	if it == nil {
		it = t.open(turn, w, nil, out)
	}
	if over && !it.closed {
		t.close(it, w, out)
	}
}

// open opens the entry of an item.
func (t *thread) open(turn string, w *wireItem, extra []protocol.Member, out *adapters.Output) *item {
	if w.Type == "userMessage" { // a steer: what the agent was saying is dropped
		t.steered(w, out)
	}
	t.turn.atWork(out)
	it := t.entries.open(turn, w, t.prompts.pictures(w), extra, out)
	if w.Type == "contextCompaction" && t.turn.on {
		t.turn.enter(protocol.StateCompacting, out)
	}
	t.children.spawned(t.link.thread, it.key, w, out)
	return it
}

// steered takes a user's message.
func (t *thread) steered(w *wireItem, out *adapters.Output) {
	t.prompts.took(w.ClientID, out)
	t.entries.dropHalf("steered", out)
}

// close closes an entry with the item's final object.
func (t *thread) close(it *item, w *wireItem, out *adapters.Output) {
	if w.entryType() != itemEntryType(it.typ) {
		return
	}
	t.requests.drop(it.key, out)
	t.children.spawned(t.link.thread, it.key, w, out)
	t.entries.close(it, w, t.prompts.pictures(w), out)
	if w.Type == "contextCompaction" {
		t.turn.atWork(out)
	}
}

// delta adds to an item. The entry of one whose beginning was not seen is opened: this connection joined in the middle of it, or a line was
// lost. What came before the delta is missing until the item's end, and the entry says so.
func (t *thread) delta(d *delta, out *adapters.Output) {
	it := t.entries.find(d.turn, d.id)
	if it == nil {
		if !t.locate(string(d.turn), out) {
			return // a straggler of a turn that is over
		}
		w := wireItem{Type: d.kind.itemType(), ID: string(d.id), Status: "inProgress"}
		it = t.open(string(d.turn), &w, gapMark, out)
	}
	if it.takes(d.kind) {
		t.turn.atWork(out)
		it.grow(d, out)
	}
}

// planned takes the agent's list of steps.
func (t *thread) planned(u *planUpdate, out *adapters.Output) {
	if t.locate(u.TurnID, out) {
		t.turn.atWork(out)
		t.plan.update(u.data(t.entries.limit), &t.entries.keys, out)
	}
}

// about is the item that a request names. One whose beginning was not seen is opened, from what the request tells of it.
func (t *thread) about(turn string, w *wireItem, out *adapters.Output) *item {
	if w.ID == "" {
		return nil
	}
	if it := t.entries.find([]byte(turn), []byte(w.ID)); it != nil {
		return it
	}
	if !t.locate(turn, out) {
		return nil
	}
	w.Status = "inProgress"
	return t.open(turn, w, gapMark, out)
}
