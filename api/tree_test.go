package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

var _ Supervisor = (*supervisor.Supervisor)(nil)

// tree stands in for the supervisor: real session actors with real cores, rings and journals, under a registry that is a
// map. Agents are functions (behavior), so that a test says what happens and when.
type tree struct {
	t      testing.TB
	dir    string
	roots  []string
	system *actor.ActorSystem
	ring   int    // bytes
	folder error  // what CheckFolder says of every session's
	images string // folder of all prompt images; empty: each session has its own
	once   sync.Once

	beforeDelete func(id string) // of a session that was listed

	syncFirst bool       // events are shown once they are synced
	held      sync.Mutex // who has it holds up every sync

	roster *roster.Roster
	denied error // why no session is found

	collected []*keep.Rule // of mu: what was asked to go

	mu       sync.Mutex
	sessions map[string]*limb
	keys     map[string]supervisor.Created
	order    []string
	agents   map[string]behavior
	offers   map[string]session.Offers
	wanted   supervisor.NewSession // the last one
	health   supervisor.Health
}

// limb is one session of the tree.
type limb struct {
	before  func() // its log is opened the next time; nil: nothing
	tree    *tree
	id      string
	parent  string
	least   uint64        // event that is known to be in the journal
	ref     session.Ref   // zero: passive
	away    chan struct{} // closed when the actor before has ended, so that the log is nobody's; nil: there was none
	summary session.Summary
	head    session.Head
	agent   *fakeAgent
}

// behavior is what an agent does when it is told something; a.say answers.
type behavior func(a *fakeAgent, m session.AdapterMessage)

func newTree(t testing.TB) *tree {
	system := actor.NewActorSystemWithConfig(actor.Configure(actor.WithLoggerFactory(quietEngine)))
	ask.AnswerDeadLetters(system, nil)
	tr := &tree{
		t: t, dir: t.TempDir(), roster: roster.New(), roots: []string{"/work"}, system: system, ring: 1 << 20, sessions: map[string]*limb{}, offers: map[string]session.Offers{},
		keys:   map[string]supervisor.Created{},
		agents: map[string]behavior{"echo": echo, "broken": broken, "asking": asking, "busy": busy, "choosy": choosy, "child": delegated, "mute": func(*fakeAgent, session.AdapterMessage) {}},
		health: supervisor.Health{Ready: true},
	}
	t.Cleanup(tr.stop)
	return tr
}

func (tr *tree) stop() { tr.once.Do(tr.halt) }

func (tr *tree) halt() {
	tr.mu.Lock()
	refs := make([]*actor.PID, 0, len(tr.sessions))
	for _, l := range tr.sessions {
		if l.ref.Valid() {
			refs = append(refs, l.ref.PID())
		}
		if l.agent != nil {
			refs = append(refs, l.agent.pid)
		}
	}
	tr.mu.Unlock()
	for _, pid := range refs {
		_ = tr.system.Root.StopFuture(pid).Wait()
	}
	tr.system.Shutdown()
}

func problemf(code protocol.Code, detail string) error {
	return &protocol.Problem{Code: code, Detail: detail, Hint: "test"}
}

// Create knows keys by their names alone; what they are for, and whose, the supervisor's own tests and the gate's look at.
func (tr *tree) Create(ctx context.Context, n supervisor.NewSession) (supervisor.Created, error) {
	if made, _ := tr.Claim(ctx, n, ""); made.ID != "" {
		return made, nil
	}
	made, err := tr.create(n)
	if err == nil && n.Key.Name != "" {
		tr.mu.Lock()
		tr.keys[n.Key.Name] = supervisor.Created{Summary: made}
		tr.mu.Unlock()
	}
	return supervisor.Created{Summary: made}, err
}

func (tr *tree) Claim(_ context.Context, n supervisor.NewSession, id string) (supervisor.Created, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	k, known := tr.keys[n.Key.Name]
	if known {
		k.Repeated = true
	} else if l := tr.sessions[id]; l != nil {
		k = supervisor.Created{Summary: l.summary, Found: true}
		tr.keys[n.Key.Name] = k
	}
	return k, nil
}

