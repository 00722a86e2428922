// Package mcp serves sessions to MCP clients: tools, pushes and resources, on one URL for clients of both eras. Clients up
// to 2025-11-25 have MCP sessions, a stream of notifications and logging levels; those of 2026-07-28 have none of it.
//
// Handlers speak to actors by messages only, through Backend. What is pushed is pulled: one pump per MCP session and
// agent session reads the log as any reader does, so a client that does not read delays itself alone.
package mcp
