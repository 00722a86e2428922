package access

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// The sessions of the tests, by short names. Ann's agent works in "ann"; it has made "spawn", whose agent has a sub-agent and has made
// another.
const (
	ann      = "00000000-0000-4000-8000-00000000000a"
	sub      = "00000000-0000-4000-8000-0000000000a1"
	spawn    = "00000000-0000-4000-8000-0000000000a2"
	spawnSub = "00000000-0000-4000-8000-0000000000a3"
	deep     = "00000000-0000-4000-8000-0000000000a4"
	ann2     = "00000000-0000-4000-8000-0000000000aa"
	bob      = "00000000-0000-4000-8000-00000000000b"
	bobSub   = "00000000-0000-4000-8000-0000000000b1"
	nobodys  = "00000000-0000-4000-8000-00000000000c"
	missing  = "00000000-0000-4000-8000-00000000000d"
	orphan   = "00000000-0000-4000-8000-00000000000e" // its parent is gone
)

var all = []string{ann, sub, spawn, spawnSub, deep, ann2, bob, bobSub, nobodys, orphan}

// forest stands in for the supervisor: summaries, and what was done.
type forest struct {
	roster   *roster.Roster
	sessions map[string]session.Summary
	done     []string
	made     supervisor.NewSession
	fails    error // of what is made; nil: it is
	query    supervisor.Query
	known    bool // the directory has all of it
	looks    int  // how often the supervisor was asked for a summary
}

func newForest() *forest {
	f := &forest{roster: roster.New(), sessions: map[string]session.Summary{}}
	for _, s := range []session.Summary{
		{ID: ann, Owner: "ann"},
		{ID: sub, Owner: "ann", ParentSessionID: ann, SubAgent: true},
		{ID: spawn, Owner: "ann", ParentSessionID: ann, Spawned: true},
		{ID: spawnSub, Owner: "ann", ParentSessionID: spawn, SubAgent: true},
		{ID: deep, Owner: "ann", ParentSessionID: spawn, Spawned: true},
		{ID: ann2, Owner: "ann"},
		{ID: bob, Owner: "bob"},
		{ID: bobSub, Owner: "bob", ParentSessionID: bob, SubAgent: true},
		{ID: nobodys},
		{ID: orphan, Owner: "ann", ParentSessionID: missing},
	} {
		f.sessions[s.ID] = s
		f.roster.Put(&s, nil, false)
	}
	return f
}

func (f *forest) Roster() *roster.Roster { return f.roster }

func (f *forest) InCore(context.Context, string) *bool { return new(true) }

func (f *forest) look(verb, id string) (session.Summary, error) {
	s, ok := f.sessions[id]
	if !ok {
		return s, supervisor.NotFound()
	}
	f.done = append(f.done, verb+" "+id)
	return s, nil
}

func (f *forest) Create(_ context.Context, n supervisor.NewSession) (supervisor.Created, error) {
	f.made = n
	f.done = append(f.done, "create")
	if f.fails != nil {
		return supervisor.Created{}, f.fails
	}
	return supervisor.Created{Summary: session.Summary{ID: missing}}, nil
}

func (f *forest) Claim(_ context.Context, n supervisor.NewSession, id string) (supervisor.Created, error) {
	f.made = n
	s, err := f.look("claim", id)
	return supervisor.Created{Summary: s}, err
}

func (f *forest) Find(_ context.Context, id string) (session.Ref, error) {
	_, err := f.look("find", id)
	return session.Ref{}, err
}

func (f *forest) AtRest(_ context.Context, id string) (*session.Description, error) {
	_, err := f.look("atrest", id)
	return nil, err
}

func (f *forest) FindAgain(_ context.Context, id string) (session.Ref, error) {
	_, err := f.look("findagain", id)
	return session.Ref{}, err
}

func (f *forest) Known(id string) (e directory.Entry, ok bool) {
	s, ok := f.sessions[id]
	return directory.Entry{Owner: s.Owner, Parent: s.ParentSessionID}, ok && f.known
}

func (f *forest) Look(_ context.Context, id string) (session.Summary, error) {
	f.looks++
	s, ok := f.sessions[id]
	if !ok {
		return s, supervisor.NotFound()
	}
	return s, nil
}

