package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// foreign takes the lines that are about another sub-agent than this session, and says that nothing more is to be done.
// The splitter gives a session the first line of each of its sub-agents: that is how it learns of it.
func (w *work) foreign(h *head, line []byte, out *adapters.Output) bool {
	if h.parent == "" && h.subtype != "task_started" && !w.self.isChild() {
		return false
	}
	var e task
	_ = native.Decode(line, &e)
	switch {
	case h.parent != "" && h.parent != w.self.native:
		w.children.name(e.AgentID, h.parent)
		w.childBegan(h.parent, e.TaskDescription, out)
	case h.subtype == "task_started" && e.isAgent() && !w.self.is(&e, w.turn.on):
		native := cmp.Or(w.children[e.TaskID], e.ToolUseID)
		w.children.name(e.TaskID, native)
		w.childBegan(native, e.Description, out)
	case w.self.isChild():
		w.self.agent = cmp.Or(w.self.agent, e.AgentID)
		return w.aboutSelf(h, &e, line, out)
	default:
		return false
	}
	return true
}

// aboutSelf takes the lines about a sub-agent that are not its own: it gets its task_started and task_notification, the result
// of the call that started it, and the result of a turn that left it behind. Its turn ends with its lane, since a sub-agent
// that is stopped still speaks after the news of it.
func (w *work) aboutSelf(h *head, e *task, line []byte, out *adapters.Output) bool {
	switch {
	case h.subtype == "task_started":
		w.self.agent = cmp.Or(e.TaskID, w.self.agent)
		w.childTold(e.Prompt, out)
	case h.subtype == "task_notification" && w.self.is(e, w.turn.on):
		w.self.notified(e)
	case h.kind == "user" && h.parent == "":
		var u userLine
		_ = native.Decode(line, &u)
		w.self.returned(&u, w.turn.aborted)
	case h.kind == "result":
		var r result
		_ = native.Decode(line, &r)
		w.self.left(&r, &w.turn)
	default:
		return false
	}
	return true
}

// childTold takes what this sub-agent was told.
func (w *work) childTold(text string, out *adapters.Output) {
	if !w.self.told(text) {
		return
	}
	w.prompts.sent("", []contentWire{textBlock(text)}, w.turn.on)
	if !w.turn.on {
		w.begin(out)
		return
	}
	for _, p := range w.prompts.takable() {
		w.join(p, out)
	}
}
