package access

import (
	"slices"
	"testing"
)

// TestRetentionGate: an administrator alone has sessions of others removed. Who may change a session may pin it, but for agents.
// Proves: I15.2/gate
func TestRetentionGate(t *testing.T) {
	for who, row := range principals {
		f := newForest()
		g := NewRetention(NewGate(f, 10), f)
		ctx := With(t.Context(), row.p)
		_, plan := g.Plan(ctx, nil)
		collect := g.Collect(ctx, nil)
		admin := who == "admin" || who == "the socket's peer"
		if admin != (plan == nil) || admin != (collect == nil) || admin != (len(f.done) == 2) {
			t.Errorf("%s: %v, %v, %v", who, plan, collect, f.done)
		}
		for _, id := range all {
			want := row.writes && slices.Contains(row.reaches, id) && row.p.Scope != Agent
			if err := g.Pin(ctx, id, true); (err == nil) != want {
				t.Errorf("%s pins %s: %v", who, id, err)
			}
		}
	}
}
