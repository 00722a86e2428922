package resource

import (
	"encoding/json"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// RequestList is what a session waits for.
type RequestList struct {
	Requests []protocol.RequestOpened `json:"requests" doc:"In the order in which they were opened"`
}

// Inbox is what all sessions within reach wait for.
type Inbox struct {
	Requests []InboxRequest `json:"requests" doc:"The longest waiting first"`
	Total    int            `json:"total" doc:"Of all that match, also where there are more than the limit"`
	Revision string         `json:"revision" doc:"Of the list that this is from: for revision of streamSessions"`
}

// InboxRequest is a request of one session, with what it takes to know which one that is. It is answered in that session.
type InboxRequest struct {
	SessionID   string                 `json:"sessionId" doc:"The session that asks"`
	Agent       string                 `json:"agent" doc:"Its agent"`
	Cwd         string                 `json:"cwd" doc:"Its working directory"`
	Title       string                 `json:"title,omitempty" doc:"Its title"`
	FirstPrompt string                 `json:"firstPrompt,omitempty" doc:"What a session without a title is called by"`
	Owner       string                 `json:"owner,omitempty" doc:"Its owner"`
	Labels      map[string]string      `json:"labels,omitempty" doc:"Its labels"`
	OpenedAt    time.Time              `json:"openedAt" doc:"Since when it waits"`
	Cursor      string                 `json:"cursor" doc:"The position of the event that has opened it"`
	Request     protocol.RequestOpened `json:"request" doc:"What is asked"`
}

// RequestAnswer is an answer to what the agent asks.
type RequestAnswer struct {
	Outcome  protocol.Outcome `json:"outcome,omitempty" enum:"allowed,denied,answered,failed,cancelled" doc:"May be left out where option, answers or result say it"`
	Option   string           `json:"option,omitempty" maxLength:"256" doc:"Of an approval: the id of one of its options"`
	Answers  [][]string       `json:"answers,omitempty" maxItems:"64" doc:"Of questions: one list each, in order, of option ids or free text"`
	Result   json.RawMessage  `json:"result,omitempty" doc:"Of the call of a caller tool: what it has given, any JSON"`
	Message  string           `json:"message,omitempty" maxLength:"65536" doc:"For the agent, where it takes one; of a call that failed: why"`
	ClientID string           `json:"clientId,omitempty" maxLength:"128" doc:"Who answers, for the log"`
}

// RequestResolution is how a request was resolved.
type RequestResolution struct {
	RequestID string           `json:"requestId" doc:"The request"`
	Outcome   protocol.Outcome `json:"outcome" doc:"What became of it"`
	Option    string           `json:"option,omitempty" doc:"Of an approval: what the agent was told"`
	By        string           `json:"by" doc:"Who answered, as the log names it"`
	InCore    *bool            `json:"inCore,omitempty" doc:"With --core: whether Core has it already, so that the loss of this machine does not take it; false: not within 300 ms, and the log tells all the same"`
}
