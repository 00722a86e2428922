package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Webhooks have the daemon tell programs of what happens in sessions (spec §7.17). Client.Webhooks makes one.
type Webhooks struct{ c *Client }

// Webhooks gives the webhooks of the client's token; with the scope admin all.
func (c *Client) Webhooks() Webhooks { return Webhooks{c} }

func (w Webhooks) at(id, more string) string { return "/webhooks/" + url.PathEscape(id) + more }

// Create makes a webhook. Its secret is in no later answer.
func (w Webhooks) Create(ctx context.Context, n resource.NewWebhook) (made resource.CreatedWebhook, err error) {
	err = w.c.change(ctx, call{method: http.MethodPost, path: "/webhooks", body: n}, &made)
	return made, err
}

// List lists the webhooks, the oldest first.
func (w Webhooks) List(ctx context.Context) ([]resource.Webhook, error) {
	var out resource.WebhookList
	err := w.c.into(ctx, call{method: http.MethodGet, path: "/webhooks"}, &out)
	return out.Webhooks, err
}

// Show reads a webhook.
func (w Webhooks) Show(ctx context.Context, id string) (out resource.Webhook, err error) {
	err = w.c.into(ctx, call{method: http.MethodGet, path: w.at(id, "")}, &out)
	return out, err
}

// Change changes a webhook. What is not given stays.
func (w Webhooks) Change(ctx context.Context, id string, to resource.WebhookChange) (out resource.Webhook, err error) {
	err = w.c.change(ctx, call{method: http.MethodPatch, path: w.at(id, ""), body: to}, &out)
	return out, err
}

// Delete deletes a webhook, with all that is known of its deliveries.
func (w Webhooks) Delete(ctx context.Context, id string) error {
	return w.c.change(ctx, call{method: http.MethodDelete, path: w.at(id, "")}, nil)
}

// Rotate gives a webhook another secret, which is in no later answer. For a while notices are signed with both.
func (w Webhooks) Rotate(ctx context.Context, id string, n resource.NewWebhookSecret) (out resource.WebhookSecret, err error) {
	err = w.c.change(ctx, call{method: http.MethodPost, path: w.at(id, "/secret"), body: n}, &out)
	return out, err
}

// Test sends a test notice once, and says what came of it.
func (w Webhooks) Test(ctx context.Context, id string) (out resource.WebhookTest, err error) {
	err = w.c.change(ctx, call{method: http.MethodPost, path: w.at(id, "/test")}, &out)
	return out, err
}

// Deliveries lists the deliveries of a webhook that are pending, delivered or dead.
func (w Webhooks) Deliveries(ctx context.Context, id, state string) ([]resource.WebhookDelivery, error) {
	var out resource.WebhookDeliveries
	err := w.c.into(ctx, call{method: http.MethodGet, path: w.at(id, "/deliveries"), query: url.Values{"state": {state}}}, &out)
	return out.Deliveries, err
}

// Send tries a delivery at once that waits, and sends a dead one again.
func (w Webhooks) Send(ctx context.Context, id, delivery string) error {
	return w.c.change(ctx, call{method: http.MethodPost, path: w.at(id, "/deliveries/"+url.PathEscape(delivery)+"/send")}, nil)
}

// SendDead sends all dead deliveries of a webhook again, and says how many.
func (w Webhooks) SendDead(ctx context.Context, id string) (int, error) {
	var out resource.SentDeliveries
	err := w.c.change(ctx, call{method: http.MethodPost, path: w.at(id, "/dead/send")}, &out)
	return out.Sent, err
}
