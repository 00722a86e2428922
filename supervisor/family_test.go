package supervisor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// family runs a test with a daemon whose agent is a hub.
func family(t *testing.T, change func(*supervisor.Config), test func(d *daemon, servers *servers)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		all := &servers{}
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			transport, ok := c.Transport.(scripted.Transport)
			agent, also := c.Agents[0].(scripted.Agent)
			if !ok || !also {
				t.Fatal("not the scripted agent")
			}
			c.Agents = append(c.Agents, hub{agent, transport, all})
			if change != nil {
				change(c)
			}
		})
		test(d, all)
		d.close()
		if n := len(all.running()); n > 0 {
			t.Errorf("%d processes are left", n)
		}
	})
}

// member makes a session of the hub.
func (d *daemon) member() session.Summary {
	d.t.Helper()
	s, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "hub", Cwd: d.root, Owner: "ann"})
	if err != nil {
		d.t.Fatal(err)
	}
	return s.Summary
}

// childOf is the id of a session's sub-agent.
func childOf(parent, native string) string {
	return uuid.NewSHA1(uuid.MustParse(parent), []byte(native)).String()
}

func (d *daemon) look(id string) session.Summary {
	d.t.Helper()
	s, err := d.Look(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func (d *daemon) state(id string, want protocol.State) {
	d.t.Helper()
	if got := d.look(id).Status.State; got != want {
		d.t.Errorf("session %s is %s, want %s:\n%s", id, got, want, tail(d.file(id)))
	}
}

// tail is the end of a log.
func tail(log string) string { return log[max(0, len(log)-3000):] }

// some is at least one.
const some = -1

// says counts texts in a session's log.
func (d *daemon) says(id string, want map[string]int) {
	d.t.Helper()
	log := d.file(id)
	for text, n := range want {
		if got := strings.Count(log, text); got != n && (n != some || got == 0) {
			d.t.Errorf("the log of %s has %q %d times, want %d", id, text, got, n)
		}
	}
}

const slowScript = "\n```script\n" + `[{"say":{"text":"one two three four five six","over":"60s"}}]` + "\n```"

// TestSharedProcess: sessions of one agent share a process, which belongs to none of them, and each has its own log.
func TestSharedProcess(t *testing.T) {
	family(t, nil, func(d *daemon, servers *servers) {
		var ids []string
		for i := range 3 {
			s := d.member()
			ids = append(ids, s.ID)
			d.until(s.ID, d.prompt(s.ID, fmt.Sprintf("number %d", i)).Cursor.Seq, protocol.TypeTurnEnd)
		}
		instance, err := os.ReadFile(filepath.Join(d.cfg.Data, "instance")) // what the next daemon reaps begins with it
		if err != nil {
			d.t.Fatal(err)
		}
		want := strings.TrimSpace(string(instance)) + "/connection/1"
		if n := len(servers.running()); n != 1 || len(servers.markers) != 1 || servers.markers[0] != want {
			d.t.Errorf("%d processes, markers %q, want %q", n, servers.markers, want)
		}
		for i, id := range ids {
			for j := range ids {
				if has := strings.Contains(d.file(id), fmt.Sprintf("number %d", j)); has != (i == j) {
					d.t.Errorf("the log of %d has words of %d: %v", i, j, has)
				}
			}
		}
		for _, id := range ids {
			if _, err := session.Ask(d.t.Context(), d.find(id), &session.End{}); err != nil {
				d.t.Fatal(err)
			}
			d.state(id, protocol.StateTerminated)
		}
		synctest.Wait()
		if n := len(servers.running()); n != 0 {
			d.t.Errorf("%d processes after the last session", n)
		}
	})
}

// TestSharedProcessKilled: the death of a shared process ends the running turns, and all sessions go on with one new
// process, each with its own session of the agent; nothing is lost or doubled.
func TestSharedProcessKilled(t *testing.T) {
	family(t, nil, func(d *daemon, servers *servers) {
		var ids []string
		for range 4 {
			ids = append(ids, d.member().ID)
		}
		for _, id := range ids[:3] { // the fourth one is idle
			d.prompt(id, "slowly"+slowScript)
		}
		time.Sleep(20 * time.Second)
		servers.running()[0].kill()
		for _, id := range ids[:3] {
			d.until(id, 0, protocol.TypeTurnEnd)
		}
		time.Sleep(10 * time.Second) // the backoff
		synctest.Wait()
		if n := len(servers.running()); n != 1 || len(servers.all) != 2 {
			d.t.Errorf("%d processes run, %d were started", n, len(servers.all))
		}
		for i, id := range ids {
			d.state(id, protocol.StateIdle)
			d.until(id, d.prompt(id, "go on").Cursor.Seq, protocol.TypeTurnEnd)
			failed, turns := 1, 2
			if i == 3 {
				failed, turns = 0, 1
			}
			d.says(id, map[string]int{
				`"type":"turn_start"`: turns, `"type":"turn_end"`: turns, `"error":"agent exited: signal killed"`: failed, `"prompt":{"text":"go on"`: 1,
				`"entryType":"user_message","data"`: 2 * turns,
			})
		}
		servers.mu.Lock()
		defer servers.mu.Unlock()
		for _, spec := range servers.specs[4:] {
			if !spec.Resume || spec.NativeSessionID == "" {
				d.t.Errorf("not resumed: %+v", spec)
			}
		}
	})
}

// TestDrainShared: the end of the daemon interrupts the turns of all and leaves no process; the next one goes on with a shared
// one.
func TestDrainShared(t *testing.T) {
	family(t, nil, func(d *daemon, servers *servers) {
		a, b := d.member().ID, d.member().ID
		d.prompt(a, "slowly"+slowScript)
		d.until(b, d.prompt(b, "fast").Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		if n := len(servers.running()); n != 0 {
			d.t.Errorf("%d processes are left", n)
		}
		d.says(a, map[string]int{`"status":"interrupted"`: 1})
		d.start()
		for _, id := range []string{a, b} {
			d.until(id, d.prompt(id, "again").Cursor.Seq, protocol.TypeTurnEnd)
		}
		if n := len(servers.running()); n != 1 {
			d.t.Errorf("%d processes", n)
		}
		servers.mu.Lock()
		defer servers.mu.Unlock()
		for _, spec := range servers.specs[2:] {
			if !spec.Resume || spec.SessionID == b && len(spec.Known) == 0 {
				d.t.Errorf("resumed without knowledge of the log: %+v", spec)
			}
			for _, id := range spec.Known {
				d.says(spec.SessionID, map[string]int{`"persistentId":"` + id + `"`: some})
			}
		}
	})
}

// TestSubAgent: a sub-agent is a session below its parent, with a log of its own, and completed when it is done.
func TestSubAgent(t *testing.T) {
	family(t, func(c *supervisor.Config) { c.MaxSessions = 1 }, func(d *daemon, _ *servers) {
		parent := d.member()
		d.until(parent.ID, d.prompt(parent.ID, "spawn:kid count the leaves").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(5 * time.Second)
		id := childOf(parent.ID, "kid")
		kid := d.look(id)
		if kid.ParentSessionID != parent.ID || !kid.SubAgent || kid.Cwd != parent.Cwd || kid.Agent != "hub" || kid.Owner != "ann" || kid.Title != "the kid" || kid.NativeSessionID != "kid" {
			d.t.Errorf("summary %+v", kid)
		}
		d.state(id, protocol.StateCompleted)
		d.says(id, map[string]int{"count the leaves": some, `"type":"turn_end"`: 1, `"type":"session_end"`: 1})
		d.says(parent.ID, map[string]int{`"childSessionId":"` + id + `"`: 1, `"type":"turn_end"`: 1, `"type":"session_end"`: 0})
		page, err := d.List(d.t.Context(), supervisor.Query{Parent: parent.ID})
		if err != nil || page.Total != 1 || page.Sessions[0].ID != id {
			d.t.Errorf("children %+v, %v", page, err)
		}
		// It comes again: the same session goes on.
		d.until(parent.ID, d.prompt(parent.ID, "spawn:kid count again").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(5 * time.Second)
		d.state(id, protocol.StateCompleted)
		d.says(id, map[string]int{"count again": some, `"type":"turn_end"`: 2, `"type":"session_start"`: 1})
	})
}

// TestSubAgentKnowsTheServer: a sub-agent has the tools of its parent's process, so its translator knows the name of the daemon's
// server, and not its token; so does who reads its archive.
func TestSubAgentKnowsTheServer(t *testing.T) {
	grant := func(string, string) (*adapters.MCPServer, func()) {
		return &adapters.MCPServer{Name: "given", Token: "secret"}, func() {}
	}
	for _, mcp := range []bool{true, false} {
		family(t, func(c *supervisor.Config) { c.Grant = grant }, func(d *daemon, servers *servers) {
			parent, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "hub", Cwd: d.root, MCP: mcp})
			if err != nil {
				d.t.Fatal(err)
			}
			d.until(parent.ID, d.prompt(parent.ID, "spawn:kid count the leaves").Cursor.Seq, protocol.TypeTurnEnd)
			time.Sleep(5 * time.Second)
			servers.mu.Lock()
			specs := slices.Clone(servers.specs)
			servers.mu.Unlock()
			if len(specs) != 2 || !specs[1].Child {
				d.t.Fatalf("translators of %+v", specs)
			}
			for i, token := range []string{"secret", ""} {
				if s := specs[i].MCP; (s != nil) != mcp || mcp && (s.Name != "given" || s.Token != token) {
					d.t.Errorf("MCP server of translator %d: %+v", i, s)
				}
			}
			for _, id := range []string{parent.ID, childOf(parent.ID, "kid")} {
				if told := strings.Contains(string(d.lines(id)[0].Data), `"mcpServer":"given"`); told != mcp {
					d.t.Errorf("the archive begins with %s", d.lines(id)[0].Data)
				}
			}
		})
	}
}

// TestSubAgentAsks: what a sub-agent asks is asked at its root, too; the answer there is the sub-agent's.
func TestSubAgentAsks(t *testing.T) {
	family(t, nil, func(d *daemon, _ *servers) {
		parent := d.member().ID
		d.until(parent, d.prompt(parent, asks).Cursor.Seq, protocol.TypeRequestOpened)
		id := childOf(parent, "kid")
		d.state(id, protocol.StateAwaitingApproval)
		desc, err := ask.Ask(d.t.Context(), d.find(parent), func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
		if err != nil || len(desc.Requests) != 1 || desc.Requests[0].SessionID != id {
			d.t.Fatalf("requests %+v, %v", desc.Requests, err)
		}
		if _, err := session.Ask(d.t.Context(), d.find(parent), &session.Resolve{RequestID: desc.Requests[0].RequestID, Outcome: protocol.OutcomeAllowed, By: "client:test"}); err != nil {
			d.t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		d.state(id, protocol.StateCompleted)
		d.says(id, map[string]int{`"text":"Removed."`: some, `"by":"client:test"`: 1})
		d.says(parent, map[string]int{`"by":"client:test"`: 1})
	})
}

// TestSubAgentGoesWhileItsRootFails: a sub-agent that asks is removed while its root's actor is between two lives: nothing stays open there.
func TestSubAgentGoesWhileItsRootFails(t *testing.T) {
	disk := &faultyDisk{FS: disk.OS()}
	family(t, func(c *supervisor.Config) { c.Files = disk }, func(d *daemon, _ *servers) {
		parent := d.member().ID
		d.until(parent, d.prompt(parent, asks).Cursor.Seq, protocol.TypeRequestOpened)
		time.Sleep(10 * time.Second)
		d.state(parent, protocol.StateAwaitingApproval)
		var once sync.Once
		disk.set(func(string) error {
			once.Do(func() { panic("as asked") })
			return nil
		})
		title := "this fails"
		_, err := session.Ask(d.t.Context(), d.find(parent), &session.Change{Title: &title})
		if code(err) != protocol.CodeUnavailable {
			d.t.Fatalf("the actor lives: %v", err)
		}
		if err := d.Delete(d.t.Context(), childOf(parent, "kid")); err != nil { // without the time that the next actor waits
			d.t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		d.state(parent, protocol.StateIdle)
	})
}

// TestSubAgentEndsWithItsParent: ending a session ends its sub-agents, at work or not, and removing it removes them.
func TestSubAgentEndsWithItsParent(t *testing.T) {
	family(t, nil, func(d *daemon, _ *servers) {
		for _, remove := range []bool{false, true} {
			parent := d.member().ID
			d.prompt(parent, "spawn:kid work"+slowScript)
			time.Sleep(25 * time.Second)
			id := childOf(parent, "kid")
			d.state(id, protocol.StateResponding)
			if remove {
				if err := d.Delete(d.t.Context(), parent); err != nil {
					d.t.Fatal(err)
				}
			} else if _, err := session.Ask(d.t.Context(), d.find(parent), &session.End{}); err != nil {
				d.t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			if remove {
				for _, gone := range []string{parent, id} {
					if _, err := d.Look(d.t.Context(), gone); code(err) != protocol.CodeSessionNotFound {
						d.t.Errorf("%s is there: %v", gone, err)
					}
				}
				continue
			}
			d.state(parent, protocol.StateTerminated)
			d.state(id, protocol.StateTerminated)
			d.says(id, map[string]int{`"type":"turn_end"`: 1, `"type":"session_end"`: 1, "the session that it works for has ended": some})
		}
	})
}

// TestSubAgentLosesItsConnection: its turn is closed, no process is started for it, and it goes on when its parent's agent has
// it again.
func TestSubAgentLosesItsConnection(t *testing.T) {
	family(t, nil, func(d *daemon, servers *servers) {
		parent := d.member().ID
		d.prompt(parent, "spawn:kid work"+slowScript)
		time.Sleep(5 * time.Second)
		id := childOf(parent, "kid")
		servers.running()[0].kill()
		time.Sleep(time.Minute)
		d.state(id, protocol.StateIdle)
		d.state(parent, protocol.StateIdle)
		d.says(id, map[string]int{`"type":"turn_end"`: 1, `"type":"session_end"`: 0})
		if n := len(servers.all); n != 2 {
			d.t.Errorf("%d processes were started, want one more", n)
		}
		d.until(parent, d.prompt(parent, "spawn:kid go on").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(5 * time.Second)
		d.state(id, protocol.StateCompleted)
		d.says(id, map[string]int{`"type":"turn_end"`: 2, `"type":"session_start"`: 1})
		// After a restart of the daemon it is there, passive, and ends with the parent.
		d.close()
		d.start()
		d.state(id, protocol.StateCompleted)
	})
}

// TestOrphan: a sub-agent whose parent was removed while the daemon did not run is ended.
func TestOrphan(t *testing.T) {
	family(t, nil, func(d *daemon, servers *servers) {
		parent := d.member().ID
		d.prompt(parent, "spawn:kid work"+slowScript)
		time.Sleep(5 * time.Second)
		d.close()
		id := childOf(parent, "kid")
		if err := os.RemoveAll(filepath.Join(d.cfg.Data, "sessions", parent)); err != nil {
			d.t.Fatal(err)
		}
		d.start()
		time.Sleep(5 * time.Second)
		d.state(id, protocol.StateTerminated)
		if n := len(servers.running()); n != 0 {
			d.t.Errorf("%d processes", n)
		}
	})
}

// TestSubAgentsAreBounded: one more than the limit has no session; its parent goes on.
func TestSubAgentsAreBounded(t *testing.T) {
	family(t, func(c *supervisor.Config) { c.MaxChildren = 1 }, func(d *daemon, _ *servers) {
		parent := d.member().ID
		d.until(parent, d.prompt(parent, "spawn:kid work"+slowScript).Cursor.Seq, protocol.TypeTurnEnd)
		d.until(parent, d.prompt(parent, "spawn:other work").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(5 * time.Second)
		if _, err := d.Look(d.t.Context(), childOf(parent, "other")); code(err) != protocol.CodeSessionNotFound {
			d.t.Errorf("got %v", err)
		}
		d.until(parent, d.prompt(parent, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(time.Minute)
		d.state(childOf(parent, "kid"), protocol.StateCompleted)
	})
}

// TestIdleSubAgentsAreNotCounted: sub-agents of some agents stay connected when they are done; only those at work are bounded.
func TestIdleSubAgentsAreNotCounted(t *testing.T) {
	family(t, func(c *supervisor.Config) { c.MaxChildren = 1 }, func(d *daemon, _ *servers) {
		parent := d.member().ID
		for _, name := range []string{"stay1", "stay2", "stay3"} {
			d.until(parent, d.prompt(parent, "spawn:"+name+" work").Cursor.Seq, protocol.TypeTurnEnd)
			time.Sleep(5 * time.Second)
			d.state(childOf(parent, name), protocol.StateIdle)
		}
	})
}

// TestSubAgentIsTakenUpAtOnce: a sub-agent ends and begins again before its first connection has been put away.
func TestSubAgentIsTakenUpAtOnce(t *testing.T) {
	family(t, nil, func(d *daemon, _ *servers) {
		parent := d.member().ID
		d.until(parent, d.prompt(parent, "spawn:twice work").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(5 * time.Second)
		kid := childOf(parent, "twice")
		d.state(kid, protocol.StateCompleted)
		d.says(kid, map[string]int{`"type":"turn_end"`: 2, `"type":"session_end"`: 2, "once more": some})
	})
}

// TestBusyFamilyIsNotPutAway: a session is idle and unread, and its sub-agent works: the process stays.
func TestBusyFamilyIsNotPutAway(t *testing.T) {
	family(t, func(c *supervisor.Config) { c.PassiveAge = 10 * time.Second }, func(d *daemon, servers *servers) {
		parent := d.member().ID
		d.until(parent, d.prompt(parent, "spawn:kid work"+slowScript).Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(50 * time.Second)
		d.state(childOf(parent, "kid"), protocol.StateResponding)
		time.Sleep(time.Minute)
		d.state(childOf(parent, "kid"), protocol.StateCompleted)
		if n := len(servers.running()); n != 0 {
			d.t.Errorf("%d processes of an idle family", n)
		}
	})
}

// TestSubAgentsAreNoClientsSessions: they do not count where those are limited.
func TestSubAgentsAreNoClientsSessions(t *testing.T) {
	family(t, func(c *supervisor.Config) { c.MaxSessions = 2 }, func(d *daemon, _ *servers) {
		parent := d.member().ID
		d.prompt(parent, "spawn:kid work"+slowScript)
		time.Sleep(5 * time.Second)
		d.member()
		if _, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "hub", Cwd: d.root}); code(err) != protocol.CodeOverloaded {
			d.t.Errorf("got %v", err)
		}
	})
}
