package resource

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// RequestList is what a session waits for.
type RequestList struct {
	Requests []protocol.RequestOpened `json:"requests" doc:"In the order in which they were opened"`
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
}
