package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// children are the sub-agents that were told of, by the ids of their threads.
type children map[string]bool

// began tells of a sub-agent, once.
func (c children) began(id string, entry adapters.EntryKey, title string, out *adapters.Output) {
	if id == "" || c[id] {
		return
	}
	c[id] = true
	out.Draft(adapters.ChildBegan{NativeID: id, Entry: entry, Title: native.Head(title, maxTitle)})
}

// spawned tells of the sub-agents that an item of the thread self starts.
func (c children) spawned(self string, entry adapters.EntryKey, w *wireItem, out *adapters.Output) {
	switch {
	case w.Type == "subAgentActivity" && w.Kind == "started":
		if w.AgentThread != self {
			c.began(w.AgentThread, 0, w.AgentPath, out)
		}
	case w.Type == "collabAgentToolCall" && startsAgent(w.Tool):
		title, _, _ := strings.Cut(strings.TrimSpace(w.Prompt), "\n")
		for _, id := range w.Receivers {
			if w.Tool == "resumeAgent" && w.Status == "inProgress" {
				delete(c, id)
			}
			if id != self {
				c.began(id, entry, title, out)
			}
		}
	}
}

// startsAgent says that a collaboration tool has its receivers begin, not only hear something.
func startsAgent(tool string) bool { return tool == "spawnAgent" || tool == "resumeAgent" }
