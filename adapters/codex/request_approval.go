package codex

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/bash"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// decisions are the answers of an approval in the server's words, by the normalised ones. Each is a result.
type decisions map[string]json.RawMessage

func (d decisions) result(a adapters.Answer) any {
	option := a.Option
	if d[option] == nil {
		option = d.otherwise(a.Outcome)
	}
	return d[option]
}

// otherwise is the answer where none of the options was named.
func (d decisions) otherwise(o protocol.Outcome) string {
	switch {
	case o == protocol.OutcomeAllowed && d[protocol.AllowOnce] != nil:
		return protocol.AllowOnce
	case o == protocol.OutcomeDenied && d[protocol.DenyContinue] != nil:
		return protocol.DenyContinue
	case d[protocol.DenyStop] != nil:
		return protocol.DenyStop
	}
	return protocol.DenyContinue
}

func (d decisions) read(result []byte) (protocol.Outcome, string, [][]string) {
	for option, r := range d {
		if native.Compact(r) == native.Compact(result) {
			return outcomeOf(option), option, nil
		}
	}
	said := string(result)
	granted := native.Compact(member(result, "permissions"))
	switch {
	case granted == "{}":
		return protocol.OutcomeDenied, protocol.DenyContinue, nil
	case granted != "":
		return protocol.OutcomeAllowed, protocol.AllowOnce, nil
	case strings.Contains(said, `"acceptForSession"`), strings.Contains(said, "Amendment"), strings.Contains(said, `"persist"`):
		return protocol.OutcomeAllowed, protocol.AllowAlways, nil
	case strings.Contains(said, `"accept"`):
		return protocol.OutcomeAllowed, protocol.AllowOnce, nil
	case strings.Contains(said, `"decline"`):
		return protocol.OutcomeDenied, protocol.DenyContinue, nil
	case strings.Contains(said, `"cancel"`):
		return protocol.OutcomeDenied, protocol.DenyStop, nil
	}
	return protocol.OutcomeCancelled, "", nil
}

func outcomeOf(option string) protocol.Outcome {
	if option == protocol.AllowOnce || option == protocol.AllowAlways {
		return protocol.OutcomeAllowed
	}
	return protocol.OutcomeDenied
}

var optionLabels = []protocol.Option{
	{ID: protocol.AllowOnce, Label: "Allow"},
	{ID: protocol.AllowAlways, Label: "Allow from now on"},
	{ID: protocol.DenyContinue, Label: "Deny"},
	{ID: protocol.DenyStop, Label: "Deny and stop"},
}

func (d decisions) options() (list []protocol.Option) {
	for _, o := range optionLabels {
		if d[o.ID] != nil {
			list = append(list, o)
		}
	}
	return list
}

// decide is an answer with a decision, a word or an object.
func decide(decision json.RawMessage) json.RawMessage {
	return encode(map[string]json.RawMessage{"decision": decision})
}

// offered reads the decisions that the server offers. Without a list it offers all; a plain refusal is never on the list, and
// always taken. There are several ways to allow for good: for the session, or by a rule.
func offered(list []json.RawMessage) decisions {
	d := decisions{protocol.DenyContinue: decide([]byte(`"decline"`))}
	if list == nil {
		list = []json.RawMessage{[]byte(`"accept"`), []byte(`"acceptForSession"`), []byte(`"cancel"`)}
	}
	for _, raw := range list {
		switch word := native.Text(raw); {
		case word == "accept":
			d[protocol.AllowOnce] = decide(raw)
		case word == "acceptForSession":
			d[protocol.AllowAlways] = decide(raw)
		case word == "cancel":
			d[protocol.DenyStop] = decide(raw)
		case d[protocol.AllowAlways] == nil && (member(raw, "acceptWithExecpolicyAmendment") != nil || allowsNetwork(raw)):
			d[protocol.AllowAlways] = decide(raw)
		}
	}
	return d
}

// allowsNetwork says that a decision is a rule that allows a host; there are such that forbid one.
func allowsNetwork(raw []byte) bool {
	return text(raw, "applyNetworkPolicyAmendment", "network_policy_amendment", "action") == "allow"
}

// askedCommand are the parameters of item/commandExecution/requestApproval: whether a command may run.
type askedCommand struct {
	TurnID    string            `json:"turnId"`
	ItemID    string            `json:"itemId"`
	Kind      string            `json:"kind"`
	Reason    string            `json:"reason"`
	Command   string            `json:"command"`
	Cwd       string            `json:"cwd"`
	Elsewhere string            `json:"environmentId"`
	More      json.RawMessage   `json:"additionalPermissions"`
	Decisions []json.RawMessage `json:"availableDecisions"`
	Network   *struct {
		Host     string `json:"host"`
		Protocol string `json:"protocol"`
	} `json:"networkApprovalContext"`
}

