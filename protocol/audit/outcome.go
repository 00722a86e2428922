package audit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// ErrOutcome is wrapped where a channel tells of the end of a turn what its log does not.
var ErrOutcome = errors.New("outcome not told")

// Outcome is what every channel has to say of a turn that has ended. A turn whose agent was lost has failed, however the agent itself
// counts it: it never gives a completion, in no channel.
type Outcome struct {
	TurnID   string
	PromptID string // empty: no prompt made it
	Want     protocol.ItemOutcome
	Cause    protocol.TurnCause
	Newest   bool // no turn has begun since
}

// Outcomes are those of a log. They are read off its events here, and by nothing that a channel is made with.
func Outcomes(log []protocol.Event) (list []Outcome) {
	prompts := map[string]string{}
	for i := range log {
		switch p := log[i].Payload.(type) {
		case *protocol.TurnStart:
			for k := range list {
				list[k].Newest = false
			}
			if p.Prompt != nil {
				prompts[p.TurnID] = p.Prompt.PromptID
			}
		case *protocol.TurnEnd:
			o := Outcome{TurnID: p.TurnID, PromptID: prompts[p.TurnID], Want: protocol.ItemOutcome(p.Status), Cause: p.Cause, Newest: true}
			if p.Cause == protocol.CauseLost || p.Status == protocol.TurnError {
				o.Want = protocol.ItemFailed
			}
			list = append(list, o)
		default:
		}
	}
	return list
}

func (o Outcome) failed() bool { return o.Want == protocol.ItemFailed }

func (o Outcome) wrong(format string, a ...any) error {
	return fmt.Errorf("%w: turn %s, %s %s: "+format, append([]any{ErrOutcome, o.TurnID, o.Want, o.Cause}, a...)...)
}

// Items checks the items of a session that one channel told, from the first to the last.
func (o Outcome) Items(list []protocol.SessionEvent) error {
	kind := protocol.ItemCompletion
	if o.failed() {
		kind = protocol.ItemError
	}
	ends, next := 0, ""
	for i, it := range list {
		if ends == 1 && next == "" && it.Type == protocol.ItemStatus {
			next = it.Text
		}
		if it.TurnID != o.TurnID || it.Outcome == "" && it.Type != protocol.ItemCompletion {
			continue
		}
		ends++
		if it.Type != kind || it.Outcome != o.Want || it.Reason != o.Cause {
			return o.wrong("item %d is %s, %s %s", i, it.Type, it.Outcome, it.Reason)
		}
	}
	switch {
	case ends != 1:
		return o.wrong("%d items end it", ends)
	case o.Cause == protocol.CauseLost && next != "" && next != string(protocol.StateFailed):
		return o.wrong("the next status says %s", next)
	default:
		return nil
	}
}

// Result checks what a call told that waited for the turn: an outcome, and why it is not completed.
func (o Outcome) Result(outcome, why string) error {
	if outcome != string(o.Want) || (why == "") != (o.Want == protocol.ItemCompleted) || !o.failed() && !strings.Contains(why, string(o.Cause)) {
		return o.wrong("a call says %s: %q", outcome, why)
	}
	return nil
}

// Task checks the status of the turn's task, and whether its result says isError: one that the agent itself has failed was carried out,
// and its result is an error.
func (o Outcome) Task(status string, isError bool) error {
	want, failed := "cancelled", false
	switch {
	case o.Want == protocol.ItemCompleted:
		want = "completed"
	case o.Cause == protocol.CauseLost, o.Want == protocol.ItemInterrupted && o.Cause == protocol.CauseDaemon:
		want = "failed"
	case o.failed():
		want, failed = "completed", true
	}
	if status != want || isError != failed {
		return o.wrong("the task is %s, an error: %t", status, isError)
	}
	return nil
}
