package queue

import (
	"context"
	"encoding/json"
	"math"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// promptPlace is where a prompt is to go: before another one, or to a position.
type promptPlace struct {
	Before   *string `json:"before,omitempty" nullable:"true" maxLength:"64" doc:"The prompt that is to follow it; null: it is to be the last"`
	Position *int    `json:"position,omitempty" minimum:"1" doc:"Its new place, from 1; beyond the end: the last"`

	last bool
}

// UnmarshalJSON keeps apart a before of null, which means the end, and none.
func (p *promptPlace) UnmarshalJSON(b []byte) error {
	type plain promptPlace
	if err := json.Unmarshal(b, (*plain)(p)); err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil {
		return err
	}
	p.last = string(keys["before"]) == "null"
	return nil
}

func (q *Prompts) registerMove(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "movePrompt", Method: http.MethodPost, Path: "/sessions/{id}/prompts/{pid}/move", Tag: "control",
		Summary: "Give a prompt another place in the queue",
		Text:    "Before another prompt, or at a position: one of the two. A prompt that the agent has already is a conflict.",
		Errors:  []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		operation.SessionPath
		PromptID string `path:"pid" maxLength:"64" doc:"The prompt's id"`
		Body     promptPlace
	},
	) (*struct{ Body resource.PromptMoved }, error) {
		b := &in.Body
		if (b.Before != nil || b.last) == (b.Position != nil) || b.Before != nil && *b.Before == "" {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "Where to is not said.",
				`Send one of {"before":"PROMPT"}, {"before":null} and {"position":1}.`)
		}
		to := control.Place{Position: math.MaxInt}
		if b.Before != nil {
			to = control.Place{Before: *b.Before}
		} else if b.Position != nil {
			to.Position = *b.Position
		}
		position, err := q.door.Move(ctx, in.ID, in.PromptID, to)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.PromptMoved }{resource.PromptMoved{PromptID: in.PromptID, Position: position}}, nil
	})
}
