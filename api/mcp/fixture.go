//go:build conformance

package mcp

import (
	"github.com/ringmaster-agents/ringmaster/api/mcp/conformance"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// What the conformance suite calls is in this build.

func (s *Service) addFixtures() { conformance.Add(s.life, s.server, s.start) }

// fixtureResource says whether a resource that is none of a session can be watched.
func fixtureResource(uri string) error { return conformance.Watchable(uri) }

// fixtureSource gives tasks that are none of a session.
func fixtureSource(id string) task.Source { return conformance.Source(id) }
