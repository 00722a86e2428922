// Package guard is the check before every route of the API: it decides about a request by its headers, its connection and its token, without
// reading a body. It knows principals (package access) and the table of routes that is handed in, and nothing of sessions, streams or MCP. A route that
// is not in the table cannot be reached.
package guard
