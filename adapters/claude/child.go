package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// child is what a sub-agent's translator knows of itself.
type child struct {
	native string              // the tool call that started it
	agent  string              // the agent's own id of it, by which it is stopped
	prompt string              // what it was told first
	ending *adapters.TurnEnded // how its turn ends, once that was said
}

// foreign takes the lines that are about another sub-agent than this session, and says that nothing more is to be done.
// The splitter gives a session the first line of each of its sub-agents: that is how it learns of it.
func (t *Translator) foreign(h *head, line []byte, out *adapters.Output) bool {
	if h.parent == "" && h.subtype != "task_started" && !t.spec.Child {
		return false
	}
	var e task
	_ = native.Decode(line, &e)
	if t.spec.Child && t.child.native == "" {
		t.child.native = cmp.Or(h.parent, e.ToolUseID)
	}
	switch {
	case h.parent != "" && h.parent != t.child.native || h.parent != "" && !t.spec.Child:
		t.name(e.AgentID, h.parent)
		t.childBegan(h.parent, e.TaskDescription, out)
	case h.subtype == "task_started" && e.isAgent() && !t.isSelf(&e):
		native := cmp.Or(t.agents[e.TaskID], e.ToolUseID)
		t.name(e.TaskID, native)
		t.childBegan(native, e.Description, out)
	case t.spec.Child:
		t.child.agent = cmp.Or(t.child.agent, e.AgentID)
		return t.aboutSelf(h, &e, line, out)
	default:
		return false
	}
	return true
}

// isSelf says that a line is about this sub-agent. One that was woken up again is named by the call that woke it: then the first
// line says who it is.
func (t *Translator) isSelf(e *task) bool {
	if !t.spec.Child {
		return false
	}
	return e.ToolUseID == t.child.native || t.child.agent != "" && e.TaskID == t.child.agent || t.child.agent == "" && !t.turn.on
}

// name remembers the agent's own id of a sub-agent, of which it may tell later by another call.
func (t *Translator) name(agent, native string) {
	if agent != "" {
		t.agents[agent] = native
	}
}

func (t *Translator) childBegan(id, title string, out *adapters.Output) {
	began := adapters.ChildBegan{NativeID: id, Title: native.Head(title, maxTitle)}
	if c := t.tools[id]; c != nil && !c.closed {
		began.Entry = c.key
	}
	out.Draft(began)
}

// maxTitle is how long the title of a sub-agent may be, in bytes.
const maxTitle = 400

// aboutSelf takes the lines about a sub-agent that are not its own: it gets its task_started and task_notification, the result
// of the call that started it, and the result of a turn that left it behind. Its turn ends with its lane, since a sub-agent
// that is stopped still speaks after the news of it.
func (t *Translator) aboutSelf(h *head, e *task, line []byte, out *adapters.Output) bool {
	switch {
	case h.subtype == "task_started":
		t.child.agent = cmp.Or(e.TaskID, t.child.agent)
		t.childPrompt(e.Prompt, out)
	case h.subtype == "task_notification" && t.isSelf(e):
		t.child.ending = &adapters.TurnEnded{Status: protocol.TurnCompleted}
		switch e.Status {
		case "failed":
			t.childFailed(e.Summary)
		case "stopped":
			t.child.ending.Status = protocol.TurnInterrupted
		}
	case h.kind == "user" && h.parent == "":
		t.childResult(line)
	case h.kind == "result":
		var r result
		_ = native.Decode(line, &r)
		if t.child.ending == nil {
			end := t.outcome(&r)
			t.child.ending = &end
		}
	default:
		return false
	}
	return true
}

// childPrompt takes what a sub-agent was told.
func (t *Translator) childPrompt(text string, out *adapters.Output) {
	if text == "" || text == t.child.prompt {
		return
	}
	t.child.prompt = text
	t.promptSent("", []content{{Type: "text", Text: text}})
	if !t.turn.on {
		t.begin(out)
		return
	}
	for _, p := range t.prompts.takable() {
		t.join(p, out)
	}
}

// childResult takes the result of the call that started the sub-agent, where that says more than the news of its end.
func (t *Translator) childResult(line []byte) {
	var e userLine
	_ = native.Decode(line, &e)
	for _, c := range blocks(e.Message.Content) {
		if c.Type != "tool_result" || c.ToolUseID != t.child.native || t.child.ending != nil || e.launched() {
			continue
		}
		switch {
		case t.turn.aborted, e.stopped(c.ToolUseID):
			t.child.ending = &adapters.TurnEnded{Status: protocol.TurnInterrupted}
		case c.IsError:
			t.childFailed(plain(blocks(c.Content)))
		default:
			t.child.ending = &adapters.TurnEnded{Status: protocol.TurnCompleted}
		}
	}
}

func (t *Translator) childFailed(why string) {
	t.child.ending = &adapters.TurnEnded{
		Status: protocol.TurnError, Error: cmp.Or(native.Head(why, maxNotice), "the sub-agent failed"),
	}
}

// stopSelf stops the sub-agent.
func (t *Translator) stopSelf(out *adapters.Output) {
	if t.child.agent != "" {
		t.ask(out, sentControl{kind: "stop_task"}, stopTask{Subtype: "stop_task", TaskID: t.child.agent})
	}
}
