package supervisor_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// taker is the scripted agent, with or without taking the daemon's MCP server; it remembers what its launches were given.
type taker struct {
	scripted.Agent
	name  string
	takes bool
	seen  *grants
}

func (a taker) Name() string { return a.name }

func (a taker) Capabilities() adapters.Capabilities {
	c := a.Agent.Capabilities()
	c.MCP = a.takes
	return c
}

func (a taker) Launch(spec adapters.Spec) adapters.Launch {
	if spec.MCP != nil {
		a.seen.mu.Lock()
		a.seen.launched = append(a.seen.launched, spec.MCP.Token)
		a.seen.mu.Unlock()
	}
	return a.Agent.Launch(spec)
}

// grants are the tokens that agents were given.
type grants struct {
	mu       sync.Mutex
	granted  []string // SESSION OWNER
	launched []string
	revoked  []string
}

func (g *grants) grant(id, owner string) (*adapters.MCPServer, func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token := id + " " + owner
	g.granted = append(g.granted, token)
	return &adapters.MCPServer{Name: "ringmaster", URL: "http://127.0.0.1:1/mcp", Token: token}, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.revoked = append(g.revoked, token)
	}
}

// spawning runs a test with agents "taker" and "plain", in virtual time.
func spawning(t *testing.T, change func(*supervisor.Config), test func(d *daemon, g *grants)) {
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		g := &grants{}
		d := start(t, data, func(c *supervisor.Config) {
			inner, ok := c.Agents[0].(scripted.Agent)
			if !ok {
				t.Fatalf("the test's agent is a %T", c.Agents[0])
			}
			c.Agents = []adapters.Agent{taker{inner, "taker", true, g}, taker{inner, "plain", false, g}}
			c.Grant = g.grant
			if change != nil {
				change(c)
			}
		})
		defer d.close()
		test(d, g)
	})
}

func (d *daemon) make(n supervisor.NewSession) session.Summary {
	d.t.Helper()
	if n.Agent == "" {
		n.Agent = "taker"
	}
	s, err := d.Create(d.t.Context(), n)
	if err != nil {
		d.t.Fatal(err)
	}
	return s.Summary
}

func (d *daemon) end(id string) {
	d.t.Helper()
	if _, err := session.Ask(d.t.Context(), d.find(id), &session.End{}); err != nil {
		d.t.Fatal(err)
	}
	synctest.Wait()
}

