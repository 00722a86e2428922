package api

import (
	"context"
	"net/http"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/document"
	"github.com/ringmaster-agents/ringmaster/api/fold"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/mcp"
	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// serveMCP serves MCP behind the same guard as everything else, until closing is done. Its requests may live long and are counted by the service.
func serveMCP(closing context.Context, t *operation.Table, c mcp.Config) *mcp.Service {
	service := mcp.New(c)
	context.AfterFunc(closing, service.Close)
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		pattern := method + " /mcp"
		t.Routes.HandleFunc(pattern, service.ServeHTTP)
		rt := t.Routes.Row(pattern)
		rt.Stream, rt.Need = true, guard.MCP
		if method == http.MethodPost {
			rt.Keys = guard.KeysRefused // its tools have arguments for theirs
			rt.MaxBody, rt.Media = mcp.MaxBody, []string{"application/json"}
		}
	}
	document.DescribeMCP(t)
	return service
}

const maxPromptText = 1 << 20 // characters, as in resource.NewPrompt

const maxTitle = 500 // characters, as in resource.NewSession and sessionChange

// mcpBackend is the daemon as the MCP tools see it: they reach it as the HTTP handlers do, with the same checks.
type mcpBackend struct {
	sup      *access.Gate
	pins     *access.Retention
	creation *creation
	prompts  *queue.Prompts
	states   *fold.States
	away     peer.Away
}

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
	d, err := b.creation.awaitStart(ctx, made.ID)
	if err == nil {
		err = startFailed(&d, made.Repeated)
	}
	return d, err
}

func (b mcpBackend) EntryText(ctx context.Context, id, entryID string) (string, error) {
	text, sent, err := b.states.TextOf(ctx, id, entryID)
	if err == nil {
		sent() // the tool answers a page of it
	}
	return text, err
}

func (b mcpBackend) State(ctx context.Context, r *session.Reader, at uint64, most mcp.StateBounds) ([]byte, map[string]int, error) {
	return b.states.Bounded(ctx, r, at, fold.Bounds{Text: most.Text, Items: most.Items, Shorten: mcp.CutText})
}

func (b mcpBackend) NativeSessions(ctx context.Context, agent, cwd string) ([]supervisor.NativeSession, error) {
	return b.sup.NativeSessions(ctx, agent, cwd)
}
func (b mcpBackend) Roots(ctx context.Context) ([]string, error) { return b.sup.Roots(ctx) }

func (b mcpBackend) DeleteListed(ctx context.Context, listed *session.Summary) error {
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	if listed.Node != "" { // it has ended, and of what has, nothing changes
		if here, err := b.away.Delete(ctx, listed.ID); !here {
			return err
		}
	}
	return b.sup.DeleteListed(ctx, listed)
}

func (b mcpBackend) Delete(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	if here, err := b.away.Delete(ctx, id); !here {
		return err
	}
	return b.sup.Delete(ctx, id)
}

func (mcpBackend) CheckLabels(labels map[string]string) error { return checkLabels(labels) }

func (mcpBackend) TitleFits(title string) bool { return utf8.RuneCountInString(title) <= maxTitle }

func (b mcpBackend) AtRest(ctx context.Context, id string) (*session.Description, error) {
	return b.sup.AtRest(ctx, id)
}

func (b mcpBackend) Pin(ctx context.Context, id string, pinned bool) error {
	return b.pins.Pin(ctx, id, pinned)
}

func (b mcpBackend) Pinned(id string) bool { return b.pins.Pinned(id) }

func (b mcpBackend) Find(ctx context.Context, id string) (session.Ref, error) {
	return b.sup.Find(ctx, id)
}

func (b mcpBackend) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	return b.sup.FindAgain(ctx, id)
}

func (b mcpBackend) Prompt(ctx context.Context, id string, p tool.Prompt) (session.Receipt, error) {
	n := resource.NewPrompt{Text: p.Text, StreamingBehavior: p.Behavior, ClientID: p.ClientID, Notify: p.Notify}
	for _, i := range p.Images {
		n.Images = append(n.Images, resource.PromptImage{MediaType: i.MediaType, Data: i.Data})
	}
	if err := queue.Check(&n); err != nil {
		return session.Receipt{}, err
	}
	if utf8.RuneCountInString(n.Text) > maxPromptText {
		return session.Receipt{}, protocol.NewProblem(protocol.CodeTooLarge, "The message is longer than what is taken.", "At most 1,048,576 characters.")
	}
	if r, here, err := b.away.Send(ctx, id, &n, p.IdempotencyKey); !here {
		return r, err
	}
	return b.prompts.Send(ctx, id, &n, p.IdempotencyKey)
}
