package opencode

import (
	"cmp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// approval opens an approval, or keeps it where it may wait for its call or the call's arguments.
func (r *requests) approval(p *permissionWire, next, wait bool, all *entries, out *adapters.Output) {
	if p.ID == "" || r.open[p.ID] != nil {
		return
	}
	if next && p.Action != "" {
		p.Permission, p.Patterns, p.Always, p.Tool = p.Action, p.Resources, p.Save, p.Source
	}
	x := all.call(p.Tool)
	if (x == nil || p.lacks(x)) && wait && r.awaits(earlyRequest{about: p.Tool, permission: p, next: next}) {
		return
	}
	q := &request{next: next}
	if x != nil {
		q.entry = x.key
	}
	r.add(p.ID, q, r.asks(p, x), out)
}

// asks puts a request for permission, about a call where one is known, into our words.
func (r *requests) asks(p *permissionWire, x *part) protocol.RequestOpened {
	q := protocol.RequestOpened{Kind: protocol.RequestApproval, ToolName: p.Permission, ToolKind: p.kind(x)}
	q.Subject, q.Cwd = p.subject(x, r.cwd)
	q.Cwd = native.Head(q.Cwd, maxNoticed)
	if x != nil {
		q.ToolName = x.tool.name
		if kind, about, own := r.own.tool(p.Permission, x.tool); own {
			q.ToolKind, q.Subject = kind, about
		}
	}
	if q.ToolKind == protocol.ToolRead && strings.HasPrefix(strings.Join(p.Patterns, "\n"), "mcp:") && q.ToolName != "read" {
		q.ToolKind, q.Subject = protocol.ToolOther, strings.Join(p.Patterns, "\n") // a resource of a server's, which may do anything
	}
	q.Subject, _ = native.Cut(q.Subject, r.limit)
	q.Title = "Allow " + native.Head(q.ToolName, maxWord) + "?"
	if q.ToolName != p.Permission {
		q.Title = "Allow " + native.Head(q.ToolName, maxWord) + " (" + native.Head(p.Permission, maxWord) + ")?"
	}
	q.Text, _ = native.Cut(p.shown(), r.limit)
	if p.Metadata.Diff != "" {
		changed, whole := p.diff(r.cwd)
		if whole {
			diff.Ask(&q, changed, r.limit)
		}
		switch {
		case len(p.Metadata.Files) > 0:
			changed = p.changes() + "\n" + changed
		case !whole && p.Metadata.FilePath != "":
			changed = diff.Quoted(p.Metadata.FilePath) + "\n\n" + changed
		}
		q.Text, _ = native.Cut(changed, r.limit)
	}
	q.Options = []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow once"}}
	if len(p.Always) > 0 {
		q.Options = append(q.Options, protocol.Option{
			ID: protocol.AllowAlways, Label: "Allow always", Description: native.Head(strings.Join(p.Always, ", "), maxNoticed),
		})
	}
	q.Options = append(q.Options,
		protocol.Option{ID: protocol.DenyContinue, Label: "Deny", Description: "The agent is told and goes on."},
		protocol.Option{ID: protocol.DenyStop, Label: "Deny and stop", Description: "Everything else that it asked is refused too."})
	return q
}

// kind is what the agent would do: leaving the folder is what its tool does there.
func (p *permissionWire) kind(x *part) protocol.ToolKind {
	if p.Permission == "external_directory" && x != nil {
		return toolKind(x.tool.name)
	}
	return toolKind(p.Permission)
}

// toolKind says what a tool does whose permission has this name.
func toolKind(permission string) protocol.ToolKind {
	switch permission {
	case "bash":
		return protocol.ToolExecute
	case "edit", "write", "patch", "multiedit", "apply_patch":
		return protocol.ToolEdit
	case "read":
		return protocol.ToolRead
	case "glob", "grep", "list", "lsp":
		return protocol.ToolSearch
	case "webfetch", "websearch", "codesearch":
		return protocol.ToolFetch
	}
	return protocol.ToolOther
}

// approvalReplied takes somebody's answer, and says whether it was a refusal; our own answer is known.
func (r *requests) approvalReplied(properties []byte, all *entries, out *adapters.Output) (refused bool) {
	var p struct {
		RequestID string `json:"requestID"`
		Reply     string `json:"reply"`
	}
	_ = native.Decode(properties, &p)
	r.openEarly(func(e *earlyRequest) bool { return e.id() == p.RequestID }, all, out)
	q := r.open[p.RequestID]
	if q == nil {
		return false
	}
	closed := adapters.RequestClosed{Key: q.key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}
	switch p.Reply {
	case "once":
	case "always":
		closed.Option = protocol.AllowAlways
	default:
		refused = true
		closed.Outcome, closed.Option = protocol.OutcomeDenied, protocol.DenyStop
		if q.message {
			closed.Option = protocol.DenyContinue
		}
	}
	r.close(p.RequestID, closed, out)
	return refused
}

// refusal is what the agent is told when somebody denies a call without saying why. Without any words it would stop.
const refusal = "The user does not allow this call. Go on without it."

// replyIn answers a permission.
type replyIn struct {
	Reply   string `json:"reply"`
	Message string `json:"message,omitempty"`
}

// replyTo puts an answer into the agent's words. stops says that the agent will stop.
func replyTo(a adapters.Answer) (reply replyIn, stops bool) {
	switch {
	case a.Outcome == protocol.OutcomeAllowed && a.Option == protocol.AllowAlways:
		return replyIn{Reply: "always"}, false
	case a.Outcome == protocol.OutcomeAllowed:
		return replyIn{Reply: "once"}, false
	case a.Outcome == protocol.OutcomeDenied && a.Option != protocol.DenyStop:
		return replyIn{Reply: "reject", Message: cmp.Or(a.Message, refusal)}, false
	}
	return replyIn{Reply: "reject"}, true
}
