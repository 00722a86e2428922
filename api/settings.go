package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/session"
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

func (a *API) registerSettings() {
	register(a, operation{
		id: "listModels", method: http.MethodGet, path: "/sessions/{id}/models", tag: "control",
		summary: "Read what models there are", text: "What the session's agent offers, as long as it runs.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body resource.OfferedModels }, error) {
		o, err := a.door.Choices(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.OfferedModels }{resource.OfferedModels{
			Known: o.KnownModels, Models: choicesOf(o.Models), All: o.AllModels, Model: o.Model, Pending: o.PendingModel,
		}}, nil
	})
	register(a, operation{
		id: "listModes", method: http.MethodGet, path: "/sessions/{id}/modes", tag: "control",
		summary: "Read what modes there are", text: "What the session's agent offers, as long as it runs.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body resource.OfferedModes }, error) {
		o, err := a.door.Choices(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.OfferedModes }{resource.OfferedModes{
			Known: o.KnownModes, Modes: choicesOf(o.Modes), Mode: o.Mode, Pending: o.PendingMode,
		}}, nil
	})
	register(a, operation{
		id: "chooseModel", method: http.MethodPost, path: "/sessions/{id}/model", tag: "control",
		summary: "Choose the model", text: choiceText, errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		SessionPath
		Body modelChoice
	},
	) (*struct{ Body choiceTaken }, error) {
		return a.choose(ctx, in.ID, session.SettingModel, in.Body.Model, in.Body.When)
	})
	register(a, operation{
		id: "chooseMode", method: http.MethodPost, path: "/sessions/{id}/mode", tag: "control",
		summary: "Choose the mode", text: choiceText, errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		SessionPath
		Body modeChoice
	},
	) (*struct{ Body choiceTaken }, error) {
		return a.choose(ctx, in.ID, session.SettingMode, in.Body.Mode, in.Body.When)
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

func (a *API) choose(ctx context.Context, id string, what session.Setting, value string, when session.When) (*struct{ Body choiceTaken }, error) {
	applied, err := a.door.Choose(ctx, id, what, value, when)
	if err != nil {
		return nil, err
	}
	return &struct{ Body choiceTaken }{choiceTaken{applied}}, nil
}
