package access

import (
	"context"
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestOwnerBudgets: an administrator alone says what owners may use. Whoever reads all reads it, and an owner reads its own.
//
// Proves: I13.11/owners
func TestOwnerBudgets(t *testing.T) {
	g := NewGate(newForest(), 100)
	code := func(err error) protocol.Code {
		var p *protocol.Problem
		if errors.As(err, &p) {
			return p.Code
		}
		return ""
	}
	for who, want := range map[string]struct{ set, list, own, other bool }{
		"admin": {true, true, true, true}, "the socket's peer": {true, true, true, true}, "admin:ro": {false, true, true, true},
		"ann": {false, false, true, false}, "ann:ro": {false, false, true, false}, "bob": {false, false, false, true}, "ann's agent": {},
		"nobody": {}, "no owner": {}, "no session": {}, "no scope": {},
	} {
		ctx := With(context.Background(), principals[who].p)
		_, set := g.SetOwnerBudget(ctx, supervisor.Tenant{Owner: "ann"}, false)
		_, list := g.Owners(ctx, "")
		_, own := g.Owners(ctx, "ann")
		_, other := g.Owners(ctx, "bob")
		for what, x := range map[string]struct {
			err error
			may bool
		}{"set": {set, want.set}, "list": {list, want.list}, "own": {own, want.own}, "other": {other, want.other}} {
			if (x.err == nil) != x.may || x.err != nil && code(x.err) != protocol.CodeForbidden && !errors.Is(x.err, errNobody) {
				t.Errorf("%s, %s: %v", who, what, x.err)
			}
		}
	}
	ctx := With(context.Background(), Root)
	for _, name := range []string{"an n", "-ann", "ann/..", string(make([]byte, 200))} {
		_, err := g.Owners(ctx, name)
		_, set := g.SetOwnerBudget(ctx, supervisor.Tenant{Owner: name}, false)
		if code(err) != protocol.CodeInvalidRequest || code(set) != protocol.CodeInvalidRequest {
			t.Errorf("the owner %q: %v, %v", name, err, set)
		}
	}
}
