package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// self is what a sub-agent's translator knows of its sub-agent. In the main agent's it is empty.
type self struct {
	native string              // the tool call that started it
	agent  string              // the agent's own id of it, by which it is stopped
	prompt string              // what it was told first
	ending *adapters.TurnEnded // how its turn ends, once that was said
}

// isChild says that there is a sub-agent.
func (s *self) isChild() bool { return s.native != "" }

// is says that a line about a task is about this sub-agent. One that was woken up again is named by the call that woke it: then the first
// line says which it is. on says that its turn is running.
func (s *self) is(e *task, on bool) bool {
	return s.isChild() && (e.ToolUseID == s.native || s.agent != "" && e.TaskID == s.agent || s.agent == "" && !on)
}

// told takes what the sub-agent was told, and says whether that is news.
func (s *self) told(text string) bool {
	if text == "" || text == s.prompt {
		return false
	}
	s.prompt = text
	return true
}

// notified takes the news of its end.
func (s *self) notified(e *task) {
	switch e.Status {
	case "failed":
		s.fails(e.Summary)
	case "stopped":
		s.ends(protocol.TurnInterrupted)
	default:
		s.ends(protocol.TurnCompleted)
	}
}

// returned takes the result of the call that started it, where that says more than the news of its end. aborted says that its turn
// was interrupted.
func (s *self) returned(u *userLine, aborted bool) {
	for _, c := range blocks(u.Message.Content) {
		switch {
		case c.Type != "tool_result" || c.ToolUseID != s.native || s.ending != nil || u.launched():
		case aborted, u.stopped(c.ToolUseID):
			s.ends(protocol.TurnInterrupted)
		case c.IsError:
			s.fails(plain(blocks(c.Content)))
		default:
			s.ends(protocol.TurnCompleted)
		}
	}
}

// left takes the result of a turn that has left it behind.
func (s *self) left(r *result, t *turn) {
	if s.ending == nil {
		end := r.outcome(t)
		s.ending = &end
	}
}

func (s *self) ends(as protocol.TurnStatus) { s.ending = &adapters.TurnEnded{Status: as} }

func (s *self) fails(why string) {
	s.ending = &adapters.TurnEnded{Status: protocol.TurnError, Error: cmp.Or(native.Head(why, maxNotice), "the sub-agent failed")}
}

// stop stops it.
func (s *self) stop(c *calls, out *adapters.Output) {
	if s.agent != "" {
		c.ask(sentControl{kind: "stop_task"}, stopTask{Subtype: "stop_task", TaskID: s.agent}, out)
	}
}

// children are the native ids of the sub-agents below, by the agent's own ids of them.
type children map[string]string

// name remembers the agent's own id of a sub-agent, of which it may tell later by another call.
func (c children) name(agent, native string) {
	if agent != "" {
		c[agent] = native
	}
}
