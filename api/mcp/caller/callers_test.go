package caller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// offering is an offer of one tool that counts as so many bytes.
func offering(sessionID string, bytes int) *Offer {
	o := &Offer{key: offerKey{sessionID, "editor"}, given: []Tool{{Name: "beep"}}, bytes: bytes}
	o.tools = []*sdk.Tool{{Name: "editor_beep", InputSchema: map[string]any{"type": "object"}}}
	o.life, o.end = context.WithCancelCause(context.Background())
	return o
}

// callersOfEnded are callers of sessions that have all ended, as only the daemon may see.
func callersOfEnded(t *testing.T) *Callers {
	life, end := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	t.Cleanup(func() {
		end()
		wg.Wait()
	})
	return New(Config{
		Look: func(ctx context.Context, id string) (session.Summary, error) {
			if access.Of(ctx) != access.Daemon {
				return session.Summary{}, errors.New("not for this one to see")
			}
			return session.Summary{ID: id, Status: protocol.Status{State: protocol.StateTerminated}}, nil
		},
		Server: func() *sdk.Server { return sdk.NewServer(&sdk.Implementation{Name: "server"}, nil) },
		Life:   life,
		Start: func(run func()) bool {
			wg.Go(run)
			return true
		},
	})
}

// TestAgentServersGoWithTheirTokens: nothing stays of an agent that is gone, and with the end of its session nothing of what it
// was offered.
func TestAgentServersGoWithTheirTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := callersOfEnded(t)
		if err := c.offer(offering("s1", 10)); err != nil {
			t.Fatal(err)
		}
		revoked, revoke := context.WithCancel(t.Context())
		p := &access.Principal{ID: "k1", Scope: access.Agent, Session: "s1", Revoked: revoked}
		if one := c.ServerOf(p); one != c.ServerOf(p) || len(c.servers["k1"].offered) != 1 {
			t.Fatal("an agent has one server, with what it is offered")
		}
		other := c.ServerOf(&access.Principal{ID: "k2", Scope: access.Agent, Session: "s2", Revoked: t.Context()})
		revoke()
		synctest.Wait()
		if len(c.servers) != 1 || c.servers["k2"].server != other || len(c.offers) != 0 || c.bytes != 0 {
			t.Errorf("%d servers, %d offers of %d bytes are left", len(c.servers), len(c.offers), c.bytes)
		}
	})
}

// TestSameOfferTellsNothing: a client that offers the same with every message changes no list, and so no agent is told; another offer does.
func TestSameOfferTellsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := callersOfEnded(t)
		a := c.ServerOf(&access.Principal{ID: "k1", Scope: access.Agent, Session: "s1", Revoked: t.Context()})
		tool := func(description string) *sdk.Tool {
			o := offering("s1", 10)
			o.given[0].Description = description
			server := c.servers["k1"]
			if err := c.offer(o); err != nil || server.server != a {
				t.Fatal(err)
			}
			return server.offered["editor_beep"]
		}
		first := tool("beeps")
		if tool("beeps") != first {
			t.Error("the same offer changed the list")
		}
		if tool("beeps twice") == first {
			t.Error("another offer did not change it")
		}
	})
}

// TestOffersAreBounded: what was offered longest ago gives way, and whoever waits for its caller hears it.
func TestOffersAreBounded(t *testing.T) {
	for name, x := range map[string]struct{ bytes, fit int }{
		"number": {1, maxOffers}, "bytes": {maxOffersBytes / 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			c := New(Config{})
			first := offering("s0", x.bytes)
			for i := range x.fit {
				o := first
				if i > 0 {
					o = offering(fmt.Sprintf("s%d", i), x.bytes)
				}
				if err := c.offer(o); err != nil || first.life.Err() != nil {
					t.Fatalf("%d: %v, the first is %v", i, err, context.Cause(first.life))
				}
			}
			again := offering("s0", x.bytes)
			again.given[0].Description = "changed"
			if err := c.offer(again); err != nil || again.life != first.life {
				t.Fatal("a caller that offers anew keeps its open calls")
			}
			if err := c.offer(offering("new", x.bytes)); err != nil {
				t.Fatal(err)
			}
			if c.order.Len() != x.fit || len(c.offers) != x.fit || c.offers[offerKey{"s1", "editor"}] != nil || again.life.Err() != nil {
				t.Errorf("%d offers are left", c.order.Len())
			}
		})
	}
}
