package resource

import "time"

// NewWebhook is a webhook that is to be made (spec §7.17).
type NewWebhook struct {
	URL     string        `json:"url" minLength:"1" maxLength:"2048" example:"https://hooks.example.org/ringmaster" doc:"Where notices are sent: on the list of the daemon's operator"`
	Kinds   []WebhookKind `json:"kinds" minItems:"1" maxItems:"5" nullable:"false" enum:"request_opened,turn_ended,turn_failed,session_ended,budget" doc:"What is told"`
	Select  *Selector     `json:"select,omitempty" doc:"Of which sessions, without states and active; absent: of all within reach"`
	Name    string        `json:"name,omitempty" maxLength:"128" doc:"For people"`
	DelayMs int64         `json:"delayMs,omitempty" minimum:"0" maximum:"600000" doc:"So long a request is held, and dropped where somebody answers it meanwhile"`
	Enabled *bool         `json:"enabled,omitempty" default:"true" doc:"false: nothing is sent until it is enabled, and nothing is lost"`
}

// WebhookKind is a kind of notice that can be chosen.
type WebhookKind string

// WebhookChange says what of a webhook is to be otherwise; what is absent stays.
type WebhookChange struct {
	URL     *string       `json:"url,omitempty" minLength:"1" maxLength:"2048" doc:"Where notices are sent from now on"`
	Kinds   []WebhookKind `json:"kinds,omitempty" minItems:"1" maxItems:"5" nullable:"false" enum:"request_opened,turn_ended,turn_failed,session_ended,budget" doc:"What is told from now on"`
	Select  *Selector     `json:"select,omitempty" doc:"Of which sessions; {} is all within reach. A session that comes to match is told from where it was, or from its first event after the webhook was made"`
	Name    *string       `json:"name,omitempty" maxLength:"128" doc:"For people"`
	DelayMs *int64        `json:"delayMs,omitempty" minimum:"0" maximum:"600000" doc:"Of requests that are found from now on"`
	Enabled *bool         `json:"enabled,omitempty" doc:"true: it goes on where it was, also after the receiver has answered 410"`
}

// Webhook is a webhook without its secret.
type Webhook struct {
	ID          string        `json:"id" doc:"The webhook's id"`
	Name        string        `json:"name,omitempty" doc:"For people"`
	Owner       string        `json:"owner" doc:"The token that made it; admin: the daemon's own, or the unix socket"`
	URL         string        `json:"url" doc:"Where notices are sent"`
	Kinds       []WebhookKind `json:"kinds" doc:"What is told"`
	Select      *Selector     `json:"select,omitempty" doc:"Of which sessions; absent: of all within reach"`
	DelayMs     int64         `json:"delayMs,omitempty" doc:"So long a request is held"`
	Enabled     bool          `json:"enabled" doc:"false: somebody wants nothing to be sent"`
	Disabled    string        `json:"disabled,omitempty" enum:"gone,token,url" doc:"Why the daemon sends nothing. gone: the receiver has answered 410; token: the token that made it is void; url: the URL is not allowed any more"`
	CreatedAt   time.Time     `json:"createdAt" doc:"When it was made"`
	OldUntil    *time.Time    `json:"oldSecretUntil,omitempty" doc:"Until then notices are signed with the secret before as well"`
	Pending     int           `json:"pending" doc:"Notices that were made and are not delivered. More may wait in the logs"`
	Dead        int           `json:"dead" doc:"Dead deliveries that are kept"`
	DroppedDead int           `json:"droppedDead" doc:"Dead deliveries that were dropped because too many were kept"`
	Delivered   int64         `json:"delivered" doc:"Since the daemon's start"`
}

// CreatedWebhook is a new webhook with its secret.
type CreatedWebhook struct {
	Webhook
	Secret string `json:"secret" doc:"With it notices are signed. It is shown this once"`
}

// WebhookList is webhooks.
type WebhookList struct {
	Webhooks []Webhook `json:"webhooks" doc:"Those of this token, the oldest first; to the scope admin all"`
}

// NewWebhookSecret asks for another secret.
type NewWebhookSecret struct {
	OverlapMs *int64 `json:"overlapMs,omitempty" minimum:"0" maximum:"604800000" default:"86400000" doc:"So long notices are signed with the secret before as well"`
}

// WebhookSecret is a new secret of a webhook.
type WebhookSecret struct {
	Secret   string     `json:"secret" doc:"With it notices are signed from now on. It is shown this once"`
	OldUntil *time.Time `json:"oldSecretUntil,omitempty" doc:"Until then notices are signed with the secret before as well"`
}

// WebhookDelivery is one notice for one webhook.
type WebhookDelivery struct {
	ID         string     `json:"id" doc:"The webhook-id that it is sent with"`
	Kind       string     `json:"kind" doc:"Of the notice"`
	SessionID  string     `json:"sessionId,omitempty" doc:"That it is about"`
	State      string     `json:"state" enum:"pending,delivered,dead" doc:"What became of it"`
	SentAgain  bool       `json:"sentAgain,omitempty" doc:"It was dead, and has no place in its session's order any more"`
	Tries      int        `json:"tries" doc:"So many were there"`
	FirstAt    *time.Time `json:"firstAt,omitempty" doc:"The first try"`
	LastAt     *time.Time `json:"lastAt,omitempty" doc:"The last try"`
	NextAt     *time.Time `json:"nextAt,omitempty" doc:"The next try, where it waits for one"`
	LastStatus int        `json:"lastStatus,omitempty" doc:"Of the receiver's last answer"`
	LastError  string     `json:"lastError,omitempty" enum:"dns,refused,connection,tls,timeout,redirect,status" doc:"What was wrong with the last try. refused: the address may not be reached; status: the receiver did not take it"`
}

// WebhookDeliveries is deliveries of a webhook.
type WebhookDeliveries struct {
	Deliveries []WebhookDelivery `json:"deliveries" doc:"The oldest first, at most 256; the newest where there are more"`
}

// SentDeliveries says how many dead deliveries are sent again.
type SentDeliveries struct {
	Sent int `json:"sent" doc:"So many. Those for which there was no room are dead still"`
}

// WebhookTest is what came of a test.
type WebhookTest struct {
	Delivered bool   `json:"delivered" doc:"The receiver has answered with 2xx"`
	Status    int    `json:"status,omitempty" doc:"Of its answer"`
	Error     string `json:"error,omitempty" enum:"dns,refused,connection,tls,timeout,redirect,status" doc:"What was wrong"`
	TookMs    int64  `json:"tookMs" doc:"How long it took"`
}
