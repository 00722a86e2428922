package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Webhook is a webhook as it was asked for, and what the daemon has decided of it.
type Webhook struct {
	ID       string             `json:"id"`
	Holder   string             `json:"holder"` // the token that made it
	Name     string             `json:"name,omitempty"`
	URL      string             `json:"url"`
	Kinds    []notice.Kind      `json:"kinds"`
	Select   *resource.Selector `json:"select,omitempty"` // nil: all sessions within reach
	DelayMs  int64              `json:"delayMs,omitempty"`
	Off      bool               `json:"off,omitempty"`      // somebody wants it so
	Disabled Reason             `json:"disabled,omitempty"` // the daemon does
	Created  int64              `json:"created"`            // Unix ms, as the times below
	Secret   string             `json:"secret"`
	Old      string             `json:"old,omitempty"` // the secret before, until
	OldUntil int64              `json:"oldUntil,omitempty"`
}

// Reason says why the daemon has disabled a webhook.
type Reason string

// The reasons.
const (
	Gone  Reason = "gone"  // the receiver has said so
	Token Reason = "token" // the token that made it is void
	URL   Reason = "url"   // the URL is not allowed any more
)

// Active says that notices are sent.
func (w *Webhook) Active() bool { return !w.Off && w.Disabled == "" }

// Wants says that a kind of notice is sent.
func (w *Webhook) Wants(k notice.Kind) bool {
	return k == notice.EventsMissed || slices.Contains(w.Kinds, k)
}

// Secrets are those to sign with, the newest first.
func (w *Webhook) Secrets(now int64) []string {
	if w.Old != "" && now < w.OldUntil {
		return []string{w.Secret, w.Old}
	}
	return []string{w.Secret}
}
