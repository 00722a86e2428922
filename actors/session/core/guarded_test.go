package core

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What reaches into the daemon's own folder is asked, whatever the policy is, and is never allowed because nobody was there.
func TestGuardedIsAskedUnderEveryPolicy(t *testing.T) {
	for _, p := range []*protocol.Policy{
		{Mode: protocol.PolicyAllowAll},
		{Mode: protocol.PolicyAllowReads},
		{Mode: protocol.PolicyDenyAll},
		{Rules: []protocol.PolicyRule{{Action: protocol.PolicyAllow}}},
		{Rules: []protocol.PolicyRule{{Action: protocol.PolicyDenyStop}}},
		{Mode: protocol.PolicyAllowAll, Deadline: 1000, Default: protocol.PolicyAllow},
	} {
		w := underPolicy(t, p)
		from := len(w.log)
		r := asking(1, "/srv/data/token", protocol.AllowOnce, protocol.DenyContinue)
		r.Request.ToolKind, r.Guarded = protocol.ToolRead, true
		w.say(r)
		wantTypes(t, w, from, "request_opened", "status:awaiting_approval")
		if len(w.commands) != 0 {
			t.Fatalf("%+v: %+v", p, w.commands)
		}
		if p.Deadline == 0 {
			continue
		}
		if got := w.log[from].Payload.(*protocol.RequestOpened).Default; got != protocol.PolicyDeny {
			t.Errorf("at the deadline: %q", got)
		}
		w.step(&RequestOverdue{RequestID: "r1"})
		if len(w.commands) != 1 || w.commands[0].(adapters.Answer).Outcome != protocol.OutcomeDenied {
			t.Fatalf("%+v", w.commands)
		}
	}
}
