package topic

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/reason"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// policy is the mode of a session's policy, with its rules below it: these stay as they are.
type policy struct {
	session string
	now     func() *protocol.Policy // as the list of sessions has it; nil: none
	sending protocol.PolicyMode
}

var policyModes = []protocol.PolicyMode{protocol.PolicyAsk, protocol.PolicyAllowReads, protocol.PolicyAllowAll, protocol.PolicyDenyAll}

// Policy is the policy of a session, as now gives it.
func Policy(session string, now func() *protocol.Policy) Topic {
	return &policy{session: session, now: now}
}

func (p *policy) Title() string { return "the policy" }

func (p *policy) Read() []desk.Wish { return nil }

func (p *policy) Take(n desk.News) []desk.Wish {
	if d, is := n.(desk.Done); is {
		if w, is := d.Wish.(desk.Choose); is && w.Session == p.session && w.What == desk.Policy {
			p.sending = ""
		}
	}
	return nil
}

func (p *policy) mode() protocol.PolicyMode {
	if has := p.now(); has != nil {
		return cmp.Or(has.Mode, protocol.PolicyAsk)
	}
	return protocol.PolicyAsk
}

func (p *policy) Rows() (list []Row, none string) {
	for _, m := range policyModes {
		row := Row{ID: string(m), Text: string(m) + ": " + reason.Mode(m)}
		if m == p.mode() {
			row.Mark = "in force"
		}
		if m == p.sending {
			row.Mark = "on its way"
		}
		list = append(list, row)
	}
	return list, ""
}

func (p *policy) Notes() []string {
	has := p.now()
	if has == nil || len(has.Rules) == 0 && has.Deadline == 0 {
		return []string{"It has no rules. ringmaster policy " + short(p.session) + " --rule … gives it some."}
	}
	var out []string
	if len(has.Rules) > 0 {
		out = append(out, "Its rules come first, and stay:")
	}
	for i := range has.Rules {
		out = append(out, fmt.Sprintf("  %d  %s", i+1, reason.Rule(&has.Rules[i])))
	}
	if has.Deadline > 0 {
		after := strings.Replace((time.Duration(has.Deadline) * time.Millisecond).String(), "m0s", "m", 1)
		out = append(out, fmt.Sprintf("Without an answer, after %s: %s", after, cmp.Or(has.Default, protocol.PolicyDeny)))
	}
	return out
}

func (p *policy) Keys() string { return "? keys  ↑↓ choose  Enter takes it  Esc back" }

func (p *policy) Key(k keys.Key, row *Row, t *Touch) []desk.Wish {
	switch {
	case row == nil || !k.Is("enter"):
		return nil
	case p.sending != "":
		t.Note = "Wait: another one is on its way."
		return nil
	case row.ID == string(p.mode()):
		t.Note = "It is that one already."
		return nil
	case row.ID == string(protocol.PolicyAllowAll) && !t.again("policy"+row.ID, "Press Enter again: it allows everything, and nobody is asked."):
		return nil
	}
	p.sending, t.Note = protocol.PolicyMode(row.ID), "Choosing…"
	return []desk.Wish{desk.Choose{Session: p.session, What: desk.Policy, Value: row.ID}}
}
