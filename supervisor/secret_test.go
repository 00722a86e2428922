package supervisor_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// The daemon's tokens are neither in a log nor in an archive, whoever says them: a person, a tool, or an agent in pieces of some characters.
func TestTokensAreInNoLog(t *testing.T) {
	const bits = "Zx-9_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-_"
	first := strings.Repeat("0f1e2d3c4b5a6978", 4)
	var tokens secret.Tokens
	tokens.Know(first)
	spawning(t, func(c *supervisor.Config) { c.Tokens = &tokens }, func(d *daemon, _ *grants) {
		s := d.make(supervisor.NewSession{Cwd: d.root})
		for _, token := range []string{"ringmaster_abcdefghij27_" + bits, first} {
			var pieces []string
			for at := 0; at < len(token); at += 5 {
				pieces = append(pieces, `"`+token[at:min(at+5, len(token))]+`"`) // which nobody takes for a token in the prompt
			}
			script := `[{"tool":{"name":"bash","args":{"command":"cat x"},"output":[` + strings.Join(pieces, ",") + `]}}]`
			d.until(s.ID, d.prompt(s.ID, "take "+token+"\n```script\n"+script+"\n```").Cursor.Seq, protocol.TypeTurnEnd)
		}
		synctest.Wait()
		log := d.file(s.ID)
		if strings.Contains(log, bits) || strings.Contains(log, first) {
			t.Errorf("a token is in the log: %s", log)
		}
		if strings.Count(log, `"output":"ringmaster_abcdefghij27_`) != 1 || strings.Count(log, `"text":"take redacted***`) == 0 {
			t.Errorf("what was taken out is not told: %s", log)
		}
		for _, l := range d.lines(s.ID) {
			if strings.Contains(string(l.Data), bits) || strings.Contains(string(l.Data), first) {
				t.Errorf("a token is in the archive: %s", l.Data)
			}
		}
	})
}

// keeper is an agent with sessions of its own.
type keeper struct {
	taker
	titles []string
}

func (k keeper) NativeSessions(_ context.Context, _ []string, cwd string) (list []adapters.NativeSession, err error) {
	for _, title := range k.titles {
		list = append(list, adapters.NativeSession{ID: "n", Cwd: cwd, Title: title})
	}
	return list, nil
}

// teller is an agent that has to be run for a list of its sessions.
type teller struct{ taker }

func (teller) Name() string { return "teller" }

func (teller) TellSessions(_ context.Context, spec adapters.Spec) ([]adapters.NativeSession, error) {
	return []adapters.NativeSession{{ID: "t", Cwd: spec.Cwd, Title: spec.Program}}, nil
}

// What an agent has of its own says which session works with it, and an agent that has to be run for it is not where nobody asks for it.
func TestNativeSessionsOfAll(t *testing.T) {
	spawning(t, func(c *supervisor.Config) {
		a, ok := c.Agents[0].(taker)
		if !ok {
			t.Fatalf("the test's agent is a %T", c.Agents[0])
		}
		c.Agents = []adapters.Agent{keeper{a, []string{"plain"}}, teller{a}}
	}, func(d *daemon, _ *grants) {
		list := func(agent string) (got []string) {
			all, err := d.NativeSessions(d.t.Context(), agent, d.root)
			if err != nil {
				t.Error(err)
			}
			for _, n := range all {
				got = append(got, n.Agent+" "+n.ID+" "+n.SessionID)
			}
			return got
		}
		const name = "taker"
		if got := list(""); !slices.Equal(got, []string{name + " n "}) {
			t.Errorf("of all: %q", got)
		}
		if got := list("teller"); !slices.Equal(got, []string{"teller t "}) {
			t.Errorf("of the one that is run: %q", got)
		}
		s, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: name, Cwd: d.root, NativeSessionID: "n"})
		if err != nil {
			t.Fatal(err)
		}
		if got := list(""); !slices.Equal(got, []string{name + " n " + s.ID}) {
			t.Errorf("with a session: %q", got)
		}
	})
}

// The title of a session that an agent has of its own may be its first prompt: of that a token is taken out before it is cut.
func TestTokensAreInNoTitle(t *testing.T) {
	const bits = "Zx-9_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-_"
	spawning(t, func(c *supervisor.Config) {
		a, ok := c.Agents[0].(taker)
		if !ok {
			t.Fatalf("the test's agent is a %T", c.Agents[0])
		}
		titles := []string{"plain"}
		for before := range 120 { // wherever the end of the title lies in it
			titles = append(titles, native.Title(strings.Repeat("x", before)+" ringmaster_abcdefghij27_"+bits+" and on"), native.Title(strings.Repeat(" ", 4000+before)+"ringmaster_abcdefghij27_"+bits))
		}
		c.Agents = []adapters.Agent{keeper{a, titles}}
	}, func(d *daemon, _ *grants) {
		list, err := d.NativeSessions(d.t.Context(), "", d.root)
		if err != nil || len(list) < 100 || list[0].Title != "plain" {
			t.Errorf("%+v, %v", list, err)
		}
		for _, n := range list {
			if strings.Contains(n.Title, bits[:4]) || len(n.Title) > 120 {
				t.Errorf("%q", n.Title)
			}
		}
	})
}
