// Package notice says what is told of a session to those who do not read its log: which events, as what, and in which form (spec §7.17).
package notice

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Kind is the kind of a notice: what somebody is told of a session who does not read its log (spec §7.17).
type Kind string

// The kinds of notice. The first five can be chosen; the others are told whatever is chosen.
const (
	RequestOpened Kind = "request_opened" // the agent waits for an answer
	TurnEnded     Kind = "turn_ended"     // a turn is over: it was completed, or stopped on purpose
	TurnFailed    Kind = "turn_failed"    // a turn ended in an error, or its agent was lost
	SessionEnded  Kind = "session_ended"  // the session has ended, or was deleted
	BudgetMark    Kind = "budget"         // a limit of a budget is near, reached, or neither any more
	EventsMissed  Kind = "missed"         // events were dropped before they were told
	Test          Kind = "test"           // of no session: somebody tries the way
)

// Kinds are the kinds that can be chosen.
func Kinds() []Kind {
	return []Kind{RequestOpened, TurnEnded, TurnFailed, SessionEnded, BudgetMark}
}

// Notice is one thing to tell. It has nothing that an agent has written but, where no client gave one, the title that the agent gave its session.
type Notice struct {
	Kind  Kind
	Time  int64 // of the event, Unix ms
	About About
	What  What // nil: the kind says it all
}

// About is the session that a notice is about.
type About struct {
	SessionID       string `json:"sessionId"`                 // the session
	Cursor          string `json:"cursor,omitempty"`          // of the event; absent: it is of no event
	Agent           string `json:"agent"`                     // the agent's name
	Title           string `json:"title,omitempty"`           // of the session, its first 200 bytes
	ParentSessionID string `json:"parentSessionId,omitempty"` // the session that this one works for
}

// maxTitle is how much of a session's title a notice has, in bytes.
const maxTitle = 200

// What is what happened.
//
//sumtype:decl
type What interface{ what() }

// Request says which request was opened.
type Request struct {
	RequestID      string               `json:"requestId"`                // what its answer names
	RequestKind    protocol.RequestKind `json:"requestKind"`              // approval, question or elicitation
	ToolKind       protocol.ToolKind    `json:"toolKind,omitempty"`       // of an approval: what the tool does
	TurnID         string               `json:"turnId,omitempty"`         // the turn that waits
	AskedBySession string               `json:"askedBySession,omitempty"` // in a root session's log: the session below it that asks
	Deadline       int64                `json:"deadline,omitempty"`       // Unix ms; nobody needs to answer after it
}

// Turn says which turn ended, and how.
type Turn struct {
	TurnID string              `json:"turnId"`          // the turn
	Status protocol.TurnStatus `json:"status"`          // how it ended
	Cause  protocol.TurnCause  `json:"cause,omitempty"` // why, where it has not completed
}

// End says how a session ended.
type End struct {
	Reason  protocol.EndReason `json:"reason,omitempty"`  // absent: nobody knows, since its log went with it
	Deleted bool               `json:"deleted,omitempty"` // it was deleted
}

// Budget says which limit it is, and where what is used stands to it.
type Budget struct {
	Scope  protocol.BudgetScope  `json:"scope"`            // whose use is bounded
	Of     string                `json:"of,omitempty"`     // the session at the root of the tree
	Limit  protocol.BudgetLimit  `json:"limit"`            // which limit
	State  protocol.BudgetState  `json:"state"`            // warned, reached or lifted
	Spent  int64                 `json:"spent"`            // what was used when this was found
	Max    int64                 `json:"max"`              // the limit
	Action protocol.BudgetAction `json:"action,omitempty"` // what is done about it
}

// Missed says between which events what was to be told is not known any more.
type Missed struct {
	From string `json:"from"` // cursor of the last event that was looked at
	To   string `json:"to"`   // cursor behind which everything is told again
}

func (Request) what() {}
func (Turn) what()    {}
func (End) what()     {}
func (Budget) what()  {}
func (Missed) what()  {}

// Of says of which kind the notice of an event is, and what it tells; false: there is nothing to tell of it. The call of a client's tool is told by
// nobody: the client that has offered the tool answers it, and no person.
func Of(e *protocol.Event) (kind Kind, what What, ok bool) {
	switch p := e.Payload.(type) {
	case *protocol.RequestOpened:
		if p.Kind == protocol.RequestCallerTool {
			return "", nil, false
		}
		return RequestOpened, Request{p.RequestID, p.Kind, p.ToolKind, p.TurnID, p.SessionID, p.Deadline}, true
	case *protocol.TurnEnd:
		kind = TurnEnded
		if p.Failed() {
			kind = TurnFailed
		}
		return kind, Turn{p.TurnID, p.Status, p.Cause}, true
	case *protocol.SessionEnd:
		return SessionEnded, End{Reason: p.Reason}, true
	case *protocol.BudgetMark:
		return BudgetMark, Budget{p.Scope, p.Of, p.Limit, p.State, p.Spent, p.Max, p.Action}, true
	default:
		return "", nil, false
	}
}

// May says whether events of a type may have a notice, so that most lines need not be decoded.
func May(t protocol.Type) bool {
	switch t {
	case protocol.TypeRequestOpened, protocol.TypeTurnEnd, protocol.TypeSessionEnd, protocol.TypeBudget:
		return true
	default:
		return false
	}
}

// ID is the id of the notice of an event: always the same for the same event. at has the epoch in which the event was written, which is not that of the
// log's cursors after a loss.
func ID(session string, at protocol.Cursor, kind Kind) string {
	return session + "_" + strconv.FormatUint(at.Epoch, 10) + "_" + strconv.FormatUint(at.Seq, 10) + "_" + string(kind)
}

// DeletedID is the id of the notice that a session was deleted.
func DeletedID(session string) string { return session + "_deleted" }

// MarshalJSON writes the body of a notice: type, timestamp and data.
func (n *Notice) MarshalJSON() ([]byte, error) {
	data := []byte("{}")
	if n.Kind != Test {
		about := n.About
		if len(about.Title) > maxTitle {
			about.Title = strings.ToValidUTF8(about.Title[:maxTitle], "")
		}
		var err error
		if data, err = json.Marshal(about); err != nil {
			return nil, err
		}
	}
	if n.What != nil {
		what, err := json.Marshal(n.What)
		if err != nil {
			return nil, err
		}
		if len(what) > len("{}") {
			data = append(append(data[:len(data)-1], ','), what[1:]...)
		}
	}
	return json.Marshal(struct {
		Type      Kind            `json:"type"`
		Timestamp string          `json:"timestamp"`
		Data      json.RawMessage `json:"data"`
	}{n.Kind, time.UnixMilli(n.Time).UTC().Format("2006-01-02T15:04:05.000Z"), data})
}
