package tool

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// known is what a node knows of a session of another one, which has ended: at first that it cannot be looked at, then how it was, and from then on how it is.
type known struct {
	control.Sessions
	begun time.Time
	until time.Duration // for how long it is not known
}

func (k *known) AtRest(context.Context, string) (*session.Description, error) {
	d := new(session.Description)
	switch past := time.Since(k.begun); {
	case past < k.until/2:
		return nil, protocol.NewProblem(protocol.CodeUnavailable, "Core does not have these events of it yet.", "Ask the node that has it.")
	case past < k.until:
		d.Status.State = protocol.StateIdle
	default:
		d.Status.State = protocol.StateCompleted
	}
	return d, nil
}

// TestEndIsTold: a host that has ended a session of another node is told that it has ended, as soon as this node knows; where it does not come to know, the host
// is told all the same that the session has ended.
//
// Proves: I16.7/tools
func TestEndIsTold(t *testing.T) {
	const id = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"
	for until, want := range map[time.Duration]string{0: "completed", 2 * time.Second: "completed", time.Minute: ""} {
		synctest.Test(t, func(t *testing.T) {
			s := &sessions{door: control.New(&known{begun: time.Now(), until: until}, nil)}
			begun := time.Now()
			out, err := s.done(t.Context(), id)
			took := time.Since(begun)
			if want != "" {
				if err != nil || out.Status != want || took > until+time.Second {
					t.Errorf("known after %v: %+v, %v, after %v", until, out, err, took)
				}
				return
			}
			if p := problem.Of(err); err == nil || p.Code != protocol.CodeUnavailable || !strings.Contains(p.Hint, "it has ended") || took > 15*time.Second {
				t.Errorf("never known: %+v, %v, after %v", out, err, took)
			}
		})
	}
}
