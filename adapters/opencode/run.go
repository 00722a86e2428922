package opencode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// run is one busy period, from the first busy to the idle that counts.
//
// OpenCode says idle before everything was said: on an abort and on errors the last parts and the end of the message follow, and
// then idle again. So idle ends the run only when no message of it lacks its end. Else the run waits: for the messages' end;
// for the answer to a question that is put settleMs later, which is the clock of a translator that has none; and where
// nobody answers, in a recording, for the second heartbeat, the third idle, or the next run.
type run struct {
	on      bool
	idle    bool            // idle was said, and a message has not ended
	open    map[string]bool // messages of the agent that have not ended
	guess   bool            // that was the answer to a question, which may be older than what is open
	idles   int
	beats   int            // heartbeats since idle
	settle  bool           // the question was put
	status  string         // last one that was said
	round   int            // model requests begun
	phase   protocol.State // last one reported
	aborted bool
	problem string // the last failure that no later request overcame
	finish  string // of the last message that ended
	denied  bool   // a request was refused
	texts   []string
}

// settleMs is how long after an early idle the messages are asked for, in milliseconds.
const settleMs = 2000

// maxIdles and maxBeats end a run that waits where nobody answers.
const (
	maxIdles = 3
	maxBeats = 2
)

// begin opens a run where none is on.
func (t *Translator) begin(out *adapters.Output) {
	if t.run.on {
		return
	}
	t.ready(out)
	r := t.run
	t.run = run{
		on: true, open: map[string]bool{}, status: "busy", phase: protocol.StateIdle,
		aborted: r.aborted, problem: r.problem,
	}
	began := adapters.TurnBegan{}
	for _, w := range t.before {
		if w.text != "" {
			began.Prompt = &protocol.Prompt{Text: w.shown(t.spec.TextLimit())}
			break
		}
	}
	out.Draft(began)
	t.say(out)
	if t.compact.on {
		t.phase(protocol.StateCompacting, out)
	} else {
		t.phase(protocol.StateResponding, out)
	}
}

// phase reports a phase that differs from the last one.
func (t *Translator) phase(s protocol.State, out *adapters.Output) {
	if t.run.phase != s {
		t.run.phase = s
		out.Draft(adapters.PhaseChanged{State: s})
	}
}

// statusWire is the status of a session.
type statusWire struct {
	Type    string  `json:"type"` // busy, retry, idle
	Attempt int     `json:"attempt"`
	Message string  `json:"message"`
	Next    float64 `json:"next"` // Unix ms
}

func (t *Translator) statusEvent(e event, line []byte, out *adapters.Output) {
	var p struct {
		Status statusWire `json:"status"`
	}
	_ = native.Decode(e.properties, &p)
	switch p.Status.Type {
	case "busy":
		t.busy(out)
	case "retry":
		t.retry(&p.Status, e.id, out)
	case "idle":
		t.idle(out)
	default:
		native.Keep("session.status."+p.Status.Type, line, out)
	}
}

// busy is said again and again in a run.
func (t *Translator) busy(out *adapters.Output) {
	if t.run.guess {
		t.run.idle, t.run.guess = false, false
	}
	if t.run.idle {
		t.end(out) // a run that still waited for its end: this is the next one
	}
	t.run.status = "busy"
	t.begin(out)
	if t.run.phase == protocol.StateRetrying {
		t.phase(protocol.StateResponding, out)
	}
}

// retry says that a model request failed and will be made again. Parts that it left half-written are never ended.
func (t *Translator) retry(s *statusWire, id string, out *adapters.Output) {
	if t.run.idle {
		t.end(out)
	}
	t.run.status = "retry"
	t.begin(out)
	dropped := false
	for _, message := range slices.Sorted(maps.Keys(t.run.open)) {
		for _, x := range t.openParts(message) {
			dropped = dropped || x.ended.Any()
		}
		t.closeParts(message, "retry", out)
	}
	if dropped {
		native.Retracted(out)
	}
	t.run.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying, RetryAt: until(s.Next, id)})
	out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(
		fmt.Sprintf("Attempt %d failed: %s", s.Attempt, s.Message), maxNoticed)})
}

// idle is said too early, and more than once.
func (t *Translator) idle(out *adapters.Output) {
	t.run.status = "idle"
	if !t.run.on {
		return
	}
	t.run.idles++
	if len(t.run.open) == 0 || t.run.idles >= maxIdles {
		t.end(out)
		return
	}
	t.run.idle = true
	t.settle(out)
}

