// Package server is the connection to an OpenCode server: it starts `opencode serve` or attaches to one that runs, makes HTTP calls, and
// keeps one stream of server-sent events open. What comes and goes are lines (package httpline): calls in; events, answers and
// states of the stream out. What they say is the affair of the translators above.
//
// Start and Attach (connect.go) give a Conn (conn.go), which has a stream (stream.go, sse.go) and a queue of calls (call.go, http.go).
package server
