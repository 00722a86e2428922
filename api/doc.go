// Package api is what a client touches over HTTP: one guard in front of every route, the resources (huma on the standard
// mux), the two streams of a session's log, and the OpenAPI description of all of it.
//
// The walk of a request: answer (request id, recover, access log, per-write deadlines) → guard (route → Host → Origin →
// body → token → scope → limits) → mux → handler. Readers of a log are no actors: a handler's own goroutine holds a
// position in the session's ring and falls back to its journal.
//
// The package knows the questions of the supervisor and of the session actors, and no agent.
package api

//go:generate go test -run TestFieldDocs . -update
//go:generate go test -run TestOpenAPIDrift . -update