func (tr *tree) create(n supervisor.NewSession) (session.Summary, error) {
	tr.mu.Lock()
	if tr.agents[n.Agent] == nil {
		tr.mu.Unlock()
		return session.Summary{}, problemf(protocol.CodeAgentNotFound, "There is no agent of this name.")
	}
	if p := tr.sessions[n.ParentID]; p != nil {
		n.Owner, n.Cwd = p.summary.Owner, cmp.Or(n.Cwd, p.summary.Cwd)
	}
	if !slices.ContainsFunc(tr.roots, func(root string) bool { return n.Cwd == root || strings.HasPrefix(n.Cwd, root+"/") }) {
		tr.mu.Unlock()
		return session.Summary{}, problemf(protocol.CodeCwdNotAllowed, "Outside.")
	}
	tr.mu.Unlock()
	tr.mu.Lock()
	tr.wanted = n
	tr.mu.Unlock()
	l := tr.spawn(uuid.NewString(), session.Begin{Agent: n.Agent, Start: true, NativeID: n.NativeSessionID, Mode: n.Mode, Metadata: protocol.Metadata{
		Model: n.Model, Cwd: n.Cwd, Title: n.Title, Labels: n.Labels, ParentSessionID: n.ParentID, Policy: n.Policy,
		Owner: n.Owner, Spawned: n.Spawned, MCP: n.MCP, Budget: n.Budget,
	}})
	return tr.Look(context.Background(), l.id)
}

// spawn makes a session and its actor.
func (tr *tree) spawn(id string, begin session.Begin) *limb {
	l := &limb{tree: tr, id: id, parent: begin.Metadata.ParentSessionID, summary: session.Summary{
		ID: id, Agent: begin.Agent, Cwd: begin.Metadata.Cwd, Epoch: 1, Owner: begin.Metadata.Owner, ParentSessionID: begin.Metadata.ParentSessionID,
		MCP: begin.Metadata.MCP, Spawned: begin.Metadata.Spawned, SubAgent: begin.Metadata.SubAgent,
		Title: begin.Metadata.Title, Labels: begin.Metadata.Labels, Status: protocol.Status{State: protocol.StateStarting},
	}}
	j, err := journal.Create(filepath.Join(tr.dir, id), journal.Options{})
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.sessions[id] = l
	tr.order = append(tr.order, id)
	tr.start(l, func(session.Replay) (store.Writer, store.Recovery, error) {
		return j, store.Recovery{}, nil
	}, &begin)
	return l
}

// start runs the actor, with the lock held: whoever looks the session up sees one that runs.
func (tr *tree) start(l *limb, open func(session.Replay) (store.Writer, store.Recovery, error), first session.Input) {
	pid := tr.system.Root.Spawn(session.Props(session.Config{
		ID: l.id, Host: tr, Open: open, First: func(store.Recovery) session.Input { return first },
		Limits: session.Limits{
			Queue: 4, Restarts: 0, Remembered: 100, Resumable: true, Restartable: true,
			Capabilities: adapters.Capabilities{Images: l.summary.Agent != "mute", Models: l.summary.Agent == "choosy", Modes: l.summary.Agent == "choosy"},
		},
		RingBytes: tr.ring, SyncFirst: tr.syncFirst, Now: time.Now, Log: zap.NewNop(), Head: &l.head,
	}))
	l.ref = ask.NewRef[session.Message](tr.system.Root, pid)
	tr.list(l, true)
}

// list puts a session as it is now into the roster.
func (tr *tree) list(l *limb, live bool) {
	sum := l.summary
	tr.roster.Put(&sum, &l.head, live)
}

// Roster is written as the supervisor does it.
func (tr *tree) Roster() *roster.Roster { return tr.roster }

