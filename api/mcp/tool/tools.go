// Package tool has the tools that models and hosts call: typed input, a verb of api/control, typed result.
package tool

import (
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/caller"
	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/poll"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/push"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// Config is what the tools need of the service that they belong to.
type Config struct {
	Backend Backend
	Door    *control.Door
	Waits   *join.Waits
	Polls   *poll.Polls
	Callers *caller.Callers
	Pushes  *push.Pushes
	Tell    *problem.Teller
	Tasks   *task.Tasks
	Compat  bool // the tool session is there for every client
	Now     func() time.Time
}

// Tools are those of the daemon, by subject.
type Tools struct {
	agents   agents
	sessions sessions
	messages messages
	queue    queue
	requests requests
	logs     logs
	watching watching
	compat   compat
}

// New makes the tools, of which none is registered yet.
func New(c Config) *Tools {
	return &Tools{
		agents:   agents{c.Backend},
		sessions: sessions{c.Backend, c.Door, c.Tell, fates{c.Tasks}, c.Now},
		messages: messages{c.Backend, c.Door, c.Waits, c.Callers, c.Pushes, c.Tell, fates{c.Tasks}},
		queue:    queue{c.Door},
		requests: requests{c.Door},
		logs:     logs{c.Backend, c.Door, c.Polls},
		watching: watching{c.Door, c.Pushes},
		compat:   compat{c.Compat, c.Tell},
	}
}

// AddForClients registers what clients get: everything.
func (t *Tools) AddForClients(to call.Set) {
	t.AddForAgents(to)
	t.watching.addWatch(to)
	t.requests.addCallerResponse(to)
	t.compat.add(to)
}

// AddForAgents registers what agents get as well.
func (t *Tools) AddForAgents(to call.Set) {
	t.messages.addMessage(to)
	t.messages.addJoin(to)
	t.logs.addSummary(to)
	t.logs.addEvents(to)
	t.logs.addText(to)
	t.sessions.addCreate(to)
	t.sessions.addList(to)
	t.sessions.addGet(to)
	t.sessions.addEnd(to)
	t.sessions.addInterrupt(to)
	t.sessions.addChange(to)
	t.sessions.addDelete(to)
	t.sessions.addCleanup(to)
	t.requests.addAnswer(to)
	t.queue.addPrompts(to)
	t.agents.addList(to)
}

// Compatible keeps the tool session from those who have not asked for it.
func (t *Tools) Compatible(next sdk.MethodHandler) sdk.MethodHandler {
	return t.compat.compatible(next)
}
