package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// offeredChoice is a model or a mode that can be chosen.
type offeredChoice struct {
	ID    string `json:"id" doc:"In the agent's own words"`
	Label string `json:"label,omitempty" doc:"For people"`
}

// offeredModels is what models there are, and which one is in force.
type offeredModels struct {
	Known   bool            `json:"known" doc:"false: no agent runs, or it has not said what it offers"`
	Models  []offeredChoice `json:"models" doc:"What the agent offers"`
	All     bool            `json:"all" doc:"The agent takes no others. Otherwise it may know further ones, and says so itself."`
	Model   string          `json:"model,omitempty" doc:"In force"`
	Pending string          `json:"pending,omitempty" doc:"Chosen, and not in force yet"`
}

// offeredModes is what modes there are, and which one is in force.
type offeredModes struct {
	Known   bool            `json:"known" doc:"false: no agent runs, or it has not said what it offers"`
	Modes   []offeredChoice `json:"modes" doc:"The agent takes no others"`
	Mode    string          `json:"mode,omitempty" doc:"In force"`
	Pending string          `json:"pending,omitempty" doc:"Chosen, and not in force yet"`
}

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
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body offeredModels }, error) {
		o, err := a.choices(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body offeredModels }{offeredModels{
			Known: o.KnownModels, Models: choicesOf(o.Models), All: o.AllModels, Model: o.Model, Pending: o.PendingModel,
		}}, nil
	})
	register(a, operation{
		id: "listModes", method: http.MethodGet, path: "/sessions/{id}/modes", tag: "control",
		summary: "Read what modes there are", text: "What the session's agent offers, as long as it runs.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body offeredModes }, error) {
		o, err := a.choices(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body offeredModes }{offeredModes{
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
func choicesOf(list []session.Choice) []offeredChoice {
	out := make([]offeredChoice, len(list))
	for i, c := range list {
		out[i] = offeredChoice{c.ID, c.Label}
	}
	return out
}

func (a *API) choices(ctx context.Context, id string) (session.Offers, error) {
	return question(ctx, a, id, func(r ask.Reply[session.Offers]) session.Message { return &session.Choices{Reply: r} })
}

func (a *API) choose(ctx context.Context, id string, what session.Setting, value string, when session.When) (*struct{ Body choiceTaken }, error) {
	c, err := question(ctx, a, id, func(r ask.Reply[session.Chosen]) session.Message {
		return &session.Choose{Reply: r, Setting: what, Value: value, When: when}
	})
	if err != nil {
		return nil, err
	}
	return &struct{ Body choiceTaken }{choiceTaken{c.Applied}}, nil
}