func (tr *tree) Find(_ context.Context, id string) (session.Ref, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	l := tr.sessions[id]
	switch {
	case tr.denied != nil:
		return session.Ref{}, tr.denied
	case l == nil:
		return session.Ref{}, supervisor.NotFound()
	}
	if !l.ref.Valid() {
		before, away := l.before, l.away
		l.before = nil
		tr.start(l, func(r session.Replay) (store.Writer, store.Recovery, error) {
			if away != nil {
				<-away
			}
			if before != nil {
				before()
			}
			return journal.Open(filepath.Join(tr.dir, id), journal.Options{Least: l.least}, r.Visit)
		}, nil)
	}
	return l.ref, nil
}

// deny has no session be found, whatever its id; nil: they are found again.
func (tr *tree) deny(err error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.denied = err
}

// isUp says that a session has an actor.
func (tr *tree) isUp(id string) bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.sessions[id].ref.Valid()
}

// AtRest: all sessions of a tree have actors.
func (tr *tree) AtRest(context.Context, string) (*session.Description, error) { return nil, nil }

func (tr *tree) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	return tr.Find(ctx, id)
}

// Known has nothing: the gate asks.
func (tr *tree) Known(id string) (directory.Entry, bool) { // of what it knows, the tests want the pin
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if l := tr.sessions[id]; l != nil && l.summary.Pinned {
		return directory.Entry{Owner: l.summary.Owner, Parent: l.parent, Pinned: true}, true
	}
	return directory.Entry{}, false
}

func (tr *tree) Pin(_ context.Context, id string, pinned bool) error {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	l := tr.sessions[id]
	if l == nil {
		return supervisor.NotFound()
	}
	l.summary.Pinned = pinned
	return nil
}

func (tr *tree) Plan(_ context.Context, rule *keep.Rule) (p retention.Plan, err error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	p.Kept = map[string]int{}
	if rule != nil {
		p.Rule = *rule
	}
	for i, id := range tr.order {
		p.Bytes += 1000
		if tr.sessions[id].summary.Pinned {
			p.Kept["pinned"]++
			continue
		}
		p.Going = append(p.Going, keep.Going{ID: id, Why: keep.WhyAge, Archive: i == 0, Bytes: 100})
	}
	return p, nil
}

func (tr *tree) Collect(_ context.Context, rule *keep.Rule) error {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.collected = append(tr.collected, rule)
	return nil
}

// passivate puts a session's actor away, as the supervisor does with idle ones.
func (tr *tree) passivate(id string) {
	tr.mu.Lock()
	l := tr.sessions[id]
	pid, away := l.ref.PID(), make(chan struct{})
	l.ref, l.away = session.Ref{}, away
	tr.list(l, false)
	tr.mu.Unlock()
	if err := tr.system.Root.StopFuture(pid).Wait(); err != nil {
		tr.t.Error(err)
	}
	close(away)
}

// rewrite puts a session's actor away, and another log in the place of its own.
func (tr *tree) rewrite(id string, log store.Batch) {
	tr.passivate(id)
	dir := filepath.Join(tr.dir, id)
	if err := os.RemoveAll(dir); err != nil {
		tr.t.Fatal(err)
	}
	j, err := journal.Create(dir, journal.Options{})
	if err == nil {
		err = errors.Join(j.Append(log), j.Close())
	}
	if err != nil {
		tr.t.Fatal(err)
	}
}

// lose puts a session's actor away, and has the log go on in another epoch before the next one opens it.
func (tr *tree) lose(id string, epoch uint64, lines []byte) {
	tr.mu.Lock()
	tr.sessions[id].before = func() {
		j, rec, err := journal.Open(filepath.Join(tr.dir, id), journal.Options{}, nil)
		if err == nil {
			err = j.NewEpoch(epoch)
		}
		if err == nil {
			err = errors.Join(j.Append(store.Batch{First: rec.Newest + 1, Count: bytes.Count(lines, []byte{'\n'}), Lines: lines}), j.Close())
		}
		if err != nil {
			tr.t.Error(err)
		}
	}
	tr.mu.Unlock()
	tr.passivate(id)
}

func (tr *tree) CheckFolder(context.Context, string) error { return tr.folder }

