// Package api is what a client touches over HTTP. It puts together what the packages below it are: the operations, each by its subject, one
// guard in front of every route, and the OpenAPI description of all of it.
//
// The walk of a request: front (request id, recover, access log, per-write deadlines) → guard (route → Host → Origin →
// body → token → scope → limits) → mux (operations are huma's) → handler. The handlers here are those of subjects that are small: sessions, requests,
// settings, agents, tokens, the daemon itself.
//
// The package knows the questions of the supervisor and of the session actors, and no agent.
package api

//go:generate go test -run TestFieldDocs . -update
//go:generate go test -run TestOpenAPIDrift . -update
