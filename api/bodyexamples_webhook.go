package api

import (
	"maps"

	"github.com/ringmaster-agents/ringmaster/api/document"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// The examples of webhooks.
const (
	exampleHook   = "5f1c2c54-6b0e-4a53-9d6f-0f5d0a5b7c11"
	exampleSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" //nolint:gosec // it is an example, and signs nothing
)

func exampleWebhook() resource.Webhook {
	return resource.Webhook{
		ID: exampleHook, Name: "phone", Owner: exampleToken().ID, URL: "https://hooks.example.org/ringmaster",
		Kinds:  []resource.WebhookKind{"request_opened", "turn_failed"},
		Select: &resource.Selector{Labels: map[string]string{"team": "core"}}, DelayMs: 30_000,
		Enabled: true, CreatedAt: exampleTime(1770000000000), Pending: 1, Delivered: 41,
	}
}

func exampleDelivery() resource.WebhookDelivery {
	first, next := exampleTime(1770000001700), exampleTime(1770000006700)
	return resource.WebhookDelivery{
		ID: schema.ExampleSession + "_1_11_request_opened", Kind: "request_opened", SessionID: schema.ExampleSession, State: "pending", Tries: 1,
		FirstAt: &first, LastAt: &first, NextAt: &next, LastStatus: 502, LastError: "status",
	}
}

// withWebhooks adds the examples of webhooks to others.
func withWebhooks[T any](all, more map[string]T) map[string]T {
	maps.Copy(all, more)
	return all
}

// webhookRequests are what operations of webhooks are sent.
func webhookRequests() map[string][]document.Example {
	return map[string][]document.Example{
		"createWebhook": {
			{Name: "phone", Summary: "Requests that nobody answers within half a minute", Value: resource.NewWebhook{
				URL: "https://hooks.example.org/ringmaster", Kinds: []resource.WebhookKind{"request_opened", "turn_failed"}, DelayMs: 30_000,
				Select: &resource.Selector{Labels: map[string]string{"team": "core"}}, Name: "phone",
			}},
			{Name: "all", Summary: "The ends of all sessions", Value: resource.NewWebhook{
				URL: "https://hooks.example.org/ends", Kinds: []resource.WebhookKind{"session_ended"},
			}},
		},
		"changeWebhook": {
			{Name: "enable", Summary: "Go on where it was", Value: resource.WebhookChange{Enabled: new(true)}},
			{Name: "kinds", Summary: "Tell of budgets alone", Value: resource.WebhookChange{Kinds: []resource.WebhookKind{"budget"}}},
		},
		"rotateWebhookSecret": {
			{Name: "usual", Summary: "Sign with both for a day", Value: resource.NewWebhookSecret{}},
			{Name: "leaked", Summary: "Sign with the new one alone", Value: resource.NewWebhookSecret{OverlapMs: new(int64(0))}},
		},
	}
}

// webhookAnswers are what operations of webhooks answer.
func webhookAnswers() map[string]any {
	until := exampleTime(1770086400000)
	return map[string]any{
		"createWebhook":         resource.CreatedWebhook{Webhook: exampleWebhook(), Secret: exampleSecret},
		"listWebhooks":          resource.WebhookList{Webhooks: []resource.Webhook{exampleWebhook()}},
		"getWebhook":            exampleWebhook(),
		"changeWebhook":         exampleWebhook(),
		"rotateWebhookSecret":   resource.WebhookSecret{Secret: exampleSecret, OldUntil: &until},
		"testWebhook":           resource.WebhookTest{Delivered: true, Status: 204, TookMs: 84},
		"listWebhookDeliveries": resource.WebhookDeliveries{Deliveries: []resource.WebhookDelivery{exampleDelivery()}},
		"sendDeadDeliveries":    resource.SentDeliveries{Sent: 3},
	}
}
