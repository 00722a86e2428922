package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

type stateInput struct {
	SessionID string `json:"session_id"`
	AtIndex   *int   `json:"at_index,omitempty" jsonschema:"the state after the event with this index; default: now"`
}

type stateOutput struct {
	SessionID string          `json:"session_id"`
	LastIndex int             `json:"last_index" jsonschema:"of the newest event in it"`
	Epoch     uint64          `json:"epoch"`
	State     json.RawMessage `json:"state"`
}

func (s toolset) addSessionState() {
	addTool(s, &sdk.Tool{
		Name: "session_state", Title: "The whole state of a session", Annotations: reads,
		Description: "Everything that a session's log says, folded: turns, entries with their texts, requests, queue, usage, status. It can be long: session_events reads in pieces.",
	}, s.sessionState)
}

func (s *Service) sessionState(ctx context.Context, _ *call, in *stateInput) (*stateOutput, error) {
	if err := checkID(in.SessionID); err != nil {
		return nil, err
	}
	f, err := openFeed(ctx, s.cfg.Backend, in.SessionID, "mcp")
	if err != nil {
		return nil, err
	}
	defer f.close()
	at := f.head()
	if in.AtIndex != nil {
		if *in.AtIndex < 0 || uint64(*in.AtIndex) >= at {
			return nil, invalid("at_index is not in the log.", "Leave it out for the state of now; session_get says the last index.")
		}
		at = uint64(*in.AtIndex) + 1
	}
	body, err := foldState(ctx, f, at)
	if err != nil {
		return nil, err
	}
	return &stateOutput{in.SessionID, int(at) - 1, f.epoch, body}, nil
}

// foldState is the state after the event with seq at, as JSON.
func foldState(ctx context.Context, f *feed, at uint64) ([]byte, error) {
	var state protocol.SessionState
	_, err := f.read(ctx, func(e *protocol.Event) bool {
		if e.Seq <= at {
			state.Apply(e)
		}
		return e.Seq < at
	})
	if err != nil {
		return nil, err
	}
	return state.AppendJSON(nil), nil
}
