package client

import (
	"context"
	"encoding/json"
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
func (c *Client) Models(ctx context.Context, id string) (Choices, json.RawMessage, error) {
	var a resource.OfferedModels
	raw, err := c.raw(ctx, call{method: http.MethodGet, path: sessionPath(id, "models")})
	if err == nil {
		err = decode(raw, &a)
	}
	return Choices{a.Known, a.Models, a.All, a.Model, a.Pending}, raw, err
}

// Modes gives the modes that the agent of a session offers.
func (c *Client) Modes(ctx context.Context, id string) (Choices, json.RawMessage, error) {
	var a resource.OfferedModes
	raw, err := c.raw(ctx, call{method: http.MethodGet, path: sessionPath(id, "modes")})
	if err == nil {
		err = decode(raw, &a)
	}
	return Choices{a.Known, a.Modes, true, a.Mode, a.Pending}, raw, err
}

// SetModel chooses the model; applied says when it takes effect: now, next_turn, when_idle or at_start.
func (c *Client) SetModel(ctx context.Context, id, model string, whenIdle bool) (applied string, err error) {
	return c.choose(ctx, sessionPath(id, "model"), "model", model, whenIdle)
}

// SetMode chooses the mode, as SetModel does the model.
func (c *Client) SetMode(ctx context.Context, id, mode string, whenIdle bool) (applied string, err error) {
	return c.choose(ctx, sessionPath(id, "mode"), "mode", mode, whenIdle)
}

func (c *Client) choose(ctx context.Context, path, member, value string, whenIdle bool) (string, error) {
	body := map[string]string{member: value}
	if whenIdle {
		body["when"] = "idle"
	}
	var a struct {
		Applied string `json:"applied"`
	}
	err := c.into(ctx, call{method: http.MethodPost, path: path, body: body}, &a)
	return a.Applied, err
}

// SetPolicy replaces the policy of a session: members that policy does not have go.
func (c *Client) SetPolicy(ctx context.Context, id string, policy *protocol.Policy) (resource.SessionDetail, json.RawMessage, error) {
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
	return c.detail(ctx, call{
		method: http.MethodPatch, path: sessionPath(id), body: map[string]any{"policy": patch},
	})
}
