package client

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Choices is what a session's agent offers, of models or of modes.
type Choices struct {
	Known   bool // false: no agent runs, or it has not said
	List    []resource.OfferedChoice
	All     bool // there are no others
	Current string
	Pending string // chosen, and not in force yet
}

// Models gives the models that the agent of a session offers.
func (s Session) Models(ctx context.Context) (Choices, error) {
	var a resource.OfferedModels
	err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("models")}, &a)
	return Choices{a.Known, a.Models, a.All, a.Model, a.Pending}, err
}

// Modes gives the modes that the agent of a session offers.
func (s Session) Modes(ctx context.Context) (Choices, error) {
	var a resource.OfferedModes
	err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("modes")}, &a)
	return Choices{a.Known, a.Modes, true, a.Mode, a.Pending}, err
}

// SetModel chooses the model; applied says when it takes effect: now, next_turn, when_idle or at_start.
func (s Session) SetModel(ctx context.Context, model string, whenIdle bool) (applied string, err error) {
	return s.choose(ctx, "model", model, whenIdle)
}

// SetMode chooses the mode, as SetModel does the model.
func (s Session) SetMode(ctx context.Context, mode string, whenIdle bool) (applied string, err error) {
	return s.choose(ctx, "mode", mode, whenIdle)
}

func (s Session) choose(ctx context.Context, member, value string, whenIdle bool) (string, error) {
	body := map[string]string{member: value}
	if whenIdle {
		body["when"] = "idle"
	}
	var a struct {
		Applied string `json:"applied"`
	}
	err := s.client.change(ctx, call{method: http.MethodPost, path: s.path(member), body: body}, &a)
	return a.Applied, err
}

// Budget gives what a session may use, and what it and those below it have used.
func (s Session) Budget(ctx context.Context) (b resource.SessionBudget, err error) {
	err = s.client.into(ctx, call{method: http.MethodGet, path: s.path("budget")}, &b)
	return b, err
}

// SetBudget replaces what a session may use; a budget without limits takes it away.
func (s Session) SetBudget(ctx context.Context, budget resource.NewBudget) (b resource.SessionBudget, err error) {
	err = s.client.into(ctx, call{method: http.MethodPut, path: s.path("budget"), body: budget}, &b)
	return b, err
}

// SetPolicyMode replaces the mode of a session's policy, and nothing else of it.
func (s Session) SetPolicyMode(ctx context.Context, mode protocol.PolicyMode) (resource.SessionDetail, error) {
	return s.detail(ctx, call{
		method: http.MethodPatch, path: s.path(), body: map[string]any{"policy": map[string]any{"mode": mode}},
	})
}

// Pin keeps the session, and those above and below it, whatever the daemon removes of old ones, or lets go of it.
func (s Session) Pin(ctx context.Context, pinned bool) (resource.SessionDetail, error) {
	return s.detail(ctx, call{method: http.MethodPatch, path: s.path(), body: map[string]any{"pinned": pinned}})
}

// SetPolicy replaces the policy of a session: members that policy does not have go.
func (s Session) SetPolicy(ctx context.Context, policy *protocol.Policy) (resource.SessionDetail, error) {
	rules := policy.Rules
	if rules == nil {
		rules = []protocol.PolicyRule{}
	}
	patch := map[string]any{"mode": nil, "rules": rules, "deadline": nil, "default": nil}
	if policy.Mode != "" {
		patch["mode"] = policy.Mode
	}
	if policy.Deadline != 0 {
		patch["deadline"] = policy.Deadline
	}
	if policy.Default != "" {
		patch["default"] = policy.Default
	}
	return s.detail(ctx, call{
		method: http.MethodPatch, path: s.path(), body: map[string]any{"policy": patch},
	})
}