// item is what the request tells of the command.
func (p *askedCommand) item() *wireItem {
	return &wireItem{Type: "commandExecution", ID: p.ItemID, Command: p.Command, Cwd: p.Cwd}
}

// ask is the approval of it, the command's item; nil: it is not known.
func (p *askedCommand) ask(it *item, limit int) ask {
	command, cwd := p.Command, p.Cwd
	if command == "" && it != nil {
		command, cwd = it.wire.Command, first(cwd, it.wire.Cwd)
	}
	d := offered(p.Decisions)
	q := protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolName: shellTool, ToolKind: protocol.ToolExecute, Title: "Run this command?", Options: d.options(),
	}
	q.Subject, _ = native.Cut(commandOf(command), limit)
	q.Cwd = native.Head(cwd, maxNoticed)
	more := native.Compact(p.More)
	if more != "" || p.Elsewhere != "" && p.Elsewhere != "local" { // who may run the command need not be one who may allow that
		q.Subject = ""
	}
	switch {
	case p.Network != nil:
		q.ToolKind, q.Cwd, q.Title = protocol.ToolFetch, "", "Let this command reach "+native.Head(p.Network.Host, maxTitle)+"?"
		q.Subject = native.Head(p.Network.Protocol+"://"+p.Network.Host, maxNoticed)
	case p.Kind == "writeStdin": // what is typed is not said, and the command line is none of it
		q.Title, q.Subject = "Type into this running command?", ""
	}
	if more != "" {
		more = "It also asks for " + shortened(more, limit/2)
	}
	q.Text, _ = native.Cut(paragraphs(more, command, p.Reason), limit)
	return ask{shown: q, reply: d}
}

// commandOf is what a command line runs, for policies. Codex hands most to a shell, and to PowerShell where there is no other.
func commandOf(line string) string {
	if inner, ok := bash.Handed(line); ok {
		return inner
	}
	if bash.Foreign(line) {
		return ""
	}
	return line
}

// paragraphs joins what there is.
func paragraphs(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, "\n\n")
}

// shortened is the beginning of a text that is too long, with a mark behind it: what follows it in a request is read as well.
func shortened(text string, limit int) string {
	if head := native.Head(text, limit); head != text {
		return head + "…"
	}
	return text
}

// askedPatch are the parameters of item/fileChange/requestApproval: whether files may be changed.
type askedPatch struct {
	TurnID    string `json:"turnId"`
	ItemID    string `json:"itemId"`
	Reason    string `json:"reason"`
	GrantRoot string `json:"grantRoot"`
}

// ask is the approval of it, the patch's item; nil: it is not known. The diff is not in the request: it is that of the item.
func (p *askedPatch) ask(it *item, folder string, limit int) ask {
	d := offered(nil)
	q := protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolName: editTool, ToolKind: protocol.ToolEdit, Title: "Change these files?", Options: d.options(),
	}
	changed := ""
	if it != nil {
		if p.GrantRoot == "" { // who may allow the changes need not be one who may allow that
			q.Subject, _ = native.Cut(paths(it.wire.Changes), limit)
		}
		var whole bool
		if changed, whole = asked(it.wire.Changes, folder); whole {
			diff.Ask(&q, changed, limit)
		}
	}
	grant := ""
	if p.GrantRoot != "" {
		grant = "It also asks to write below " + diff.Quoted(shortened(p.GrantRoot, maxNoticed)) + " for the rest of the session."
	}
	q.Text, _ = native.Cut(paragraphs(grant, shortened(p.Reason, limit/4), changed), limit)
	return ask{shown: q, reply: d}
}

// askedPermissions are the parameters of item/permissions/requestApproval: whether the agent may have more than its sandbox gives.
type askedPermissions struct {
	TurnID      string          `json:"turnId"`
	Reason      string          `json:"reason"`
	Permissions json.RawMessage `json:"permissions"`
}

func (p *askedPermissions) ask(limit int) ask {
	granted := json.RawMessage(native.Compact(p.Permissions))
	if len(granted) == 0 {
		granted = []byte("{}")
	}
	grant := func(scope string) json.RawMessage {
		return encode(map[string]json.RawMessage{"permissions": granted, "scope": encode(scope)})
	}
	d := decisions{
		protocol.AllowOnce: grant("turn"), protocol.AllowAlways: grant("session"),
		protocol.DenyContinue: []byte(`{"permissions":{}}`),
	}
	q := protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolName: "permissions", ToolKind: protocol.ToolOther, Title: "Grant these permissions?", Options: d.options(),
	}
	q.Subject, _ = native.Cut(string(granted), limit)
	q.Text, _ = native.Cut(paragraphs(shortened(p.Reason, limit/4), string(granted)), limit)
	return ask{shown: q, reply: d}
}
