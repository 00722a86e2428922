package droid

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxLabel is how much of an option's label is kept, in bytes: each tool of a permission has all of them.
const maxLabel = 256

type permissionResult struct {
	SelectedOption string `json:"selectedOption"`
	Comment        string `json:"comment,omitempty"`
}

// readPermission reads a permission, which makes an approval per tool; r is nil where nothing in it can be chosen.
func readPermission(params json.RawMessage, own *ownServer, cwd string, limit int) (r *request, list []asked) {
	var p struct {
		ToolUses []struct {
			ToolUse          contentWire `json:"toolUse"`
			ConfirmationType string      `json:"confirmationType"`
			Details          details     `json:"details"`
		} `json:"toolUses"`
		Options []option `json:"options"`
	}
	_ = native.Decode(params, &p)
	r, options := readOptions(p.Options)
	if len(options) == 0 {
		return nil, nil
	}
	for i := range p.ToolUses {
		u := &p.ToolUses[i]
		name, d, in := u.ToolUse.Name, &u.Details, inputOf(u.ToolUse.Input)
		if d.Type == "" {
			d.Type = u.ConfirmationType
		}
		a := asked{u.ToolUse.ID, protocol.RequestOpened{
			Kind: protocol.RequestApproval, ToolName: name, ToolKind: kindOf(name, d), Subject: subjectOf(name, d, &in),
			Title: titleOf(name, d), Options: options,
		}}
		if kind, about, ok := own.asked(&u.ToolUse, d); ok {
			a.ToolKind, a.Subject = kind, about
		}
		a.Subject, _ = native.Cut(a.Subject, limit)
		change := d.diff(&in, cwd)
		diff.Ask(&a.RequestOpened, change, limit)
		a.Text, _ = native.Cut(cmp.Or(change, textOf(d, &in, u.ToolUse.Input)), limit)
		list = append(list, a)
	}
	if len(list) == 0 {
		return nil, nil
	}
	return r, list
}

// readOptions finds those of Droid's options that there are words for.
func readOptions(all []option) (r *request, options []protocol.Option) {
	r = &request{}
	for _, o := range []struct {
		id     string
		values []string
		value  *string
	}{{protocol.AllowOnce, once, &r.once}, {protocol.AllowAlways, always, &r.always}, {protocol.DenyStop, never, &r.never}} {
		if found := pick(all, o.values); found.Value != "" {
			*o.value = found.Value
			options = append(options, protocol.Option{ID: o.id, Label: native.Head(found.Label, maxLabel)})
		}
	}
	return r, options
}

// once, always and never are the values of Droid's options, those preferred first that allow the least.
var (
	once   = []string{"proceed_once"}
	always = []string{
		"proceed_always_tools", "proceed_always", "proceed_always_server",
		"proceed_auto_run_low", "proceed_auto_run_medium", "proceed_auto_run_high", "proceed_auto_run",
	}
	never = []string{"cancel"}
)

// option is one way to answer a permission.
type option struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// pick finds the first of some values among the options.
func pick(options []option, values []string) option {
	for _, v := range values {
		if i := slices.IndexFunc(options, func(o option) bool { return o.Value == v }); i >= 0 {
			return options[i]
		}
	}
	return option{}
}
