package follow

import (
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Outcome watches a log for the end of one prompt's work.
type Outcome struct {
	PromptID string // empty: the first one of the log
	begun    bool   // the prompt left the queue
	removed  bool   // it was taken out for a reason
	turn     string
	turns    int
	status   protocol.TurnStatus
	err      string
	Ended    bool // the session
	failed   bool // with an error
}

// Line is for Following.Until.
func (o *Outcome) Line(l *client.Line) bool { return o.event(&l.Event) }

// event takes the next event and says whether everything is over: the prompt's work has ended and the agent is idle.
func (o *Outcome) event(e *protocol.Event) bool {
	switch p := e.Payload.(type) {
	case *protocol.PromptQueued:
		if o.PromptID == "" && p.Origin == "" {
			o.PromptID = p.PromptID
		}
	case *protocol.PromptRemoved:
		if p.PromptID == o.PromptID {
			o.begun = true
			if p.Reason == protocol.RemovedCancelled {
				o.status, o.err = protocol.TurnInterrupted, p.Error
				if o.removed = p.Error != ""; o.removed { // refused by the agent, or the session ends: what follows tells which
					o.status = protocol.TurnError
				}
				return !o.removed
			}
		}
	case *protocol.TurnStart:
		if p.Prompt != nil && p.Prompt.PromptID == o.PromptID {
			o.begun = true
		}
		o.turn = p.TurnID
	case *protocol.TurnEnd:
		if o.begun {
			o.turns++
			o.status, o.err = p.Status, p.Error
			if p.Failed() {
				o.status = protocol.TurnError
			}
		}
		o.turn = ""
	case *protocol.SessionEnd:
		o.Ended, o.failed = true, p.Reason == protocol.EndError
		if o.failed && o.err == "" {
			o.err = p.Error
		}
		if o.removed && !o.failed { // by the end of the session
			o.status = protocol.TurnInterrupted
		}
		return true
	case *protocol.Status:
		if o.removed {
			return !p.State.Ended() // session_end follows
		}
		return o.begun && o.turn == "" && p.State == protocol.StateIdle
	default:
	}
	return false
}

// Result is the exit of a command that waited for the outcome.
func (o *Outcome) Result() error {
	switch {
	case o.failed && o.turns == 0:
		return &exit.Error{Code: exit.NoAgent}
	case o.failed || o.status == protocol.TurnError:
		return &exit.Error{Code: exit.Failed}
	case o.status == protocol.TurnInterrupted || o.Ended && o.turns == 0:
		return &exit.Error{Code: exit.Interrupted}
	default:
		return nil
	}
}
