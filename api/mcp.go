package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/mcp"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// registerMCP serves MCP behind the same guard as everything else. Its requests may live long and are counted by the service.
func (a *API) registerMCP() {
	a.mcp = mcp.New(mcp.Config{
		Backend: mcpBackend{a}, Version: a.cfg.Version, Log: a.log, Audit: a.audit, Heartbeat: a.cfg.Heartbeat, CallTimeout: a.cfg.CallTimeout, Now: a.cfg.Now,
	})
	context.AfterFunc(a.closing, a.mcp.Close)
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		pattern := method + " /mcp"
		a.routes.HandleFunc(pattern, a.mcp.ServeHTTP)
		rt := a.routes.table[pattern]
		rt.stream, rt.need = true, needMCP
		if method == http.MethodPost {
			rt.maxBody, rt.media = mcp.MaxBody, []string{"application/json"}
		}
	}
}

// mcpBackend is the daemon as the MCP tools see it: they reach it as the HTTP handlers do, with the same checks.
type mcpBackend struct{ *API }

func (b mcpBackend) Create(ctx context.Context, n supervisor.NewSession) (session.Summary, error) {
	if err := checkLabels(n.Labels); err != nil {
		return session.Summary{}, err
	}
	return b.sup.Create(ctx, n)
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

func (b mcpBackend) Find(ctx context.Context, id string) (session.Ref, error) {
	return b.sup.Find(ctx, id)
}

func (b mcpBackend) Join(ctx context.Context, id, name string) (*session.Reader, error) {
	return b.join(ctx, id, name)
}

func (b mcpBackend) Prompt(ctx context.Context, id string, p mcp.Prompt) (session.Receipt, error) {
	n := newPrompt{Text: p.Text, StreamingBehavior: p.Behavior, ClientID: p.ClientID}
	for _, i := range p.Images {
		n.Images = append(n.Images, promptImage{MediaType: i.MediaType, Data: i.Data})
	}
	if err := n.check(); err != nil {
		return session.Receipt{}, err
	}
	return b.sendPrompt(ctx, id, &n, p.IdempotencyKey)
}
