package opencode

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn is one busy period, from the first busy to the idle that counts.
//
// OpenCode says idle before everything was said: on an abort and on errors the last parts and the end of the message follow, and
// then idle again. So idle ends the turn only when no message of it lacks its end. Else the turn waits: for the messages' end;
// for the answer to a question that is put settleMs later, which is the clock of a translator that has none; and where
// nobody answers, in a recording, for the second heartbeat, the third idle, or the next turn.
type turn struct {
	on      bool
	idle    bool            // idle was said, and a message has not ended
	open    map[string]bool // messages of the agent that have not ended
	guess   bool            // that was the answer to a question, which may be older than what is open
	idles   int
	beats   int            // heartbeats since idle
	settle  bool           // the question was put
	status  string         // last one that was said
	phase   protocol.State // last one reported
	aborted bool
	problem string // the last failure that no later request overcame
	finish  string // of the last message that ended
	denied  bool   // a request was refused
	ended   string // what the last turn failed with
}

// settleMs is how long after an early idle the messages are asked for, in milliseconds.
const settleMs = 2000

// maxIdles and maxBeats end a turn that waits where nobody answers.
const (
	maxIdles = 3
	maxBeats = 2
)

// begin opens a turn.
func (t *turn) begin(prompt *protocol.Prompt, out *adapters.Output) {
	*t = turn{
		on: true, open: map[string]bool{}, status: "busy", phase: protocol.StateIdle,
		aborted: t.aborted, problem: t.problem, ended: t.ended,
	}
	out.Draft(adapters.TurnBegan{Prompt: prompt})
}

// report reports a phase that differs from the last one.
func (t *turn) report(s protocol.State, out *adapters.Output) {
	if t.phase != s {
		t.phase = s
		out.Draft(adapters.PhaseChanged{State: s})
	}
}

// retries reports that a model request failed and will be made again. id is that of the event that says so.
func (t *turn) retries(s *statusWire, id string, out *adapters.Output) {
	t.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying, RetryAt: until(s.Next, id)})
	out.Draft(adapters.Notice{Level: "warning", Kind: "retry", Text: native.Head(
		fmt.Sprintf("Attempt %d failed: %s", s.Attempt, s.Message), maxNoticed)})
}

// rests takes that the session is idle, and says whether the turn is over, and else whether the question is to be put what became of it.
func (t *turn) rests() (over, settle bool) {
	t.status = "idle"
	if !t.on {
		return false, false
	}
	t.idles++
	if len(t.open) == 0 || t.idles >= maxIdles {
		return true, false
	}
	settle = !t.settle
	t.idle, t.settle = true, true
	return false, settle
}

// beat takes a heartbeat, and says whether the turn has waited long enough for its end.
func (t *turn) beat() (over bool) {
	if !t.idle {
		return false
	}
	t.beats++
	return t.beats >= maxBeats
}

// closed takes the end of a message, and says whether the turn has waited for nothing else.
func (t *turn) closed(message string) (over bool) {
	delete(t.open, message)
	return t.idle && len(t.open) == 0
}

// fails takes an error of a message.
func (t *turn) fails(f *failure) {
	if f.aborted() {
		t.aborted = true
	} else {
		t.problem = f.text()
	}
}

// refused notes that a request was.
func (t *turn) refused() { t.denied = t.on }

// end ends the turn, and says how; ok is false where none is on.
func (t *turn) end() (end adapters.TurnEnded, ok bool) {
	r := *t
	*t = turn{status: r.status, phase: protocol.StateIdle, ended: r.ended}
	if !r.on {
		return end, false
	}
	t.ended = r.problem
	end.Status = protocol.TurnCompleted
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
	return end, true
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