func (tr *tree) Spending(context.Context, string) (supervisor.TreeUse, error) {
	return supervisor.TreeUse{}, nil
}

func (tr *tree) Owners(_ context.Context, owner string) ([]supervisor.Tenancy, error) {
	if owner == "" {
		return nil, nil
	}
	return []supervisor.Tenancy{{Owner: owner}}, nil
}

func (tr *tree) SetOwnerBudget(_ context.Context, t supervisor.Tenant, _ bool) (supervisor.Tenancy, error) {
	return supervisor.Tenancy{Owner: t.Owner, Rule: &t}, nil
}

func (tr *tree) Look(_ context.Context, id string) (session.Summary, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if l := tr.sessions[id]; l != nil {
		return l.summary, nil
	}
	return session.Summary{}, supervisor.NotFound()
}

func (tr *tree) List(_ context.Context, q supervisor.Query) (supervisor.Page, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var page supervisor.Page
	for i := len(tr.order) - 1; i >= 0; i-- {
		s := tr.sessions[tr.order[i]].summary
		if q.Agent != "" && s.Agent != q.Agent || q.Cwd != "" && s.Cwd != q.Cwd ||
			q.Parent != "" && s.ParentSessionID != q.Parent || q.Owner != "" && s.Owner != q.Owner || q.Under != "" && !tr.under(s, q.Under) ||
			len(q.States) > 0 && !slices.Contains(q.States, s.Status.State) ||
			q.Active != nil && *q.Active == s.Status.State.Ended() || !strings.Contains(s.Title+s.Cwd+s.ID, q.Text) {
			continue
		}
		matches := true
		for k, v := range q.Labels {
			matches = matches && s.Labels[k] == v
		}
		if !matches {
			continue
		}
		page.Total++
		if q.After != "" {
			if s.ID == q.After {
				q.After = ""
			}
			continue
		}
		if len(page.Sessions) < q.Limit {
			page.Sessions = append(page.Sessions, s)
			page.Next = s.ID
		}
	}
	if len(page.Sessions) < q.Limit {
		page.Next = ""
	}
	return page, nil
}

// under says that a session works for another, directly or at any depth. With the lock held.
func (tr *tree) under(s session.Summary, id string) bool {
	for s.ParentSessionID != "" && s.ParentSessionID != id {
		l := tr.sessions[s.ParentSessionID]
		if l == nil {
			return false
		}
		s = l.summary
	}
	return s.ParentSessionID != ""
}

func (tr *tree) DeleteListed(ctx context.Context, listed *session.Summary) error {
	if tr.beforeDelete != nil {
		tr.beforeDelete(listed.ID)
	}
	now, err := tr.Look(ctx, listed.ID)
	switch {
	case err != nil:
		return err
	case now.Seq != listed.Seq || !now.Status.State.Ended():
		return problemf(protocol.CodeConflict, "Changed.")
	}
	return tr.Delete(ctx, listed.ID)
}

func (tr *tree) Delete(_ context.Context, id string) error {
	tr.mu.Lock()
	l := tr.sessions[id]
	if l == nil {
		tr.mu.Unlock()
		return supervisor.NotFound()
	}
	delete(tr.sessions, id)
	tr.order = slices.DeleteFunc(tr.order, func(o string) bool { return o == id })
	ref := l.ref
	tr.roster.Remove(id)
	tr.mu.Unlock()
	if ref.Valid() {
		_ = tr.system.Root.StopFuture(ref.PID()).Wait()
	}
	return os.RemoveAll(filepath.Join(tr.dir, id))
}

func (tr *tree) Roots(context.Context) ([]string, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.roots, nil
}

func (tr *tree) AddRoot(_ context.Context, path string) ([]string, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.roots = append(slices.Clone(tr.roots), path)
	return tr.roots, nil
}

func (tr *tree) NativeSessions(_ context.Context, agent, cwd string) ([]supervisor.NativeSession, error) {
	return []supervisor.NativeSession{{Agent: cmp.Or(agent, "pi"), NativeSession: adapters.NativeSession{ID: "n-1", Cwd: cwd, Title: "an old one"}}}, nil
}

