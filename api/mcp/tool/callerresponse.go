package tool

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type callerResponseInput struct {
	SessionID string       `json:"session_id"`
	RequestID string       `json:"request_id" jsonschema:"of the caller_tool_request"`
	Result    call.AnyJSON `json:"result,omitempty" jsonschema:"what the tool has given, any JSON: a string becomes text, an object with content as tools/call has it is passed on as it is, anything else as JSON"`
	Error     string       `json:"error,omitempty" jsonschema:"instead of result: why the tool failed, for the agent"`
	ClientID  string       `json:"client_id,omitempty" jsonschema:"who answers, for the log"`
	call.Once
}

// About is for calls with a key.
func (in *callerResponseInput) About() call.About { return call.About{Session: in.SessionID} }

type callerResponseOutput struct {
	RequestID string `json:"request_id"`
	Outcome   string `json:"outcome" enum:"answered,failed" jsonschema:"what has become of the call"`
}

func (o callerResponseOutput) Words() string {
	return "The call " + o.RequestID + " is " + o.Outcome + "."
}

const maxCallResult = 1 << 20 // bytes

func (s *requests) addCallerResponse(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "caller_tool_response", Title: "Answer the call of a tool that you offer", Annotations: call.Changes,
		Description: "Gives the agent the result of a tool that was offered with session_message (caller_tools), as an event of type caller_tool_request asked for. " +
			"The first answer counts; one that comes after the deadline is refused.",
	}, s.callerResponse)
}

func (s *requests) callerResponse(ctx context.Context, _ *call.Call, in *callerResponseInput) (callerResponseOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return callerResponseOutput{}, err
	}
	switch {
	case (in.Result == nil) == (in.Error == ""):
		return callerResponseOutput{}, problem.Invalid("The answer is a result or an error.", "Give result, which may be null, or error, one of them.")
	case len(in.Result) > maxCallResult:
		return callerResponseOutput{}, problem.TooLarge("The result of a tool", maxCallResult)
	case len(in.Error) > maxCallError:
		return callerResponseOutput{}, problem.TooLarge("The error of a tool", maxCallError)
	}
	answer := control.Answer{RequestID: in.RequestID, Result: in.Result, Message: in.Error, By: by(in.ClientID)}
	if in.Error != "" {
		answer.Outcome = protocol.OutcomeFailed
	}
	if err := form.MayAnswer(ctx, s.door, in.SessionID, in.RequestID); err != nil {
		return callerResponseOutput{}, err
	}
	r, err := s.door.Resolve(ctx, in.SessionID, answer)
	if err != nil {
		return callerResponseOutput{}, err
	}
	return callerResponseOutput{in.RequestID, string(r.Outcome)}, nil
}

const maxCallError = 64 << 10 // bytes
