package terminal

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// meta shows what of a session changed by somebody's will. What the agent says of itself at its start is no news.
func (v *View) meta(p *protocol.SessionMeta) []string {
	var out []string
	setting := func(word string, now, pending *string) {
		switch {
		case pending != nil && *pending != "":
			out = append(out, v.style.Dim("~ "+word+" chosen: "+v.oneLine(*pending, 30)+", not in force yet"))
		case now != nil && *now != "" && v.begun:
			out = append(out, v.style.Dim("~ "+word+": "+v.oneLine(*now, 30)))
		}
	}
	setting("model", p.Model, p.PendingModel)
	setting("mode", p.Mode, p.PendingMode)
	return append(out, v.policy(p.Policy)...)
}

// policy shows what answers approvals from now on.
func (v *View) policy(p *protocol.Policy) []string {
	if p == nil {
		return nil
	}
	mode := p.Mode
	if mode == "" {
		mode = protocol.PolicyAsk
	}
	text := "~ policy: " + v.oneLine(string(mode), 20)
	switch n := len(p.Rules); {
	case n == 1:
		text += ", 1 rule"
	case n > 1:
		text += ", " + strconv.Itoa(n) + " rules"
	}
	if p.Deadline > 0 {
		action := p.Default
		if action == "" {
			action = protocol.PolicyDeny
		}
		text += ", after " + durationText(p.Deadline) + " " + v.oneLine(string(action), 20)
	}
	return []string{v.style.Dim(text)}
}
