//go:build !conformance

package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// What the conformance suite calls is added in builds that are made for it. This is not one.

func (*Service) addFixtures() {}

// fixtureResource says whether a resource that is none of a session can be watched.
func fixtureResource(uri string) error { return sdk.ResourceNotFoundError(uri) }

// fixtureSource gives tasks that are none of a session.
func fixtureSource(string) task.Source { return nil }
