package api

import (
	"bytes"
	"context"
	"net/http"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/mcp"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// registerMCP serves MCP behind the same guard as everything else. Its requests may live long and are counted by the service.
func (a *API) registerMCP() {
	a.mcp = mcp.New(mcp.Config{
		Backend: mcpBackend{a}, Agents: a.sup.AgentNames(), Compat: a.cfg.MCPCompat,
		Version: a.cfg.Version, Log: a.log, Audit: a.audit, Heartbeat: a.cfg.Heartbeat, CallTimeout: a.cfg.CallTimeout, Now: a.cfg.Now,
	})
	context.AfterFunc(a.closing, a.mcp.Close)
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		pattern := method + " /mcp"
		a.routes.HandleFunc(pattern, a.mcp.ServeHTTP)
		rt := a.routes.Row(pattern)
		rt.Stream, rt.Need = true, guard.MCP
		if method == http.MethodPost {
			rt.MaxBody, rt.Media = mcp.MaxBody, []string{"application/json"}
		}
	}
	a.describeMCP()
}

const maxPromptText = 1 << 20 // characters, as in newPrompt

const maxTitle = 500 // characters, as in newSession and sessionChange

// mcpBackend is the daemon as the MCP tools see it: they reach it as the HTTP handlers do, with the same checks.
type mcpBackend struct{ *API }

func (b mcpBackend) Create(ctx context.Context, n supervisor.NewSession) (supervisor.Created, error) {
	if err := checkLabels(n.Labels); err != nil {
		return supervisor.Created{}, err
	}
	if !b.TitleFits(n.Title) {
		return supervisor.Created{}, protocol.NewProblem(protocol.CodeInvalidRequest, "The title is too long.", "At most 500 characters.")
	}
	return b.sup.Create(ctx, n)
}

func (b mcpBackend) Claim(ctx context.Context, n supervisor.NewSession, id string) (supervisor.Created, error) {
	return b.sup.Claim(ctx, n, id)
}

func (b mcpBackend) List(ctx context.Context, q supervisor.Query) (supervisor.Page, error) {
	return b.sup.List(ctx, q)
}

func (b mcpBackend) Look(ctx context.Context, id string) (session.Summary, error) {
	return b.sup.Look(ctx, id)
}

func (b mcpBackend) Agents(ctx context.Context) ([]supervisor.AgentInfo, error) {
	return b.sup.Agents(ctx)
}

func (b mcpBackend) Started(ctx context.Context, made *supervisor.Created) (session.Description, error) {
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	d, err := b.awaitStart(ctx, made.ID)
	if err == nil {
		err = startFailed(&d, made.Repeated)
	}
	return d, err
}

func (b mcpBackend) EntryText(ctx context.Context, id, entryID string) (string, error) {
	text, room, err := b.textOf(ctx, id, entryID)
	if err == nil {
		room.end() // the tool answers a page of it
	}
	return text, err
}

func (b mcpBackend) State(ctx context.Context, r *session.Reader, at uint64, most mcp.StateBounds) ([]byte, map[string]int, error) {
	if at == 0 {
		var none protocol.SessionState
		return none.AppendJSON(nil), nil, nil
	}
	oldest, _ := r.Log.Bounds()
	state, err := b.fold(ctx, r, oldest-1, at)
	if err != nil {
		return nil, nil, err
	}
	defer state.close()
	var left map[string]int
	if !state.whole() {
		left = state.bound(most)
	}
	var body bytes.Buffer
	if err := state.send(&body); err != nil {
		return nil, nil, err
	}
	if !state.cut {
		left = nil
	}
	return body.Bytes(), left, nil
}

func (b mcpBackend) NativeSessions(ctx context.Context, agent, cwd string) ([]supervisor.NativeSession, error) {
	return b.sup.NativeSessions(ctx, agent, cwd)
}
func (b mcpBackend) Roots(ctx context.Context) ([]string, error) { return b.sup.Roots(ctx) }

func (b mcpBackend) DeleteListed(ctx context.Context, listed *session.Summary) error {
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	return b.sup.DeleteListed(ctx, listed)
}

func (b mcpBackend) Delete(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	return b.sup.Delete(ctx, id)
}

func (mcpBackend) CheckLabels(labels map[string]string) error { return checkLabels(labels) }

func (mcpBackend) TitleFits(title string) bool { return utf8.RuneCountInString(title) <= maxTitle }

func (b mcpBackend) Find(ctx context.Context, id string) (session.Ref, error) {
	return b.sup.Find(ctx, id)
}

func (b mcpBackend) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	return b.sup.FindAgain(ctx, id)
}

func (b mcpBackend) Prompt(ctx context.Context, id string, p mcp.Prompt) (session.Receipt, error) {
	n := newPrompt{Text: p.Text, StreamingBehavior: p.Behavior, ClientID: p.ClientID, Notify: p.Notify}
	for _, i := range p.Images {
		n.Images = append(n.Images, promptImage{MediaType: i.MediaType, Data: i.Data})
	}
	if err := n.check(); err != nil {
		return session.Receipt{}, err
	}
	if utf8.RuneCountInString(n.Text) > maxPromptText {
		return session.Receipt{}, protocol.NewProblem(protocol.CodeTooLarge, "The message is longer than what is taken.", "At most 1,048,576 characters.")
	}
	return b.sendPrompt(ctx, id, &n, p.IdempotencyKey)
}
