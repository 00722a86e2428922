package tool

import (
	"cmp"
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests are what agents ask.
type requests struct{ door *control.Door }

type answerInput struct {
	SessionID string     `json:"session_id"`
	RequestID string     `json:"request_id,omitempty" jsonschema:"may be left out where only one request is open"`
	Outcome   string     `json:"outcome,omitempty" enum:"allowed,denied,answered,cancelled" jsonschema:"of an approval: allowed (this once) or denied, in the place of an option. cancelled: nobody will answer. answered, of questions, goes without saying"`
	Option    string     `json:"option,omitempty" jsonschema:"of an approval: one of the ids of the request's options, such as allow_once, allow_always, deny and deny_stop"`
	Answers   [][]string `json:"answers,omitempty" jsonschema:"of questions: one list each, in order, of option ids or free text"`
	Cancel    bool       `json:"cancel,omitempty" jsonschema:"nobody will answer: the same as the outcome cancelled"`
	Message   string     `json:"message,omitempty" jsonschema:"for the agent, such as why it is denied"`
	ClientID  string     `json:"client_id,omitempty" jsonschema:"who answers, for the log"`
	call.Once
}

// About is for calls with a key.
func (in *answerInput) About() call.About { return call.About{Session: in.SessionID} }

type answerOutput struct {
	RequestID string `json:"request_id"`
	Outcome   string `json:"outcome" jsonschema:"allowed, denied, answered or cancelled"`
	Option    string `json:"option,omitempty"`
}

func (o answerOutput) Words() string {
	if o.Option != "" {
		return "Request " + o.RequestID + " is " + o.Outcome + ": " + o.Option + "."
	}
	return "Request " + o.RequestID + " is " + o.Outcome + "."
}

func (s *requests) addAnswer(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_answer", Title: "Answer a request of an agent", Annotations: call.Changes,
		Description: "Answers an approval or a question that an agent waits for (the call of a tool that you offer: caller_tool_response). The first answer counts; a later one is refused and says who was first.",
	}, s.answer)
}

func (s *requests) answer(ctx context.Context, _ *call.Call, in *answerInput) (answerOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return answerOutput{}, err
	}
	outcome, err := in.outcome()
	if err != nil {
		return answerOutput{}, err
	}
	id, err := s.openRequest(ctx, in)
	if err != nil {
		return answerOutput{}, err
	}
	if err := form.MayAnswer(ctx, s.door, in.SessionID, id); err != nil {
		return answerOutput{}, err
	}
	r, err := s.door.Resolve(ctx, in.SessionID, control.Answer{
		RequestID: id, Outcome: outcome, Option: in.Option, Answers: in.Answers, Message: in.Message, By: by(in.ClientID),
	})
	if err != nil {
		return answerOutput{}, err
	}
	return answerOutput{id, string(r.Outcome), r.Option}, nil
}

const maxAnswerMessage = 64 << 10 // bytes

var answerOutcomes = []protocol.Outcome{"", protocol.OutcomeAllowed, protocol.OutcomeDenied, protocol.OutcomeAnswered, protocol.OutcomeCancelled}

// outcome is what the answer says of itself; empty: its option or its answers do.
func (in *answerInput) outcome() (protocol.Outcome, error) {
	outcome := protocol.Outcome(in.Outcome)
	switch {
	case !slices.Contains(answerOutcomes, outcome):
		return "", problem.Invalid("There is no such outcome.", "outcome is allowed, denied, answered or cancelled.")
	case in.Cancel && outcome != "" && outcome != protocol.OutcomeCancelled:
		return "", problem.Invalid("An answer that cancels has no other outcome.", "Leave cancel out, or the outcome.")
	case in.Cancel:
		return protocol.OutcomeCancelled, nil
	case outcome == "" && in.Option == "" && len(in.Answers) == 0:
		return "", problem.Invalid("The answer is empty.", "Give outcome or option for an approval, answers for questions, or cancel.")
	case len(in.Message) > maxAnswerMessage:
		return "", problem.TooLarge("The message of an answer", maxAnswerMessage)
	}
	return outcome, nil
}

// by is how the log names who did something over MCP.
func by(clientID string) string {
	return "client:" + cmp.Or(clientID, "mcp")
}

// openRequest is the request that is meant. Calls of callers' tools are answered otherwise.
func (s *requests) openRequest(ctx context.Context, in *answerInput) (string, error) {
	if in.RequestID != "" {
		return in.RequestID, nil
	}
	d, err := s.door.Describe(ctx, in.SessionID)
	open := slices.DeleteFunc(d.Requests, func(r protocol.RequestOpened) bool { return r.Kind == protocol.RequestCallerTool })
	switch {
	case err != nil:
		return "", err
	case len(open) == 1:
		return open[0].RequestID, nil
	case len(open) == 0:
		return "", &protocol.Problem{
			Code: protocol.CodeRequestNotFound, Detail: "No request is open.", Hint: "Somebody else may have answered: session_events tells.",
		}
	}
	return "", problem.Invalid("Several requests are open.", "Give request_id; session_get lists them.")
}
