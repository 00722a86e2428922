package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// modelChoice is the model that is wanted.
type modelChoice struct {
	Model string       `json:"model" minLength:"1" maxLength:"256" doc:"One of GET /sessions/{id}/models, or another that the agent knows"`
	When  session.When `json:"when,omitempty" enum:"now,idle" doc:"now (the default): from the next model request on, as far as the agent can; idle: when no turn runs"`
}

// modeChoice is the mode that is wanted.
type modeChoice struct {
	Mode string       `json:"mode" minLength:"1" maxLength:"256" doc:"One of GET /sessions/{id}/modes"`
	When session.When `json:"when,omitempty" enum:"now,idle" doc:"now (the default), as far as the agent can; idle: when no turn runs"`
}

// choiceTaken says when a choice takes effect.
type choiceTaken struct {
	Applied session.Applied `json:"applied" enum:"now,next_turn,when_idle,at_start" doc:"When it takes effect. now: from the next model request on; next_turn: so the agent says; when_idle: when the running turn has ended; at_start: when the agent is ready"`
}

const choiceText = "The answer says when it takes effect; session_meta in the log says when it has. " +
	"An agent that cannot change it while it runs: 422 not_supported. " +
	"What the agent refuses, or does not offer: 400, with what it offers."

// registerSettings serves models and modes, and takes choices of them.
func registerSettings(t *operation.Table, door *control.Door) {
	operation.Register(t, operation.Operation{
		ID: "listModels", Method: http.MethodGet, Path: "/sessions/{id}/models", Tag: "control",
		Summary: "Read what models there are", Text: "What the session's agent offers, as long as it runs.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{ Body resource.OfferedModels }, error) {
		o, err := door.Choices(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.OfferedModels }{resource.OfferedModels{
			Known: o.KnownModels, Models: choicesOf(o.Models), All: o.AllModels, Model: o.Model, Pending: o.PendingModel,
		}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "listModes", Method: http.MethodGet, Path: "/sessions/{id}/modes", Tag: "control",
		Summary: "Read what modes there are", Text: "What the session's agent offers, as long as it runs.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{ Body resource.OfferedModes }, error) {
		o, err := door.Choices(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.OfferedModes }{resource.OfferedModes{
			Known: o.KnownModes, Modes: choicesOf(o.Modes), Mode: o.Mode, Pending: o.PendingMode,
		}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "chooseModel", Method: http.MethodPost, Path: "/sessions/{id}/model", Tag: "control",
		Summary: "Choose the model", Text: choiceText, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		operation.SessionPath
		Body modelChoice
	},
	) (*struct{ Body choiceTaken }, error) {
		return choose(ctx, door, in.ID, session.SettingModel, in.Body.Model, in.Body.When)
	})
	operation.Register(t, operation.Operation{
		ID: "chooseMode", Method: http.MethodPost, Path: "/sessions/{id}/mode", Tag: "control",
		Summary: "Choose the mode", Text: choiceText, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		operation.SessionPath
		Body modeChoice
	},
	) (*struct{ Body choiceTaken }, error) {
		return choose(ctx, door, in.ID, session.SettingMode, in.Body.Mode, in.Body.When)
	})
}

// choicesOf is never nil: it is an array in JSON.
func choicesOf(list []session.Choice) []resource.OfferedChoice {
	out := make([]resource.OfferedChoice, len(list))
	for i, c := range list {
		out[i] = resource.OfferedChoice{ID: c.ID, Label: c.Label}
	}
	return out
}

func choose(
	ctx context.Context, door *control.Door, id string, what session.Setting, value string, when session.When,
) (*struct{ Body choiceTaken }, error) {
	applied, err := door.Choose(ctx, id, what, value, when)
	if err != nil {
		return nil, err
	}
	return &struct{ Body choiceTaken }{choiceTaken{applied}}, nil
}
