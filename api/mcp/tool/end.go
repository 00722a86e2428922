package tool

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

type endInput struct {
	SessionID string `json:"session_id"`
	Reason    string `json:"reason,omitempty" jsonschema:"for the log"`
	call.Once
}

// About is for calls with a key.
func (in *endInput) About() call.About { return call.About{Session: in.SessionID} }

type doneOutput struct {
	SessionID string `json:"session_id"`
	Status    string `json:"status"`
}

func (o doneOutput) Words() string { return "Ended: " + o.SessionID + " is " + o.Status + "." }

func (s *sessions) addEnd(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_end", Title: "End a session", Annotations: call.Destroys,
		Description: "Ends a session: its agent is stopped, with everything that it runs. The log stays. Ending an ended session changes nothing.",
	}, func(ctx context.Context, c *call.Call, in *endInput) (doneOutput, error) {
		if err := problem.CheckID(in.SessionID); err != nil {
			return doneOutput{}, err
		}
		if len(in.Reason) > 4096 {
			return doneOutput{}, problem.Invalid("The reason is too long.", "At most 4096 bytes.")
		}
		if err := s.door.End(ctx, in.SessionID, in.Reason, call.AskedBy(c.Who)); err != nil {
			return doneOutput{}, err
		}
		c.Acted()
		return s.done(ctx, in.SessionID)
	})
}

// done tells what a session has become.
func (s *sessions) done(ctx context.Context, id string) (doneOutput, error) {
	d, err := s.told(ctx, id, []string{"it has ended"}, func(d *session.Description) bool { return d.Status.State.Ended() })
	if err != nil {
		return doneOutput{}, err
	}
	return doneOutput{id, d.Status.State.ItemStatus()}, nil
}