func (f *forest) List(_ context.Context, q supervisor.Query) (supervisor.Page, error) {
	f.query = q
	f.done = append(f.done, "list")
	p := supervisor.Page{Total: 1}
	for id, s := range f.sessions {
		if s.NativeSessionID = "of " + id; s.Owner == q.Owner && (q.Native == "" || q.Native == s.NativeSessionID) {
			p.Sessions = append(p.Sessions, s)
		}
	}
	if q.Native != "" {
		p.Total = len(p.Sessions)
	}
	return p, nil
}

func (f *forest) DeleteListed(_ context.Context, listed *session.Summary) error {
	_, err := f.look("deletelisted", listed.ID)
	return err
}

func (f *forest) Delete(_ context.Context, id string) error {
	_, err := f.look("delete", id)
	return err
}

func (f *forest) Agents(context.Context) ([]supervisor.AgentInfo, error) {
	f.done = append(f.done, "agents")
	return nil, nil
}

func (f *forest) AddRoot(_ context.Context, path string) ([]string, error) {
	f.done = append(f.done, "add "+path)
	return nil, nil
}

func (f *forest) NativeSessions(context.Context, string, string) ([]supervisor.NativeSession, error) {
	f.done = append(f.done, "native sessions")
	return nil, nil
}

func (f *forest) Roots(context.Context) ([]string, error) {
	f.done = append(f.done, "roots")
	return nil, nil
}

func (f *forest) Pin(_ context.Context, id string, _ bool) error {
	_, err := f.look("pin", id)
	return err
}

func (f *forest) Plan(context.Context, *keep.Rule) (retention.Plan, error) {
	f.done = append(f.done, "plan")
	return retention.Plan{}, nil
}

func (f *forest) Collect(context.Context, *keep.Rule) error {
	f.done = append(f.done, "collect")
	return nil
}

func (f *forest) AgentNames() []string { return nil }

func (f *forest) Health() supervisor.Health       { return supervisor.Health{} }
func (f *forest) Images(id string) session.Images { return session.Images{Dir: id} }

func (f *forest) Owners(_ context.Context, owner string) ([]supervisor.Tenancy, error) {
	return []supervisor.Tenancy{{Owner: owner}}, nil
}

func (f *forest) SetOwnerBudget(_ context.Context, t supervisor.Tenant, _ bool) (supervisor.Tenancy, error) {
	return supervisor.Tenancy{Owner: t.Owner}, nil
}

func (f *forest) Spending(_ context.Context, id string) (supervisor.TreeUse, error) {
	_, err := f.look("spending", id)
	return supervisor.TreeUse{}, err
}

func (f *forest) CheckFolder(_ context.Context, id string) error {
	_, err := f.look("folder", id)
	return err
}

func (f *forest) Raw(_ context.Context, id string) (*supervisor.Raw, error) {
	_, err := f.look("raw", id)
	return nil, err
}

func (f *forest) WholeText(_ context.Context, id string, _ supervisor.CutEntry) (string, error) {
	_, err := f.look("text", id)
	return "", err
}

// principals of the tests, and the sessions that each reaches: written down, not computed.
var principals = map[string]struct {
	p       *Principal
	reaches []string
	writes  bool
}{
	"nobody":            {nil, nil, false},
	"no owner":          {&Principal{Scope: Owner}, nil, false},
	"no session":        {&Principal{Scope: Agent, Owner: "ann"}, nil, false},
	"no scope":          {&Principal{Owner: "ann", Session: ann}, nil, false},
	"admin":             {&Principal{ID: "t-admin", Scope: Admin}, all, true},
	"the socket's peer": {Peer, all, true},
	"admin:ro":          {&Principal{Scope: AdminRead}, all, false},
	"ann":               {&Principal{ID: "t-ann", Scope: Owner, Owner: "ann"}, []string{ann, sub, spawn, spawnSub, deep, ann2, orphan}, true},
	"ann:ro":            {&Principal{Scope: OwnerRead, Owner: "ann"}, []string{ann, sub, spawn, spawnSub, deep, ann2, orphan}, false},
	"bob":               {&Principal{Scope: Owner, Owner: "bob"}, []string{bob, bobSub}, true},
	"stranger":          {&Principal{Scope: Owner, Owner: "eve"}, nil, true},
	"ann's agent":       {&Principal{Scope: Agent, Owner: "ann", Session: ann}, []string{sub, spawn, spawnSub, deep}, true},
	"the spawned one":   {&Principal{Scope: Agent, Owner: "ann", Session: spawn}, []string{spawnSub, deep}, true},
	"a leaf's agent":    {&Principal{Scope: Agent, Owner: "ann", Session: deep}, nil, true},
}

