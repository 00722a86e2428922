package terminal

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// meta shows what of a session changed by somebody's will. What the agent says of itself at its start is no news.
func (n *pen) meta(p *protocol.SessionMeta, begun bool) []string {
	var out []string
	setting := func(word string, now, pending *string) {
		switch {
		case pending != nil && *pending != "":
			out = append(out, n.style.Dim("~ "+word+" chosen: "+n.oneLine(*pending, 30)+", not in force yet"))
		case now != nil && *now != "" && begun:
			out = append(out, n.style.Dim("~ "+word+": "+n.oneLine(*now, 30)))
		}
	}
	setting("model", p.Model, p.PendingModel)
	setting("mode", p.Mode, p.PendingMode)
	return append(out, n.policy(p.Policy)...)
}

// policy shows what answers approvals from now on.
func (n *pen) policy(p *protocol.Policy) []string {
	if p == nil {
		return nil
	}
	mode := p.Mode
	if mode == "" {
		mode = protocol.PolicyAsk
	}
	text := "~ policy: " + n.oneLine(string(mode), 20)
	switch rules := len(p.Rules); {
	case rules == 1:
		text += ", 1 rule"
	case rules > 1:
		text += ", " + strconv.Itoa(rules) + " rules"
	}
	if p.Deadline > 0 {
		action := p.Default
		if action == "" {
			action = protocol.PolicyDeny
		}
		text += ", after " + durationText(p.Deadline) + " " + n.oneLine(string(action), 20)
	}
	return []string{n.style.Dim(text)}
}
