package access

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Supervisor has the calls of *supervisor.Supervisor that the API needs. All methods may be called from any goroutine and block no
// longer than their context allows, except Health and Images, which never block. Errors that a client may see are
// *protocol.Problem; of other errors a client learns only that there was one.
type Supervisor interface {
	Create(ctx context.Context, n supervisor.NewSession) (supervisor.Created, error)
	Claim(ctx context.Context, n supervisor.NewSession, id string) (supervisor.Created, error)
	Find(ctx context.Context, id string) (session.Ref, error)
	FindAgain(ctx context.Context, id string) (session.Ref, error)
	Look(ctx context.Context, id string) (session.Summary, error)
	AtRest(ctx context.Context, id string) (*session.Description, error)
	Spending(ctx context.Context, id string) (supervisor.TreeUse, error)
	Owners(ctx context.Context, owner string) ([]supervisor.Tenancy, error)
	SetOwnerBudget(ctx context.Context, t supervisor.Tenant, anew bool) (supervisor.Tenancy, error)
	CheckFolder(ctx context.Context, id string) error
	List(ctx context.Context, q supervisor.Query) (supervisor.Page, error)
	InCore(ctx context.Context, id string) *bool
	Delete(ctx context.Context, id string) error
	DeleteListed(ctx context.Context, listed *session.Summary) error
	Agents(ctx context.Context) ([]supervisor.AgentInfo, error)
	Roots(ctx context.Context) ([]string, error)
	AddRoot(ctx context.Context, path string) ([]string, error)
	NativeSessions(ctx context.Context, agent, cwd string) ([]supervisor.NativeSession, error)
	AgentNames() []string
	Health() supervisor.Health
	Images(id string) session.Images
	Raw(ctx context.Context, id string) (*supervisor.Raw, error)
	WholeText(ctx context.Context, id string, e supervisor.CutEntry) (string, error)
}

// Tree is a Supervisor with a look into the directory and into the roster, which never blocks and may be a moment behind the supervisor.
type Tree interface {
	Supervisor
	Known(id string) (e directory.Entry, ok bool)
	Roster() *roster.Roster
}

// Gate is a supervisor as the principal of each call's context may use it. A session that is out of reach is answered like one
// that does not exist.
type Gate struct {
	free
	made    *rate
	removed func(session string)
}

// NewGate puts a gate before a supervisor. A principal that is no agent may make makesPerSecond new sessions a second, at least one, after 1000 at once.
func NewGate(s Tree, makesPerSecond int) *Gate {
	return &Gate{free{s}, newRate(makesPerSecond), func(string) {}}
}

// OnRemoved has do called for each session that was removed, before that is answered. It must be said before the gate is used.
func (g *Gate) OnRemoved(do func(session string)) { g.removed = do }

// errNobody is a mistake of the daemon: every request has a complete principal before it comes here.
var errNobody = errors.New("access: nobody asks")

// asks gives the principal of a context. One without the owner or session that its scope needs is refused: its reach would be undefined.
func asks(ctx context.Context) (*Principal, error) {
	p := Of(ctx)
	if p == nil {
		return nil, errNobody
	}
	whole := false
	switch p.Scope {
	case Admin, AdminRead:
		whole = true
	case Owner, OwnerRead:
		whole = p.Owner != ""
	case Agent:
		whole = p.Session != ""
	}
	if !whole {
		return nil, errNobody
	}
	return p, nil
}

// maxAncestors bounds how far up a session's ancestors are looked for.
const maxAncestors = 64

// Create makes a session that is the principal's: its owner's, and for an agent one that works for the agent's own session. An idempotency key
// is the principal's as well.
func (g *Gate) Create(ctx context.Context, n supervisor.NewSession) (supervisor.Created, error) {
	if err := g.makes(ctx, &n); err != nil {
		return supervisor.Created{}, err
	}
	back, err := g.made.take(Of(ctx))
	if err != nil {
		return supervisor.Created{}, err
	}
	made, err := g.inner.Create(ctx, n)
	if err != nil || made.Repeated {
		back()
	}
	if err == nil {
		noteSession(ctx, made.ID)
	}
	return made, err
}