// nobody are those of them that no guard lets in.
var nobody = []string{"nobody", "no owner", "no session", "no scope"}

// verbs are the calls about one session; what each asks for besides the session.
var verbs = map[string]struct {
	writes bool
	call   func(ctx context.Context, g *Gate, id string) error
}{
	"find":      {false, func(ctx context.Context, g *Gate, id string) error { _, err := g.Find(ctx, id); return err }},
	"atrest":    {false, func(ctx context.Context, g *Gate, id string) error { _, err := g.AtRest(ctx, id); return err }},
	"findagain": {false, func(ctx context.Context, g *Gate, id string) error { _, err := g.FindAgain(ctx, id); return err }},
	"spending":  {false, func(ctx context.Context, g *Gate, id string) error { _, err := g.Spending(ctx, id); return err }},
	"incore": {false, func(ctx context.Context, g *Gate, id string) error {
		in, err := g.InCore(ctx, id)
		if (in != nil) != (err == nil) {
			return errors.New("what Core has without leave")
		}
		return err
	}},
	"look": {false, func(ctx context.Context, g *Gate, id string) error { _, err := g.Look(ctx, id); return err }},
	"images": {false, func(ctx context.Context, g *Gate, id string) error {
		images, err := g.Images(ctx, id)
		if (images != session.Images{}) != (err == nil) {
			return errors.New("images without leave")
		}
		return err
	}},
	"parent": {false, func(ctx context.Context, g *Gate, id string) error {
		parent, err := g.Parent(ctx, id)
		if parent != "" && err != nil {
			return errors.New("a parent without leave")
		}
		return err
	}},
	"checkfolder": {false, func(ctx context.Context, g *Gate, id string) error { return g.CheckFolder(ctx, id) }},
	"raw":         {false, func(ctx context.Context, g *Gate, id string) error { _, err := g.Raw(ctx, id); return err }},
	"text": {false, func(ctx context.Context, g *Gate, id string) error {
		_, err := g.WholeText(ctx, id, supervisor.CutEntry{})
		return err
	}},
	"claim": {true, func(ctx context.Context, g *Gate, id string) error {
		_, err := g.Claim(ctx, supervisor.NewSession{}, id)
		return err
	}},
	"deletelisted": {true, func(ctx context.Context, g *Gate, id string) error {
		return g.DeleteListed(ctx, &session.Summary{ID: id})
	}},
	"delete": {true, func(ctx context.Context, g *Gate, id string) error { return g.Delete(ctx, id) }},
}

// TestGateMatrix: every principal, every call, every session, from the directory and without it. What is out of reach is answered exactly as
// what is not there.
// Proves: D4.2.scopes, C49, T31, I12/directory
func TestGateMatrix(t *testing.T) {
	t.Run("asked", func(t *testing.T) { gateMatrix(t, false) })
	t.Run("known", func(t *testing.T) { gateMatrix(t, true) })
}

func gateMatrix(t *testing.T, known bool) {
	for who, row := range principals {
		for verb, v := range verbs {
			for _, id := range append(slices.Clone(all), missing, "", "../x") {
				f := newForest()
				f.known = known
				g := NewGate(f, 10)
				err := v.call(With(t.Context(), row.p), g, id)
				want := error(nil)
				switch {
				case slices.Contains(nobody, who):
					want = errNobody
				case v.writes && !row.writes:
					want = readsOnly(t.Context())
				case !slices.Contains(row.reaches, id):
					want = supervisor.NotFound()
				}
				if !reflect.DeepEqual(err, want) {
					t.Errorf("%s: %s %s: %v, want %v", who, verb, id, err, want)
				}
				if _, there := f.sessions[id]; known && there && f.looks > 0 && verb != "look" && id != orphan {
					t.Errorf("%s: %s %s: the supervisor was asked whose it is", who, verb, id)
				}
				if err != nil && len(f.done) > 0 {
					t.Errorf("%s: %s %s came through: %v", who, verb, id, f.done)
				}
			}
		}
	}
}

