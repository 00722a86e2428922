// Package mcp serves sessions to MCP clients: tools, pushes and resources, on one URL for clients of both eras. Clients up
// to 2025-11-25 have MCP sessions, a stream of notifications and logging levels; those of 2026-07-28 have none of it.
//
// The service composes the packages below it, each of which knows those that stand after it here, and none before:
//
//	tool                      what models and hosts call
//	poll, join                reading events, and waiting for sessions
//	push, task, caller        what is told unasked, tasks, the tools of clients
//	client                    MCP sessions of the old era
//	form, stream, call, feed  forms, streams over HTTP, what a call is, logs
//	output, problem           what is shown, and how errors are worded
//
// Handlers reach sessions through the door alone (api/control). What is pushed is pulled: one pump per MCP session and
// agent session reads the log as any reader does, so a client that does not read delays itself alone.
package mcp
