package tool

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

type interruptOutput struct {
	SessionID string `json:"session_id"`
	TurnID    string `json:"turn_id,omitempty" jsonschema:"the turn that is being stopped; absent: none was running"`
}

func (o interruptOutput) Words() string {
	if o.TurnID == "" {
		return "Nothing was running in " + o.SessionID + "."
	}
	return "Stopping: turn " + o.TurnID + " of " + o.SessionID + "."
}

func (s *sessions) addInterrupt(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_interrupt", Title: "Stop the running turn", Annotations: call.Changes,
		Description: "Stops what the agent does now. The session stays and takes further messages. session_events tells when the turn has ended.",
	}, func(ctx context.Context, c *call.Call, in *namedOnce) (interruptOutput, error) {
		if err := problem.CheckID(in.SessionID); err != nil {
			return interruptOutput{}, err
		}
		turn, err := s.door.Interrupt(ctx, in.SessionID, "", call.AskedBy(c.Who))
		return interruptOutput{in.SessionID, turn}, err
	})
}