func (tr *tree) AgentNames() []string { return slices.Sorted(maps.Keys(tr.agents)) }

func (tr *tree) Agents(context.Context) ([]supervisor.AgentInfo, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return []supervisor.AgentInfo{
		{
			Name: "echo", Installation: adapters.Installation{Program: "/bin/echo", Version: "1.0", Tested: true},
			Capabilities: adapters.Capabilities{Steer: true, Approvals: []string{protocol.AllowOnce}}, Checked: time.UnixMilli(1),
			Offers: tr.offers["echo"],
		},
		{Name: "pi", Installation: adapters.Installation{Problem: "pi was not found", Hint: "npm install"}},
	}, nil
}

func (tr *tree) InCore(context.Context, string) *bool { return nil }

func (tr *tree) Health() supervisor.Health {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.health
}

func (tr *tree) Images(id string) session.Images {
	if tr.images != "" {
		return session.Images{Dir: tr.images}
	}
	return session.Images{Dir: filepath.Join(tr.dir, id, "images")}
}

// The host's side.

func (tr *tree) Offers(id string, o session.Offers) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if l := tr.sessions[id]; l != nil {
		tr.offers[l.summary.Agent] = o
	}
}

func (tr *tree) Announce(s session.Summary) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if l := tr.sessions[s.ID]; l != nil {
		l.summary = s
		tr.list(l, l.ref.Valid())
	}
}

func (tr *tree) Sync(_ string, j store.Writer, seq uint64, to session.Ref) {
	go func() { // ends with the sync
		tr.held.Lock()
		defer tr.held.Unlock()
		to.Send(&session.Synced{Seq: seq, Err: j.Sync()})
	}()
}

func (tr *tree) Checkpoint(string, store.Place, []byte) {}
func (tr *tree) Trim(string, session.Trim)              {}
func (tr *tree) Trimmed(string, uint64, int64, error)   {}

func (tr *tree) Reopen(id string, newest uint64) {
	tr.mu.Lock()
	tr.sessions[id].least = newest
	tr.mu.Unlock()
	go tr.passivate(id) // ends with its actor
}

func (tr *tree) Shown(string, store.Log, uint64, bool)                  {}
func (tr *tree) Appended(string, store.Writer, session.Ref, int, error) {}
func (tr *tree) CancelStart(string, uint32)                             {}
func (tr *tree) HastenStart(string)                                     {}

func (tr *tree) StartAgent(id string, e session.StartAgent) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	l := tr.sessions[id]
	if l == nil {
		return
	}
	a := &fakeAgent{tree: tr, incarnation: e.Incarnation, session: l.ref}
	do := tr.agents[l.summary.Agent]
	a.pid = tr.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case session.AdapterMessage:
			do(a, m)
		case heard:
			close(m)
		}
	}, actor.WithMailbox(mailbox.New)))
	l.agent = a
	l.ref.Send(session.Say(&session.AgentStarted{Incarnation: a.incarnation, Adapter: ask.NewRef[session.AdapterMessage](tr.system.Root, a.pid)}))
	do(a, started{})
}

// fakeAgent is one connection to an agent.
type fakeAgent struct {
	tree        *tree
	incarnation uint32
	pid         *actor.PID

	mu      sync.Mutex
	session session.Ref
	batch   uint64
	keys    adapters.EntryKey
}

// started is what a behavior hears first.
type started struct{ session.AdapterMessage }

// say sends a batch.
func (a *fakeAgent) say(drafts ...adapters.Draft) { a.send(nil, drafts) }

func (a *fakeAgent) exit(e adapters.Exit) { a.send(&e, nil) }

func (a *fakeAgent) send(exit *adapters.Exit, drafts []adapters.Draft) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.batch++
	a.session.Send(session.Say(&session.Batch{Incarnation: a.incarnation, Number: a.batch, Drafts: drafts, Exit: exit}))
}

func (a *fakeAgent) key() adapters.EntryKey {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keys++
	return a.keys
}