// settle asks for the messages of a run that should be over.
func (t *Translator) settle(out *adapters.Output) {
	if t.run.settle {
		return
	}
	t.run.settle = true
	t.ask(out, call{kind: askSettled, method: "GET", path: "/session/" + t.session + "/message", query: pageQuery, afterMs: settleMs})
}

// settled takes their answer: what has not ended by now never will.
func (t *Translator) settled(a *httpline.Answer, out *adapters.Output) {
	if !t.run.on || !t.run.idle {
		return
	}
	t.foldAnswer(a, out)
	if t.run.on && t.run.idle {
		t.end(out)
	}
}

// heartbeat comes every ten seconds. Two of them end what waits where nobody answers.
func (t *Translator) heartbeat(out *adapters.Output) {
	if t.sync.holds {
		if t.sync.beats++; t.sync.beats >= maxBeats {
			t.release(out)
		}
		return
	}
	t.openLate(out)
	if t.run.idle {
		if t.run.beats++; t.run.beats >= maxBeats {
			t.end(out)
		}
	}
	if len(t.before) > 0 && !t.run.on {
		if t.before[0].beats++; t.before[0].beats >= maxBeats {
			t.flush(out)
		}
	}
}

// end ends the run. What is still open is closed by the session; the translator only remembers that it was there.
func (t *Translator) end(out *adapters.Output) {
	r := t.run
	t.run = run{status: r.status, phase: protocol.StateIdle}
	if !r.on {
		return
	}
	t.asked.dropAll(out)
	for _, id := range slices.Sorted(maps.Keys(t.parts)) {
		t.seen.add(id)
	}
	for _, id := range slices.Sorted(maps.Keys(t.messages)) {
		if m := t.messages[id]; !m.user || m.shown { // else its parts were lost, and a snapshot may still bring them
			t.seen.add(id)
		}
	}
	clear(t.parts)
	t.writing = nil
	clear(t.messages)
	t.compact = compaction{}
	t.ended = r.problem
	end := adapters.TurnEnded{Status: protocol.TurnCompleted}
	switch {
	case r.aborted:
		end.Status = protocol.TurnInterrupted
	case r.problem != "":
		end.Status, end.Error = protocol.TurnError, r.problem
	case r.guess && len(r.open) > 0: // found so when the stream was there again: the server was started anew
		end.Status, end.Error, end.Lost = protocol.TurnInterrupted, "the agent broke off within a message", true
	case r.finish == "tool-calls" && r.denied:
		end.Status, end.Error = protocol.TurnInterrupted, "a request was refused, which stops the agent"
	case r.finish == "tool-calls":
		end.Status, end.Error = protocol.TurnInterrupted, "the agent stopped after its tool calls"
	}
	out.Draft(end)
}

// sessionError remembers what failed. It is not the end: OpenCode may compact and go on.
func (t *Translator) sessionError(properties []byte, out *adapters.Output) {
	var p struct {
		SessionID string  `json:"sessionID"`
		Error     failure `json:"error"`
	}
	_ = native.Decode(properties, &p)
	text := p.Error.text()
	switch {
	case p.Error.aborted():
		t.run.aborted = t.run.aborted || t.run.on
	case t.run.on:
		t.run.problem = text
	case p.SessionID != "" && t.prompts.refuseOldest(text, out):
		// Accepted, and failed before it became a message.
	case len(t.before) > 0:
		t.run.problem = text // of the run that is about to begin
	case t.ended != "" && strings.Contains(text, t.ended):
		// The failure of the last run once more, with a stack.
	default:
		out.Draft(adapters.Notice{Level: "error", Kind: "session_error", Text: text})
	}
}

// until is how many milliseconds lie between an event and a time in Unix ms. Ids of events begin with the low 36 bits of their
// time in ms, then 12 bits of a counter, in hex.
func until(at float64, id string) int64 {
	const digits, mask = 9, 1<<36 - 1
	hex, ok := strings.CutPrefix(id, "evt_")
	if !ok || len(hex) < digits || !(at > 0) || at > 1<<53 {
		return 0
	}
	var now int64
	for _, c := range []byte(hex[:digits]) {
		switch {
		case c >= '0' && c <= '9':
			now = now<<4 | int64(c-'0')
		case c >= 'a' && c <= 'f':
			now = now<<4 | int64(c-'a'+10)
		default:
			return 0
		}
	}
	wait := (int64(at)&mask - now) & mask
	if wait > maxWaitMs {
		return 0
	}
	return wait
}

// maxWaitMs is the longest wait that is believed: a day, in milliseconds.
const maxWaitMs = 24 * 60 * 60 * 1000
