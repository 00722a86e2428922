package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// laneOf is the lane that a line of a thread is for. Where it tells whose the thread is, or that it is nobody's here, a lane is
// born. A thread's news that begin nothing are held.
func (s *splitter) laneOf(thread string, m *message, line []byte, out *adapters.Split) (id adapters.Lane, held bool) {
	if id = s.lanes.threads[thread]; id != 0 {
		return id, false
	}
	if parent := s.lanes.parent(thread, m); parent != 0 {
		out.To(parent, line) // so that its translator tells of the child
		return s.born(thread, parent, out), false
	}
	if s.held.awaited > 0 || m.method != "thread/started" && beginsNothing(m.method) {
		s.held.add(thread, line)
		return 0, true
	}
	return s.born(thread, 0, out), false
}

// beginsNothing says that a notification comes also for threads that do nothing.
func beginsNothing(method string) bool {
	return strings.HasPrefix(method, "thread/") || strings.HasPrefix(method, "mcpServer/startupStatus/") || method == "warning"
}

// settle gives out held lines whose thread is known by now. When no thread is awaited any more, the others are looked at
// again.
func (s *splitter) settle(out *adapters.Split) {
	for _, h := range s.held.take() {
		if s.lanes.threads[h.thread] != 0 || s.held.awaited == 0 {
			s.route(h.line, out)
		} else {
			s.held.add(h.thread, h.line)
		}
	}
}

// born begins the lane of a thread that no session asked for.
func (s *splitter) born(thread string, parent adapters.Lane, out *adapters.Split) adapters.Lane {
	l := s.lanes.add()
	l.parent = parent
	out.Born(l.id, adapters.Birth{Parent: parent, NativeID: thread})
	if thread != "" {
		s.lanes.bind(l, thread)
	}
	if parent == 0 {
		s.lanes.root(l, out)
	}
	for _, h := range s.held.take() {
		if h.thread == thread {
			s.route(h.line, out)
		} else {
			s.held.add(h.thread, h.line)
		}
	}
	return l.id
}

// spawns looks whether an item tells of sub-agents: the lane of one begins with the item that starts it.
func (s *splitter) spawns(l *lane, item []byte, out *adapters.Split) {
	switch text(item, "type") {
	case "subAgentActivity":
		s.child(l, text(item, "agentThreadId"), text(item, "kind") == "started", out)
	case "collabAgentToolCall":
		var receivers []string
		if native.Decode(member(item, "receiverThreadIds"), &receivers) != nil {
			return
		}
		tool := text(item, "tool")
		for _, thread := range receivers {
			s.child(l, thread, startsAgent(tool), out)
			if child := s.lanes.of(thread); tool == "closeAgent" && text(item, "status") == "completed" && child != nil && child.parent != 0 {
				s.lanes.over(child, out)
			}
		}
	}
}

func (s *splitter) child(l *lane, thread string, begins bool, out *adapters.Split) {
	if thread == "" || thread == l.thread || s.lanes.threads[thread] != 0 {
		return
	}
	s.lanes.parents[thread] = l.id
	if begins && !l.left {
		s.born(thread, l.id, out)
	}
}
