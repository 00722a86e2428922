// Package protocol is Ringmaster's wire contract: the events of a session's log, their exact JSON codec, NDJSON and SSE
// framing, cursors, the fold that turns a log into a State, and the views that older clients read (the six-field items
// of MCP clients, the chunks of terminals).
//
// It depends on the standard library only, so that a client written in Go can import it without the daemon. The text
// for client authors in every language is spec.md beside this file; "spec §n" in a comment points into it.
package protocol