// Claim gives the session that a key of the principal's stands for, or binds the key to a session within reach.
func (g *Gate) Claim(ctx context.Context, n supervisor.NewSession, id string) (supervisor.Created, error) {
	if err := g.makes(ctx, &n); err != nil {
		return supervisor.Created{}, err
	}
	if err := g.reach(ctx, Of(ctx), id); err != nil {
		return supervisor.Created{}, err
	}
	made, err := g.inner.Claim(ctx, n, id)
	if err == nil {
		noteSession(ctx, made.ID)
	}
	return made, err
}

// Find gives the actor of a session. A caller that sends it a change must have asked Principal.Writes before: the gate does not see the message.
func (g *Gate) Find(ctx context.Context, id string) (session.Ref, error) {
	if err := g.enter(ctx, id); err != nil {
		return session.Ref{}, err
	}
	return g.inner.Find(ctx, id)
}

// FindAgain gives the actor of a session, where the actor that Find gave is gone.
func (g *Gate) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	if err := g.enter(ctx, id); err != nil {
		return session.Ref{}, err
	}
	return g.inner.FindAgain(ctx, id)
}

// Look gives the summary of a session.
func (g *Gate) Look(ctx context.Context, id string) (session.Summary, error) {
	if err := g.enter(ctx, id); err != nil {
		return session.Summary{}, err
	}
	return g.inner.Look(ctx, id)
}

// AtRest gives what there is to tell of a session that has no actor, and starts none; nil: it has one, or only one can tell it.
func (g *Gate) AtRest(ctx context.Context, id string) (*session.Description, error) {
	if err := g.enter(ctx, id); err != nil {
		return nil, err
	}
	return g.inner.AtRest(ctx, id)
}

// Spending is what a session and all below it have used together, by now.
func (g *Gate) Spending(ctx context.Context, id string) (supervisor.TreeUse, error) {
	if err := g.enter(ctx, id); err != nil {
		return supervisor.TreeUse{}, err
	}
	return g.inner.Spending(ctx, id)
}

// CheckFolder says whether an agent may still work in a session's folder.
func (g *Gate) CheckFolder(ctx context.Context, id string) error {
	if err := g.enter(ctx, id); err != nil {
		return err
	}
	return g.inner.CheckFolder(ctx, id)
}

// List gives a page of the sessions within reach.
func (g *Gate) List(ctx context.Context, q supervisor.Query) (supervisor.Page, error) {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return supervisor.Page{}, err
	case p.Everything():
	case p.Scope == Agent:
		if q.Under == "" {
			q.Under = p.Session
		}
		if q.Under != p.Session {
			if err := g.reach(ctx, p, q.Under); err != nil {
				return supervisor.Page{}, ignoreNotFound(err)
			}
		}
	case q.Owner != "" && q.Owner != p.Owner:
		return supervisor.Page{}, nil
	default:
		q.Owner = p.Owner
	}
	return g.inner.List(ctx, q)
}

// Agents lists the agents. Every principal may know them.
func (g *Gate) Agents(ctx context.Context) ([]supervisor.AgentInfo, error) {
	if _, err := asks(ctx); err != nil {
		return nil, err
	}
	return g.inner.Agents(ctx)
}

// AddRoot lets sessions work inside one folder more. It needs the scope admin, and the guard admits it over the unix socket alone, so that it
// also needs this machine and the daemon's user.
func (g *Gate) AddRoot(ctx context.Context, path string) ([]string, error) {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return nil, err
	case p.Scope != Admin:
		return nil, refuse(ctx, "This token may not say where sessions work.", "Start the daemon with --root for the folder.")
	}
	return g.inner.AddRoot(ctx, path)
}

