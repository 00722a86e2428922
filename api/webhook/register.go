package webhook

import (
	"context"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const maxListed = 256 // deliveries in one answer

type hookPath struct {
	ID string `path:"wid" maxLength:"36" example:"5f1c2c54-6b0e-4a53-9d6f-0f5d0a5b7c11" doc:"The webhook's id"`
}

type answer[T any] struct{ Body T }

func answered[T any](v T, err error) (*answer[T], error) { return &answer[T]{v}, err }

// row fills in what all operations of webhooks have in common.
func row(id, method, path, summary, text string) operation.Operation {
	return operation.Operation{
		ID: id, Method: method, Path: "/webhooks" + path, Tag: "webhooks", Need: guard.Write, Summary: summary, Text: text, Errors: []int{http.StatusNotFound},
	}
}

// Register serves webhooks.
func (h *Hooks) Register(t *operation.Table) {
	desk{h}.registerHooks(t)
	desk{h}.registerDeliveries(t)
}

func (h desk) registerHooks(t *operation.Table) {
	op := row("createWebhook", http.MethodPost, "", "Make a webhook",
		"Has notices sent to a URL when something happens in sessions: signed by the rules of Standard Webhooks, at least once, in the order of each session, "+
			"tried again for three days (protocol/spec.md §7.17). "+
			"The URL must be on the list of the daemon's operator. The secret is shown this once.")
	op.Status, op.Errors, op.Secret = http.StatusCreated, nil, true
	operation.Register(t, op, func(ctx context.Context, in *struct{ Body resource.NewWebhook }) (*answer[resource.CreatedWebhook], error) {
		v, err := h.create(ctx, &in.Body)
		return answered(resource.CreatedWebhook{Webhook: shown(&v), Secret: v.Secret}, err)
	})
	op = row("listWebhooks", http.MethodGet, "", "List webhooks", "Those of this token; to the scope admin all. Never their secrets.")
	op.Errors = nil
	operation.Register(t, op, func(ctx context.Context, _ *struct{}) (*answer[resource.WebhookList], error) {
		list := resource.WebhookList{Webhooks: []resource.Webhook{}}
		for _, v := range h.list(ctx) {
			list.Webhooks = append(list.Webhooks, shown(&v))
		}
		return answered(list, nil)
	})
	op = row("getWebhook", http.MethodGet, "/{wid}", "Read a webhook", "Never its secret.")
	operation.Register(t, op, func(ctx context.Context, in *hookPath) (*answer[resource.Webhook], error) {
		v, err := h.of(ctx, in.ID)
		return answered(shown(&v), err)
	})
	op = row("changeWebhook", http.MethodPatch, "/{wid}", "Change a webhook",
		"What is absent stays. Enabled again it goes on where it was: the logs have kept what happened meanwhile.")
	operation.Register(t, op, func(ctx context.Context, in *struct {
		ID   string                 `path:"wid" maxLength:"36" doc:"The webhook's id"`
		Body resource.WebhookChange `contentType:"application/merge-patch+json"`
	},
	) (*answer[resource.Webhook], error) {
		v, err := h.patch(ctx, in.ID, &in.Body)
		return answered(shown(&v), err)
	})
	op = row("deleteWebhook", http.MethodDelete, "/{wid}", "Delete a webhook", "With all that is known of its deliveries.")
	operation.Register(t, op, func(ctx context.Context, in *hookPath) (*struct{}, error) { return nil, h.remove(ctx, in.ID) })
	op = row("rotateWebhookSecret", http.MethodPost, "/{wid}/secret", "Give a webhook another secret",
		"For a while notices are signed with both, so that the receiver can change over. The secret is shown this once.")
	op.Secret = true
	operation.Register(t, op, func(ctx context.Context, in *struct {
		ID   string `path:"wid" maxLength:"36" doc:"The webhook's id"`
		Body resource.NewWebhookSecret
	},
	) (*answer[resource.WebhookSecret], error) {
		v, err := h.rotate(ctx, in.ID, in.Body.OverlapMs)
		return answered(resource.WebhookSecret{Secret: v.Secret, OldUntil: at(v.OldUntil)}, err)
	})
}

func (h desk) registerDeliveries(t *operation.Table) {
	op := row("testWebhook", http.MethodPost, "/{wid}/test", "Send a test notice",
		"Once, at once, also where the webhook is disabled. The answer says what came of it.")
	operation.Register(t, op, func(ctx context.Context, in *hookPath) (*answer[resource.WebhookTest], error) {
		return answered(h.test(ctx, in.ID))
	})
	op = row("listWebhookDeliveries", http.MethodGet, "/{wid}/deliveries", "List deliveries of a webhook",
		"Those that are pending, dead, or among the last 100 that were delivered since the daemon's start.")
	operation.Register(t, op, func(ctx context.Context, in *struct {
		ID    string `path:"wid" maxLength:"36" doc:"The webhook's id"`
		State string `query:"state" enum:"pending,delivered,dead" default:"pending" doc:"Which"`
	},
	) (*answer[resource.WebhookDeliveries], error) {
		if _, err := h.of(ctx, in.ID); err != nil {
			return nil, err
		}
		return answered(resource.WebhookDeliveries{Deliveries: h.deliveries(in.ID, in.State)}, nil)
	})
	op = row("sendWebhookDelivery", http.MethodPost, "/{wid}/deliveries/{did}/send", "Try a delivery at once, or send a dead one again",
		"A dead one gets all the tries of a new one, and has no place in its session's order any more.")
	operation.Register(t, op, func(ctx context.Context, in *struct {
		ID       string `path:"wid" maxLength:"36" doc:"The webhook's id"`
		Delivery string `path:"did" maxLength:"128" doc:"The delivery's id"`
	},
	) (*struct{}, error) {
		_, err := h.send(ctx, in.ID, in.Delivery)
		return nil, err
	})
	op = row("sendDeadDeliveries", http.MethodPost, "/{wid}/dead/send", "Send all dead deliveries of a webhook again",
		"As far as there is room for what waits.")
	operation.Register(t, op, func(ctx context.Context, in *hookPath) (*answer[resource.SentDeliveries], error) {
		n, err := h.send(ctx, in.ID, "")
		return answered(resource.SentDeliveries{Sent: n}, err)
	})
}

func (h desk) deliveries(id, state string) []resource.WebhookDelivery {
	which := map[string]core.Kept{"pending": core.Pending, "delivered": core.Done, "dead": core.Dead}[state]
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []resource.WebhookDelivery{}
	for _, d := range h.core.Deliveries(id, which, maxListed) {
		out = append(out, resource.WebhookDelivery{
			ID: d.ID, Kind: string(d.Kind), SessionID: d.Session, State: state, SentAgain: d.Apart, Tries: d.Tries,
			FirstAt: at(d.First), LastAt: at(d.Last), NextAt: at(d.Next), LastStatus: d.Status, LastError: d.Error,
		})
	}
	return out
}

func at(ms int64) *time.Time {
	if ms == 0 {
		return nil
	}
	t := time.UnixMilli(ms).UTC()
	return &t
}

func shown(v *core.View) resource.Webhook {
	out := resource.Webhook{
		ID: v.ID, Name: v.Name, Owner: v.Holder, URL: v.URL, Select: v.Select, DelayMs: v.DelayMs, Enabled: !v.Off, Disabled: string(v.Disabled),
		CreatedAt: time.UnixMilli(v.Created).UTC(), OldUntil: at(v.OldUntil), Pending: v.Pending, Dead: v.Dead, DroppedDead: v.Lost, Delivered: int64(v.Sent),
		Kinds: make([]resource.WebhookKind, 0, len(v.Kinds)),
	}
	for _, k := range v.Kinds {
		out.Kinds = append(out.Kinds, resource.WebhookKind(k))
	}
	return out
}
