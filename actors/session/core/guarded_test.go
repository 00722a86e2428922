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
		if got := w.log[from].Payload.(*protocol.RequestOpened); !got.Guarded {
			t.Errorf("%+v: who reads the log does not learn why no policy has answered: %+v", p, got)
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

// TestOnlyWhatReachesInIsGuarded: of another request it is not said, whatever its adapter has written there, and the policy answers it.
func TestOnlyWhatReachesInIsGuarded(t *testing.T) {
	w := underPolicy(t, &protocol.Policy{Mode: protocol.PolicyAllowAll})
	from := len(w.log)
	r := asking(1, "/srv/shop/token", protocol.AllowOnce, protocol.DenyContinue)
	r.Request.Guarded = true
	w.say(r)
	got := w.log[from].Payload.(*protocol.RequestOpened)
	if len(w.commands) != 1 || got.Guarded {
		t.Fatalf("%+v, %+v", got, w.commands)
	}
}
