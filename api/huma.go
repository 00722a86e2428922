package api

import (
	"context"
	"net/http"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// kilobytes of JSON that a route takes unless it says otherwise.
const smallBody = 64 << 10

// setGlobals makes huma ours: it keeps these switches in package variables.
var setGlobals = sync.OnceFunc(func() {
	huma.NewError = newHumaError
	huma.ValidateStrictCasing = true  // "AGENT" is not "agent"
	huma.DefaultArrayNullable = false // answers have [] and never null
})

// apiVersion is that of the description, not of the program.
const apiVersion = "1.0.0"

// DefaultAddress is where a daemon listens that was told nothing else: this machine only. The port belongs to no well-known
// service and lies below the ports that systems give to outgoing connections (32768 and up), so that none of these can hold it.
const DefaultAddress = "127.0.0.1:7433"

const defaultServer = "http://" + DefaultAddress

func newHuma(t *guard.Routes) huma.API {
	setGlobals()
	cfg := huma.DefaultConfig("Ringmaster", apiVersion)
	cfg.Info.Description = "Supervises sessions of coding agents: one numbered, append-only log of events per session, " +
		"read whole, as a patch, or live. The text of the protocol is protocol/spec.md."
	cfg.Info.License = &huma.License{Name: "MIT", URL: "https://opensource.org/license/mit"}
	cfg.Info.Contact = &huma.Contact{Name: "Ringmaster", URL: "https://github.com/ringmaster-agents/ringmaster"}
	cfg.Servers = []*huma.Server{{URL: defaultServer, Description: "This daemon"}} // what is served names its own
	cfg.Tags = []*huma.Tag{
		{Name: "sessions", Description: "The life of a session."},
		{Name: "control", Description: "Prompts, their queue, and the requests of the agent."},
		{Name: "log", Description: "A session's log: whole, as a patch, live, folded."},
		{Name: "daemon", Description: "Agents, tokens, health and metrics."},
		{Name: "mcp", Description: "The same daemon for clients of the Model Context Protocol."},
	}
	cfg.DocsPath, cfg.OpenAPIPath, cfg.SchemasPath = "", "", "" // served by us: its docs load foreign scripts, its cache races
	cfg.CreateHooks = nil                                       // no "$schema" in bodies
	cfg.Formats = map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}
	cfg.NoFormatFallback = false
	cfg.RejectUnknownQueryParameters = true
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "The token in the file \"token\" of the daemon's data folder, or one of createToken."},
	}
	cfg.Security = []map[string][]string{{"bearer": {}}}
	return humago.New(t, cfg)
}

// operation is one row of the API: what huma needs and what the guard needs.
type operation struct {
	id, method, path string
	summary, text    string
	tag              string
	status           int   // of success; 0: 200, or 204 without a body
	errors           []int // besides 401, 403, 422 and 500
	maxBody          int64 // bytes; 0: smallBody where a body is taken
	open             bool
	need             guard.Need // 0: guard.Read or, unless it is a GET, guard.Write
	stream           bool
	socket           bool // over the unix socket alone
	endless          bool // it ends with its client alone
	responses        map[string]*huma.Response
}

// extensions are members of the description that are ours. What no page can carry out is not offered by that of /docs.
func (op *operation) extensions() map[string]any {
	if !op.endless && !op.socket {
		return nil
	}
	return map[string]any{"x-not-in-browser": true}
}

// register puts an operation on the mux, into the description and into the guard's table.
func register[I, O any](a *API, op operation, handler func(context.Context, *I) (*O, error)) {
	body, takesBody := reflect.TypeFor[I]().FieldByName("Body")
	media := []string{"application/json"}
	if takesBody {
		set(&op.maxBody, smallBody)
		if ct := body.Tag.Get("contentType"); ct != "" {
			media = []string{ct, media[0]}
		}
	}
	h := huma.Operation{
		OperationID: op.id, Method: op.method, Path: op.path, Summary: op.summary, Description: op.text,
		Tags: []string{op.tag}, DefaultStatus: op.status, Responses: op.responses,
		Errors:          append([]int{http.StatusForbidden}, op.errors...),
		MaxBodyBytes:    op.maxBody + 1, // huma refuses what reaches the limit
		BodyReadTimeout: -1,             // timedBody does it
		Extensions:      op.extensions(),
	}
	if op.open {
		h.Security = []map[string][]string{{}}
	} else {
		h.Errors = append(h.Errors, http.StatusUnauthorized, http.StatusServiceUnavailable)
	}
	if takesBody {
		h.Errors = append(h.Errors, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	huma.Register(a.huma, h, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			p := a.failure(op.id, err)
			access.NoteProblem(ctx, p.Code)
			return nil, p
		}
		return out, nil
	})
	rt := a.routes.Row(op.method + " " + op.path)
	rt.Name, rt.Open, rt.Stream, rt.Socket, rt.Media, rt.MaxBody = op.id, op.open, op.stream, op.socket, media, op.maxBody
	if op.need != 0 {
		rt.Need = op.need
	}
}