// Roots says inside which folders sessions may work. A principal that makes sessions has to know them.
func (g *Gate) Roots(ctx context.Context) ([]string, error) {
	if _, err := asks(ctx); err != nil {
		return nil, err
	}
	return g.inner.Roots(ctx)
}

// NativeSessions lists sessions that agents have of their own. They have no owner here and belong to the daemon's user: only a principal that may read
// everything sees them.
func (g *Gate) NativeSessions(ctx context.Context, agent, cwd string) ([]supervisor.NativeSession, error) {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return nil, err
	case !p.Everything():
		return nil, refuse(ctx, "This token may not read what agents have of their own.", "Use a token of the scope admin or admin:ro.")
	}
	return g.inner.NativeSessions(ctx, agent, cwd)
}

// Images gives the store of a session's images.
func (g *Gate) Images(ctx context.Context, id string) (session.Images, error) {
	if _, err := g.Parent(ctx, id); err != nil {
		return session.Images{}, err
	}
	return g.inner.Images(id), nil
}

// Parent gives the session that a session works for; empty: none. A session that is not there is an error.
func (g *Gate) Parent(ctx context.Context, id string) (string, error) {
	if err := g.enter(ctx, id); err != nil {
		return "", err
	}
	_, parent, err := g.kin(ctx, id)
	return parent, err
}

// Raw gives the archive of a session's native lines.
func (g *Gate) Raw(ctx context.Context, id string) (*supervisor.Raw, error) {
	if err := g.enter(ctx, id); err != nil {
		return nil, err
	}
	return g.inner.Raw(ctx, id)
}

// WholeText gives the text of an entry that the log has cut.
func (g *Gate) WholeText(ctx context.Context, id string, e supervisor.CutEntry) (string, error) {
	if err := g.enter(ctx, id); err != nil {
		return "", err
	}
	return g.inner.WholeText(ctx, id, e)
}

// enter says whether the principal of a context reaches a session, and notes the session for the audit.
func (g *Gate) enter(ctx context.Context, id string) error {
	p, err := asks(ctx)
	if err != nil {
		return err
	}
	noteSession(ctx, id)
	return g.reach(ctx, p, id)
}

// reach answers session_not_found where a session is not within reach. For a principal that reaches all sessions it does not look whether this one
// exists: the supervisor says that.
func (g *Gate) reach(ctx context.Context, p *Principal, id string) error {
	if p.Everything() {
		return nil
	}
	owner, parent, err := g.kin(ctx, id)
	if err != nil {
		return err
	}
	if p.owns(owner) {
		return nil
	}
	if p.Scope == Agent {
		for range maxAncestors {
			switch parent {
			case p.Session:
				return nil
			case "":
				return outOfReach(ctx)
			}
			if _, parent, err = g.kin(ctx, parent); err != nil {
				if isNotFound(err) {
					break // an ancestor was deleted meanwhile, and this session goes with it
				}
				return err
			}
		}
	}
	return outOfReach(ctx)
}

// kin gives the owner and the parent of a session: from the directory, or from the supervisor where the directory does not have it. Neither
// changes in a session's life, so a directory that is behind does no harm.
func (g *Gate) kin(ctx context.Context, id string) (owner, parent string, err error) {
	if e, ok := g.inner.Known(id); ok {
		return e.Owner, e.Parent, nil
	}
	s, err := g.inner.Look(ctx, id)
	return s.Owner, s.ParentSessionID, err
}

// ignoreNotFound is for lists: the list of sessions under one that does not exist is empty.
func ignoreNotFound(err error) error {
	if isNotFound(err) {
		return nil
	}
	return err
}

func isNotFound(err error) bool {
	var p *protocol.Problem
	return errors.As(err, &p) && p.Code == protocol.CodeSessionNotFound
}

func outOfReach(ctx context.Context) error {
	noteRefused(ctx)
	return supervisor.NotFound()
}

func refuse(ctx context.Context, detail, hint string) error {
	noteRefused(ctx)
	return &protocol.Problem{Code: protocol.CodeForbidden, Detail: detail, Hint: hint}
}
