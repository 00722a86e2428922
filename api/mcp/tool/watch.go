package tool

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/push"
)

// watching has the events of sessions pushed.
type watching struct {
	door   *control.Door
	pushes *push.Pushes
}

type watchInput struct {
	SessionID  string `json:"session_id"`
	SinceIndex *int   `json:"since_index,omitempty" jsonschema:"push what comes after this index; default: from now on"`
}

type watchOutput struct {
	SessionID      string `json:"session_id"`
	LastEventIndex int    `json:"last_event_index" jsonschema:"what comes after it is pushed"`
	Push           string `json:"push" jsonschema:"as in session_message"`
}

func (o watchOutput) Words() string {
	return fmt.Sprintf("Pushes of %s from index %d on: %s.", o.SessionID, o.LastEventIndex, o.Push)
}

func (s *watching) addWatch(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_watch", Title: "Have a session's events pushed", Annotations: call.Reads,
		Description: "Has the events of a session pushed to this client as log notifications, as session_message does. Only clients up to revision 2025-11-25 can be pushed to; others use session_events.",
	}, s.watch)
}

func (s *watching) watch(ctx context.Context, c *call.Call, in *watchInput) (watchOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return watchOutput{}, err
	}
	d, err := s.door.Describe(ctx, in.SessionID)
	if err != nil {
		return watchOutput{}, err
	}
	since := d.Seq
	if in.SinceIndex != nil {
		if *in.SinceIndex < -1 || *in.SinceIndex >= int(d.Seq) {
			return watchOutput{}, problem.Invalid("since_index is not in the log.", "Leave it out to be told what happens from now on.")
		}
		since = uint64(*in.SinceIndex + 1)
	}
	return watchOutput{in.SessionID, int(since) - 1, s.pushes.Watch(c, in.SessionID, since)}, nil
}
