package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// sees says whether a principal may know of a webhook: one of its own, and of all with the scope admin.
func sees(p *access.Principal, v *core.View) bool {
	return p != nil && p.Writes() && p.Scope != access.Agent && (p.Scope == access.Admin || p.Holder() == v.Holder)
}

// makes gives the principal of a context, where it may make webhooks and change them.
func makes(ctx context.Context) (*access.Principal, error) {
	p := access.Of(ctx)
	switch {
	case p == nil || !p.Writes() || p.Scope == access.Agent:
		return nil, protocol.NewProblem(protocol.CodeForbidden, "This token makes no webhooks.", "Use a token of the scope admin or owner.")
	case p.AskedBy != "":
		return nil, protocol.NewProblem(protocol.CodeForbidden, "A page that is logged in makes and changes no webhooks, which would outlive its login.",
			"Do it in a terminal: ringmaster webhook.")
	}
	return p, nil
}

// fits says what is wrong with a webhook.
func (h desk) fits(w *core.Webhook) error {
	invalid := func(detail, hint string) error { return protocol.NewProblem(protocol.CodeInvalidRequest, detail, hint) }
	if strings.ContainsFunc(w.Name, unicode.IsControl) {
		return invalid("The name has control characters.", "Leave them out.")
	}
	if err := h.Allow.Check(w.URL); err != nil {
		return err
	}
	if w.Select == nil {
		return nil
	}
	if w.Select.States != nil || w.Select.Active != nil {
		return invalid("A webhook does not select by states or active: what it tells of changes them.", "Leave them out, and choose kinds.")
	}
	if text, err := json.Marshal(w.Select); err != nil || len(text) > maxSelector {
		return invalid("The selection is longer than 16 KiB.", "Select by fewer labels.")
	}
	_, err := selection.Of(w.Select)
	return err
}

func kindsOf(list []resource.WebhookKind) (kinds []notice.Kind) {
	for _, k := range notice.Kinds() {
		if slices.Contains(list, resource.WebhookKind(k)) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func missing() error {
	return protocol.NewProblem(protocol.CodeNotFound, "No webhook of this token has this id.", "The list of webhooks names them.")
}

func ends() error {
	return protocol.NewProblem(protocol.CodeUnavailable, "The daemon ends.", "Ask again once it runs again.")
}

// unkept is what a client is told where the disk takes nothing.
func unkept(err error, more string) error {
	if p := (*protocol.Problem)(nil); errors.As(err, &p) {
		return p
	}
	detail := "The webhook cannot be written."
	if errno, is := errors.AsType[syscall.Errno](err); is {
		detail = "The webhook cannot be written: " + errno.Error() + "."
	}
	return protocol.NewProblem(protocol.CodeReadOnly, detail+more,
		"Free space on the disk of the daemon's data folder, or make the folder writable, and ask again.")
}
