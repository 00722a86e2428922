package codex

import (
	"bytes"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// held are lines of threads that nobody knows, in order. A thread's first lines may come before the response that says
// whose it is, or before the item that says who has started it; others are of other clients' threads.
type held struct {
	lines []heldLine
	bytes int
}

type heldLine struct {
	thread string
	line   []byte
}

// Bounds of the held lines; the oldest fall out.
const (
	maxHeldLines = 256
	maxHeldBytes = 1 << 20
)

func (s *splitter) hold(thread string, line []byte) {
	h := &s.held
	h.lines = append(h.lines, heldLine{thread, bytes.Clone(line)})
	h.bytes += len(line)
	for len(h.lines) > maxHeldLines || h.bytes > maxHeldBytes {
		h.bytes -= len(h.lines[0].line)
		h.lines = h.lines[1:]
	}
}

// settle gives out held lines whose thread is known by now. When no thread is awaited any more, the others are looked at
// again.
func (s *splitter) settle(out *adapters.Split) {
	lines := s.held.lines
	s.held = held{}
	for _, h := range lines {
		if s.threads[h.thread] != 0 || s.starting == 0 {
			s.route(h.line, out)
		} else {
			s.hold(h.thread, h.line)
		}
	}
}

// unknown takes a line of a thread that has no lane. Where it tells whose the thread is, or that it is nobody's here, a lane is
// born. A thread's news that begin nothing wait.
func (s *splitter) unknown(thread string, m *message, line []byte, out *adapters.Split) (id adapters.Lane, wait bool) {
	if parent := s.parent(thread, m); parent != 0 {
		out.To(parent, line) // so that its translator tells of the child
		return s.born(thread, parent, out), false
	}
	if s.starting > 0 || m.method != "thread/started" && beginsNothing(m.method) {
		s.hold(thread, line)
		return 0, true
	}
	return s.born(thread, 0, out), false
}

// beginsNothing says that a notification comes also for threads that do nothing.
func beginsNothing(method string) bool {
	return strings.HasPrefix(method, "thread/") || strings.HasPrefix(method, "mcpServer/startupStatus/") || method == "warning"
}

// parent is the lane whose agent has started a thread, as far as it can be told; 0: not known.
func (s *splitter) parent(thread string, m *message) adapters.Lane {
	if l := s.lanes[s.parents[thread]]; l != nil && !l.left {
		return l.id
	}
	switch m.method {
	case "thread/started":
		info := member(m.params, "thread")
		for _, id := range []string{
			text(info, "parentThreadId"), text(info, "source", "subAgent", "thread_spawn", "parent_thread_id"),
		} {
			if l := s.lanes[s.threads[id]]; id != thread && l != nil && !l.left {
				return l.id
			}
		}
	case "turn/started":
		root := text(m.params, "turn", "rootTurnId")
		if root == "" || root == text(m.params, "turn", "id") {
			return 0
		}
		for id := adapters.Lane(1); id <= s.newest; id++ {
			if l := s.lanes[id]; l != nil && !l.left && l.turn == root {
				return id
			}
		}
	}
	return 0
}

// born begins the lane of a thread that no session asked for.
func (s *splitter) born(thread string, parent adapters.Lane, out *adapters.Split) adapters.Lane {
	l := s.lane()
	l.parent = parent
	out.Born(l.id, adapters.Birth{Parent: parent, NativeID: thread})
	if thread != "" {
		s.bind(l, thread)
	}
	if parent == 0 {
		s.roots = append(s.roots, l.id)
		s.deliverEarly(l.id, out)
	}
	lines := s.held.lines
	s.held = held{}
	for _, h := range lines {
		if h.thread == thread {
			s.route(h.line, out)
		} else {
			s.hold(h.thread, h.line)
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
			if child := s.lanes[s.threads[thread]]; tool == "closeAgent" && text(item, "status") == "completed" &&
				child != nil && child.parent != 0 {
				s.over(child, out)
			}
		}
	}
}

func (s *splitter) child(l *lane, thread string, begins bool, out *adapters.Split) {
	if thread == "" || thread == l.thread || s.threads[thread] != 0 {
		return
	}
	s.parents[thread] = l.id
	if begins && !l.left {
		s.born(thread, l.id, out)
	}
}
