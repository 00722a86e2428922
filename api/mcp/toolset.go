package mcp

import "github.com/ringmaster-agents/ringmaster/api/mcp/call"

// toolset is a server that tools are registered with: that of clients, or that of an agent.
type toolset struct {
	*Service
	set call.Set
}

// addClientTools registers what clients get: everything.
func (s toolset) addClientTools() {
	s.addAgentTools()
	s.addSessionWatch()
	s.addCallerToolResponse()
	s.addSession()
}

// addAgentTools registers what agents get as well.
func (s toolset) addAgentTools() {
	s.addSessionMessage()
	s.addSessionJoin()
	s.addSessionSummary()
	s.addSessionEvents()
	s.addSessionText()
	s.addSessionCreate()
	s.addSessionList()
	s.addSessionGet()
	s.addSessionEnd()
	s.addSessionInterrupt()
	s.addSessionChange()
	s.addSessionDelete()
	s.addSessionCleanup()
	s.addSessionAnswer()
	s.addSessionPrompts()
	s.addAgentList()
}