// message is a whole assistant message in n deltas.
func (a *fakeAgent) message(text string, n int) []adapters.Draft {
	k := a.key()
	list := []adapters.Draft{adapters.EntryOpened{Key: k, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}, Round: 1}}
	var all strings.Builder
	for i := range n {
		part := fmt.Sprintf("%s %d. ", text, i)
		all.WriteString(part)
		list = append(list, adapters.EntryChanged{Key: k, Delta: &protocol.TextAppend{Text: part}})
	}
	return append(list, adapters.EntryClosed{Key: k, Data: &protocol.MessageData{Role: "assistant", Text: all.String()}})
}

func stopped(a *fakeAgent, m session.AdapterMessage) bool {
	if _, ok := m.(*session.StopAgent); ok {
		a.exit(adapters.Exit{Requested: true})
		return true
	}
	return false
}

// echo answers a prompt with its text.
func echo(a *fakeAgent, m session.AdapterMessage) {
	switch m := m.(type) {
	case started:
		a.say(adapters.Ready{NativeSessionID: "n1", Version: "1.0", Model: "m"})
	case *session.Tell:
		if p, ok := m.Command.(adapters.Prompt); ok {
			a.say(append(append([]adapters.Draft{adapters.PromptAnswered{ID: p.ID}, adapters.TurnBegan{}}, a.message(p.Text, 3)...),
				adapters.TurnEnded{Status: protocol.TurnCompleted})...)
		}
	default:
		stopped(a, m)
	}
}

// broken exits at once.
func broken(a *fakeAgent, m session.AdapterMessage) {
	if _, ok := m.(started); ok {
		a.exit(adapters.Exit{Code: 3, Stderr: []string{"no api key"}})
	}
}

// busy begins a turn and stays in it until it is interrupted.
func busy(a *fakeAgent, m session.AdapterMessage) {
	switch m := m.(type) {
	case started:
		a.say(adapters.Ready{})
	case *session.Tell:
		switch c := m.Command.(type) {
		case adapters.Prompt:
			a.say(adapters.PromptAnswered{ID: c.ID}, adapters.TurnBegan{})
		case adapters.Interrupt:
			a.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}
	default:
		stopped(a, m)
	}
}

// asking wants an approval in every turn and ends it with the answer.
func asking(a *fakeAgent, m session.AdapterMessage) {
	switch m := m.(type) {
	case started:
		a.say(adapters.Ready{})
	case *session.Tell:
		switch c := m.Command.(type) {
		case adapters.Prompt:
			a.say(adapters.PromptAnswered{ID: c.ID}, adapters.TurnBegan{}, adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{
				Kind: protocol.RequestApproval, ToolName: "bash", ToolKind: protocol.ToolExecute, Subject: c.Text, Title: "May I?", Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.DenyContinue}},
			}})
		case adapters.Answer:
			a.say(append(a.message("answered", 1), adapters.TurnEnded{Status: protocol.TurnCompleted})...)
		}
	default:
		stopped(a, m)
	}
}

// agent is the running agent of a session.
func (tr *tree) agent(id string) *fakeAgent {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.sessions[id].agent
}

// door is one beside that of the API, to the same sessions.
func (h *harness) door() *control.Door { return control.New(access.NewGate(h.tree, 1), nil) }

// agent is that of a session that was sent a prompt, once it has heard of it: what a test lets it say comes behind its own words.
func (h *harness) agent(id string) *fakeAgent {
	h.t.Helper()
	h.until(id, func(e *protocol.Event) bool { return e.Payload.Type() == protocol.TypeTurnStart })
	if _, err := h.door().Describe(access.With(h.t.Context(), access.Root), id); err != nil { // the session has told its agent
		h.t.Fatal(err)
	}
	a, idle := h.tree.agent(id), make(heard)
	h.tree.system.Root.Send(a.pid, idle)
	select {
	case <-idle:
	case <-h.t.Context().Done():
		h.t.Fatal("the agent hears nothing")
	}
	return a
}

// heard is closed by an agent when it comes to it.
type heard chan struct{}