// A spawned session has its parent's owner, policy and folder, is in its parent's log, and ends with it.
// Proves: D1.6/children
func TestSpawned(t *testing.T) {
	spawning(t, nil, func(d *daemon, _ *grants) {
		policy := &protocol.Policy{Mode: protocol.PolicyAllowReads}
		parent := d.make(supervisor.NewSession{Cwd: d.root, Owner: "ann", Policy: policy})
		child := d.make(supervisor.NewSession{ParentID: parent.ID, Spawned: true, Title: "worker", Owner: "eve"})
		grand := d.make(supervisor.NewSession{ParentID: child.ID, Spawned: true})
		other := d.make(supervisor.NewSession{Cwd: d.root, ParentID: parent.ID})
		for _, s := range []session.Summary{child, grand} {
			if s.Owner != "ann" || s.Cwd != d.root || s.Policy == nil || s.Policy.Mode != policy.Mode || !s.Spawned {
				t.Errorf("got %+v", s)
			}
		}
		if other.Owner != "ann" || other.Spawned || other.Policy != nil {
			t.Errorf("one that a client made for the parent: %+v", other)
		}
		synctest.Wait()
		d.says(parent.ID, map[string]int{`"type":"child_session"`: 2, `"childSessionId":"` + child.ID + `","title":"worker"`: 1})
		d.says(child.ID, map[string]int{`"childSessionId":"` + grand.ID: 1, `"spawned":true`: 1})

		page, err := d.List(d.t.Context(), supervisor.Query{Under: parent.ID})
		if err != nil || page.Total != 3 {
			t.Errorf("%d sessions under the parent, want 3 (%v)", page.Total, err)
		}
		if page, err = d.List(d.t.Context(), supervisor.Query{Owner: "eve"}); err != nil || page.Total != 0 {
			t.Errorf("%d sessions of another owner (%v)", page.Total, err)
		}
		d.end(parent.ID)
		d.state(child.ID, protocol.StateTerminated)
		d.state(grand.ID, protocol.StateTerminated)
		d.state(other.ID, protocol.StateIdle)
		for _, n := range []supervisor.NewSession{
			{Agent: "taker", Cwd: d.root, ParentID: parent.ID},
			{Agent: "taker", Cwd: d.root, ParentID: "00000000-0000-4000-8000-999999999999"},
		} {
			if _, err := d.Create(d.t.Context(), n); code(err) != protocol.CodeSessionEnded && code(err) != protocol.CodeSessionNotFound {
				t.Errorf("a child of %s: %v", n.ParentID, err)
			}
		}
		if err := d.Delete(d.t.Context(), parent.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Look(d.t.Context(), grand.ID); code(err) != protocol.CodeSessionNotFound {
			t.Errorf("the grandchild of a deleted session: %v", err)
		}
	})
}

// What a spawned session asks is asked at its root; the root's agent may go meanwhile.
func TestSpawnedAsksAtItsRoot(t *testing.T) {
	const asks = "\n```script\n" + `[{"tool":{"name":"bash","args":{"command":"ls"},"approve":true,"output":["ok"]}}]` + "\n```"
	spawning(t, nil, func(d *daemon, _ *grants) {
		root := d.make(supervisor.NewSession{Cwd: d.root})
		child := d.make(supervisor.NewSession{ParentID: root.ID, Spawned: true})
		grand := d.make(supervisor.NewSession{ParentID: child.ID, Spawned: true})
		from := d.prompt(grand.ID, "list"+asks).Cursor.Seq
		d.until(grand.ID, from, protocol.TypeRequestOpened)
		synctest.Wait()
		d.state(root.ID, protocol.StateAwaitingApproval)
		d.says(child.ID, map[string]int{"request_opened": 0})
		if _, err := session.Ask(d.t.Context(), d.find(root.ID), &session.Resolve{RequestID: "r1@" + grand.ID, Outcome: protocol.OutcomeAllowed, By: "client:me"}); err != nil {
			t.Fatal(err)
		}
		d.until(grand.ID, from, protocol.TypeTurnEnd)
		synctest.Wait()
		d.state(root.ID, protocol.StateIdle)
		d.says(root.ID, map[string]int{`"type":"request_resolved","requestId":"r1@` + grand.ID + `","outcome":"allowed"`: 1})
	})
}

// A root that was put away while a session below it asked shows the question once it is there again.
func TestSpawnedAskedWhileItsRootWasAway(t *testing.T) {
	const asks = "\n```script\n" + `[{"say":{"text":"one two three","over":"60s"}},{"tool":{"name":"bash","args":{"command":"ls"},"approve":true,"output":["ok"]}}]` + "\n```"
	spawning(t, func(c *supervisor.Config) { c.PassiveAge = 10 * time.Second }, func(d *daemon, _ *grants) {
		root := d.make(supervisor.NewSession{Cwd: d.root})
		child := d.make(supervisor.NewSession{ParentID: root.ID, Spawned: true})
		grand := d.make(supervisor.NewSession{ParentID: child.ID, Spawned: true})
		d.prompt(grand.ID, "list"+asks)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		d.state(grand.ID, protocol.StateAwaitingApproval)
		if n := d.Health().Live; n != 1 {
			t.Fatalf("%d sessions have an actor", n)
		}
		d.says(root.ID, map[string]int{"request_opened": 0})
		d.find(root.ID)
		synctest.Wait()
		d.state(root.ID, protocol.StateAwaitingApproval)
		d.says(root.ID, map[string]int{`"requestId":"r1@` + grand.ID: 1})
	})
}

// An agent does not get around its policy by another folder: where rules name paths below the session's, what it makes works there.
func TestSpawnedFolders(t *testing.T) {
	spawning(t, nil, func(d *daemon, _ *grants) {
		below := filepath.Join(d.root, "secrets")
		if err := os.Mkdir(below, 0o700); err != nil {
			t.Fatal(err)
		}
		rule := func(tool, pattern string) *protocol.Policy {
			return &protocol.Policy{Mode: protocol.PolicyAllowAll, Rules: []protocol.PolicyRule{{Tool: tool, Pattern: pattern, Action: protocol.PolicyDeny}}}
		}
		for _, c := range []struct {
			policy *protocol.Policy
			want   protocol.Code
		}{
			{nil, ""},
			{&protocol.Policy{Mode: protocol.PolicyAllowAll}, ""},
			{rule("edit", "**"), ""},
			{rule("execute", "rm *"), ""},
			{rule("edit", filepath.Join(below, "**")), ""},
			{rule("edit", "secrets/**"), protocol.CodeForbidden},
			{rule("", "secrets/**"), protocol.CodeForbidden},
		} {
			parent := d.make(supervisor.NewSession{Cwd: d.root, Policy: c.policy})
			d.make(supervisor.NewSession{ParentID: parent.ID, Spawned: true})
			d.make(supervisor.NewSession{ParentID: parent.ID, Spawned: true, Cwd: d.root + "/."})
			d.make(supervisor.NewSession{ParentID: parent.ID, Cwd: below}) // a client's
			if _, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "taker", ParentID: parent.ID, Spawned: true, Cwd: below}); code(err) != c.want {
				t.Errorf("%+v: %v", c.policy, err)
			}
		}
	})
}

