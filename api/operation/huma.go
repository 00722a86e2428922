package operation

import (
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// setGlobals makes huma ours: it keeps these switches in package variables.
var setGlobals = sync.OnceFunc(func() {
	huma.NewError = newHumaError
	huma.ValidateStrictCasing = true  // "AGENT" is not "agent"
	huma.DefaultArrayNullable = false // answers have [] and never null
})

// apiVersion is that of the description, not of the program.
const apiVersion = "1.0.0"

// newHuma makes the framework of a daemon that clients reach at a server's address.
func newHuma(t *guard.Routes, server string) huma.API {
	setGlobals()
	cfg := huma.DefaultConfig("Ringmaster", apiVersion)
	cfg.Info.Description = "Supervises sessions of coding agents: one numbered, append-only log of events per session, " +
		"read whole, as a patch, or live. The text of the protocol is protocol/spec.md."
	cfg.Info.License = &huma.License{Name: "MIT", URL: "https://opensource.org/license/mit"}
	cfg.Info.Contact = &huma.Contact{Name: "Ringmaster", URL: "https://github.com/ringmaster-agents/ringmaster"}
	cfg.Servers = []*huma.Server{{URL: server, Description: "This daemon"}} // what is served names its own
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