// TestRosterMatrix: the list shows to each principal exactly the sessions that it reaches.
func TestRosterMatrix(t *testing.T) {
	for who, row := range principals {
		list, err := NewGate(newForest(), 10).Roster(With(t.Context(), row.p))
		if slices.Contains(nobody, who) {
			if !errors.Is(err, errNobody) {
				t.Errorf("%s: %v", who, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		everything, _, _ := list.Since(0)
		for _, s := range everything {
			if list.Within(s) {
				seen = append(seen, s.ID)
			}
		}
		want := slices.DeleteFunc(slices.Clone(row.reaches), func(id string) bool { return !slices.Contains(all, id) })
		slices.Sort(seen)
		slices.Sort(want)
		if !slices.Equal(seen, want) {
			t.Errorf("%s sees %v, reaches %v", who, seen, want)
		}
	}
}

// TestGateIsTheSupervisor: the gate has every method of a supervisor, and the matrix every one that is about a session.
func TestGateIsTheSupervisor(t *testing.T) {
	tested := append(slices.Collect(maps.Keys(verbs)), "create", "list", "agents", "agentnames", "roots", "addroot", "health", "nativesessions", "owners", "setownerbudget")
	for m := range reflect.TypeFor[Supervisor]().Methods() {
		name := strings.ToLower(strings.TrimPrefix(m.Name, "Whole"))
		if _, ok := reflect.TypeFor[*Gate]().MethodByName(m.Name); !ok || !slices.Contains(tested, name) {
			t.Errorf("%s: on the gate %v, or in no test", m.Name, ok)
		}
	}
}

// TestGateLists what is within reach, whatever is asked for.
func TestGateLists(t *testing.T) {
	type query = supervisor.Query
	for _, row := range []struct {
		who     string
		asks    query
		want    query
		nothing bool
	}{
		{who: "admin", asks: query{Agent: "pi"}, want: query{Agent: "pi"}},
		{who: "admin:ro", asks: query{Owner: "bob", Under: bob}, want: query{Owner: "bob", Under: bob}},
		{who: "ann", asks: query{Agent: "pi"}, want: query{Agent: "pi", Owner: "ann"}},
		{who: "ann:ro", asks: query{Under: bob}, want: query{Under: bob, Owner: "ann"}},
		{who: "ann", asks: query{Owner: "ann"}, want: query{Owner: "ann"}},
		{who: "ann", asks: query{Owner: "bob"}, nothing: true},
		{who: "ann's agent", asks: query{Parent: ann}, want: query{Parent: ann, Under: ann}},
		{who: "ann's agent", asks: query{Under: ann}, want: query{Under: ann}},
		{who: "ann's agent", asks: query{Under: spawn}, want: query{Under: spawn}},
		{who: "ann's agent", asks: query{Under: bob}, nothing: true},
		{who: "ann's agent", asks: query{Under: ann2}, nothing: true},
		{who: "ann's agent", asks: query{Under: missing}, nothing: true},
		{who: "the spawned one", asks: query{Under: ann}, nothing: true},
	} {
		f := newForest()
		page, err := NewGate(f, 10).List(With(t.Context(), principals[row.who].p), row.asks)
		if err != nil || page.Total == 0 != row.nothing || !reflect.DeepEqual(f.query, row.want) {
			t.Errorf("%s asks %+v: %v, %d, asked for %+v", row.who, row.asks, err, page.Total, f.query)
		}
	}
	for _, who := range nobody {
		f := newForest()
		if _, err := NewGate(f, 10).List(With(t.Context(), principals[who].p), query{}); !errors.Is(err, errNobody) || len(f.done) > 0 {
			t.Errorf("%s: %v, %v", who, err, f.done)
		}
	}
	f := newForest()
	if _, err := NewGate(f, 10).Roots(t.Context()); !errors.Is(err, errNobody) {
		t.Errorf("roots: %v", err)
	}
	if _, err := NewGate(f, 10).Agents(t.Context()); !errors.Is(err, errNobody) {
		t.Errorf("nobody sees the agents: %v", err)
	}
}

func key(name, by string) supervisor.Key { return supervisor.Key{By: by, Name: name} }

// TestGateMakesSessions that are the principal's.
func TestGateMakesSessions(t *testing.T) {
	type n = supervisor.NewSession
	for _, row := range []struct {
		who  string
		asks n
		want n
		code protocol.Code
	}{
		{who: "admin", asks: n{Agent: "a", ParentID: bob}, want: n{Agent: "a", ParentID: bob}},
		{who: "ann", asks: n{Agent: "a"}, want: n{Agent: "a", Owner: "ann"}},
		{who: "ann", asks: n{Agent: "a", Owner: "bob"}, want: n{Agent: "a", Owner: "ann"}},
		{who: "ann", asks: n{ParentID: spawn}, want: n{ParentID: spawn, Owner: "ann"}},
		{who: "ann", asks: n{ParentID: bob}, code: protocol.CodeSessionNotFound},
		{who: "ann", asks: n{ParentID: missing}, code: protocol.CodeSessionNotFound},
		{who: "ann", asks: n{NativeSessionID: "x"}, code: protocol.CodeForbidden},
		{who: "ann", asks: n{NativeSessionID: "of " + bob}, code: protocol.CodeForbidden},
		{who: "ann", asks: n{NativeSessionID: "of " + ann, MCP: true}, want: n{NativeSessionID: "of " + ann, MCP: true, Owner: "ann"}},
		{who: "ann", asks: n{NativeSessionID: "x", Endpoint: &supervisor.Endpoint{}}, want: n{NativeSessionID: "x", Endpoint: &supervisor.Endpoint{}, Owner: "ann"}},
		{who: "admin", asks: n{NativeSessionID: "x"}, want: n{NativeSessionID: "x"}},
		{who: "admin", asks: n{Key: key("k", "")}, want: n{Key: key("k", "t-admin")}},
		{who: "the socket's peer", asks: n{Key: key("k", "")}, want: n{Key: key("k", "admin")}},
		{who: "ann", asks: n{Key: key("k", "admin")}, want: n{Owner: "ann", Key: key("k", "t-ann")}},
		{who: "ann's agent", asks: n{Key: key("k", "")}, want: n{ParentID: ann, Owner: "ann", Spawned: true, Key: key("k", "agent:"+ann)}},
		{who: "ann's agent", asks: n{Agent: "a"}, want: n{Agent: "a", ParentID: ann, Owner: "ann", Spawned: true}},
		{who: "ann's agent", asks: n{ParentID: ann, MCP: true}, want: n{ParentID: ann, MCP: true, Owner: "ann", Spawned: true}},
		{who: "ann's agent", asks: n{ParentID: spawn}, code: protocol.CodeForbidden},
		{who: "ann's agent", asks: n{ParentID: bob}, code: protocol.CodeForbidden},
		{who: "ann's agent", asks: n{Owner: "bob"}, want: n{ParentID: ann, Owner: "ann", Spawned: true}},
		{who: "ann's agent", asks: n{NativeSessionID: "x"}, code: protocol.CodeForbidden},
		{who: "ann's agent", asks: n{Endpoint: &supervisor.Endpoint{}}, code: protocol.CodeForbidden},
		{who: "ann's agent", asks: n{Policy: &protocol.Policy{}}, code: protocol.CodeForbidden},
		{who: "admin:ro", code: protocol.CodeForbidden},
		{who: "ann:ro", code: protocol.CodeForbidden},
		{who: "no scope"},
		{who: "no owner"},
		{who: "no session"},
		{who: "nobody"},
	} {
		f := newForest()
		_, err := NewGate(f, 10).Create(With(t.Context(), principals[row.who].p), row.asks)
		made := slices.Contains(f.done, "create")
		if code(err) != row.code || made != (err == nil) || made && !reflect.DeepEqual(f.made, row.want) {
			t.Errorf("%s wants %+v: %v, made %+v", row.who, row.asks, err, f.made)
		}
		if !made && row.code == "" && !errors.Is(err, errNobody) {
			t.Errorf("%s wants %+v: %v", row.who, row.asks, err)
		}
	}
}

// TestGateAddsRoots for those alone who may do everything.
func TestGateAddsRoots(t *testing.T) {
	for who, row := range principals {
		f := newForest()
		_, err := NewGate(f, 10).AddRoot(With(t.Context(), row.p), "/src")
		switch may := row.p != nil && row.p.Scope == Admin; {
		case slices.Contains(nobody, who):
			if !errors.Is(err, errNobody) || len(f.done) > 0 {
				t.Errorf("%s: %v, %v", who, err, f.done)
			}
		case may && (err != nil || !slices.Equal(f.done, []string{"add /src"})), !may && (code(err) != protocol.CodeForbidden || len(f.done) > 0):
			t.Errorf("%s: %v, %v", who, err, f.done)
		}
	}
}

// TestAuditLines: a verb that changes something makes one line, done or not; one that reads makes none, unless it was refused.
func TestAuditLines(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	audit := NewAudit(zap.New(core))
	f := newForest()
	g := NewGate(f, 10)
	verb := func(p *Principal, name string, changes bool, do func(ctx context.Context)) string {
		ctx, v := audit.Begin(With(WithRequest(t.Context(), "r1"), p), name, changes)
		do(ctx)
		v.End("")
		lines := logs.TakeAll()
		if len(lines) == 0 {
			return ""
		}
		if len(lines) > 1 || lines[0].LoggerName != "audit" {
			t.Fatalf("%s: %+v", name, lines)
		}
		return fmt.Sprint(lines[0].ContextMap())
	}
	p := &Principal{ID: "p", Scope: Owner, Owner: "ann", Name: "Ann's phone"}
	for _, row := range []struct{ want, got string }{
		{"map[operation:end outcome:ok principal:p request:r1 scope:owner session:" + ann + "]", verb(p, "end", true, func(ctx context.Context) {
			_, _ = g.Find(ctx, ann)
			_, _ = g.Find(ctx, ann2)
		})},
		{"map[operation:end outcome:session_not_found principal:p request:r1 scope:owner session:" + bob + "]", verb(p, "end", true, func(ctx context.Context) {
			_, err := g.Find(ctx, bob)
			NoteProblem(ctx, code(err))
		})},
		{"map[operation:create outcome:ok principal:p request:r1 scope:owner session:" + missing + "]", verb(p, "create", true, func(ctx context.Context) {
			_, _ = g.Create(ctx, supervisor.NewSession{})
		})},
		{"map[operation:end outcome:ok principal:p request:r1 scope:owner]", verb(p, "end", true, func(ctx context.Context) { _, _ = g.Find(ctx, "a text of a user") })},
		{"map[operation:token outcome:ok principal:p request:r1 scope:owner token:t1]", verb(p, "token", true, func(ctx context.Context) { NoteToken(ctx, "t1") })},
		{"", verb(p, "get", false, func(ctx context.Context) { _, _ = g.Look(ctx, ann) })},
		{"", verb(p, "get", false, func(ctx context.Context) { _, _ = g.Look(ctx, missing) })},
		{"map[operation:get outcome:session_not_found principal:p request:r1 scope:owner session:" + bob + "]", verb(p, "get", false, func(ctx context.Context) {
			_, err := g.Look(ctx, bob)
			NoteProblem(ctx, code(err))
		})},
		{
			"map[agent_of:" + ann + " operation:create outcome:forbidden principal:g request:r1 scope:agent]",
			verb(&Principal{ID: "g", Scope: Agent, Session: ann}, "create", true, func(ctx context.Context) {
				_, err := g.Create(ctx, supervisor.NewSession{ParentID: bob})
				NoteProblem(ctx, code(err))
			}),
		},
	} {
		if row.got != row.want {
			t.Errorf("got  %s\nwant %s", row.got, row.want)
		}
	}
	audit.Refused(With(t.Context(), p), "metrics")
	if lines := logs.TakeAll(); len(lines) != 1 || lines[0].ContextMap()["outcome"] != "forbidden" {
		t.Errorf("%+v", lines)
	}
}

// What agents have of their own belongs to no owner: only who may read everything sees it.
func TestNativeSessionsAreForWhoReadsEverything(t *testing.T) {
	for scope, want := range map[Scope]bool{Admin: true, AdminRead: true, Owner: false, OwnerRead: false, Agent: false} {
		f := &forest{}
		_, err := NewGate(f, 10).NativeSessions(With(t.Context(), &Principal{ID: "p", Scope: scope, Owner: "ann", Session: "s"}), "", "/work")
		if (err == nil) != want || (len(f.done) == 1) != want {
			t.Errorf("%s: %v, asked %v", scope, err, f.done)
		}
	}
}