// Who asks for an agent's session that another owner's works with is not told which that is.
func TestConflictNamesNoForeignSession(t *testing.T) {
	spawning(t, nil, func(d *daemon, _ *grants) {
		n := supervisor.NewSession{Agent: "plain", Cwd: d.root, NativeSessionID: "abc", Owner: "ann"}
		s := d.make(n)
		for owner, told := range map[string]bool{"ann": true, "": true, "bob": false} {
			n.Owner = owner
			if _, err := d.Create(d.t.Context(), n); code(err) != protocol.CodeConflict || strings.Contains(err.Error(), s.ID) != told {
				t.Errorf("%q: %v", owner, err)
			}
		}
	})
}

// Proves: D1.6/children, T29/depth
func TestSpawnLimits(t *testing.T) {
	spawning(t, func(c *supervisor.Config) { c.SpawnDepth, c.SpawnLimit = 2, 3 }, func(d *daemon, _ *grants) {
		root := d.make(supervisor.NewSession{Cwd: d.root})
		one := d.make(supervisor.NewSession{ParentID: root.ID, Spawned: true})
		two := d.make(supervisor.NewSession{ParentID: one.ID, Spawned: true})
		if _, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "taker", ParentID: two.ID, Spawned: true}); code(err) != protocol.CodeForbidden {
			t.Errorf("three deep: %v", err)
		}
		third := d.make(supervisor.NewSession{ParentID: root.ID, Spawned: true})
		more := supervisor.NewSession{Agent: "taker", ParentID: root.ID, Spawned: true}
		if _, err := d.Create(d.t.Context(), more); code(err) != protocol.CodeOverloaded {
			t.Errorf("one more than the limit: %v", err)
		}
		d.make(supervisor.NewSession{Cwd: d.root, ParentID: root.ID}) // a client's own does not count
		d.end(third.ID)
		d.make(more)
	})
}

// The token is of one start of an agent, and void when nothing is left of it.
// Proves: D4.2.inside/token
func TestGrant(t *testing.T) {
	spawning(t, nil, func(d *daemon, g *grants) {
		d.make(supervisor.NewSession{Agent: "plain", Cwd: d.root})
		s := d.make(supervisor.NewSession{Cwd: d.root, Owner: "ann", MCP: true})
		synctest.Wait()
		want := []string{s.ID + " ann"}
		if !slices.Equal(g.granted, want) || !slices.Equal(g.launched, want) || len(g.revoked) != 0 {
			t.Fatalf("got %+v", g)
		}
		d.until(s.ID, d.prompt(s.ID, "die\n```script\n"+`[{"die":{"code":3}}]`+"\n```").Cursor.Seq, protocol.TypeTurnEnd)
		d.until(s.ID, d.prompt(s.ID, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		synctest.Wait()
		if len(g.granted) != 2 || len(g.launched) != 2 || len(g.revoked) != 1 {
			t.Errorf("after a restart of the agent: %+v", g)
		}
		d.end(s.ID)
		if len(g.revoked) != 2 {
			t.Errorf("after the end: %+v", g)
		}
		if strings.Contains(d.file(s.ID), "ann ") {
			t.Error("the token is in the log")
		}
	})
}

// TestModeIsRefused where an agent has none to choose.
func TestModeIsRefused(t *testing.T) {
	spawning(t, nil, func(d *daemon, _ *grants) {
		if _, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "plain", Cwd: d.root, Mode: "plan"}); code(err) != protocol.CodeNotSupported {
			t.Error(err)
		}
	})
}

func TestMCPIsRefused(t *testing.T) {
	spawning(t, nil, func(d *daemon, _ *grants) {
		if _, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "plain", Cwd: d.root, MCP: true}); code(err) != protocol.CodeNotSupported {
			t.Errorf("an agent that takes none: %v", err)
		}
	})
	spawning(t, func(c *supervisor.Config) { c.Grant = nil }, func(d *daemon, _ *grants) {
		if _, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "taker", Cwd: d.root, MCP: true}); code(err) != protocol.CodeUnavailable {
			t.Errorf("a daemon without a port: %v", err)
		}
	})
}

// TestMCPIsMissing: a session that was made with the server goes on without it where a later daemon listens on no port, and says so.
func TestMCPIsMissing(t *testing.T) {
	spawning(t, nil, func(d *daemon, g *grants) {
		s := d.make(supervisor.NewSession{Cwd: d.root, MCP: true})
		d.until(s.ID, d.prompt(s.ID, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		warnings := func() (n int) {
			for _, e := range d.events(s.ID) {
				if p, ok := e.Payload.(*protocol.EntryEnd); ok {
					if data, ok := p.Data.(*protocol.SystemData); ok && data.Kind == "mcp_unavailable" && data.Level == "warning" {
						n++
					}
				}
			}
			return n
		}
		if n := warnings(); n > 0 {
			t.Errorf("%d warnings, and the server was given", n)
		}
		d.close()
		d.cfg.Grant = nil
		d.start()
		d.until(s.ID, d.prompt(s.ID, "hello again").Cursor.Seq, protocol.TypeTurnEnd)
		if n := warnings(); n != 1 || len(g.granted) != 1 {
			t.Errorf("%d warnings, %d servers given", n, len(g.granted))
		}
	})
}
