package opencode

import (
	"cmp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// told is what was last said about the session.
type told struct {
	native.Told
	version string
	ready   bool
}

// tellReady says that the agent takes prompts, once, with what is known by then.
func (t *told) tellReady(out *adapters.Output) {
	if t.ready || t.Session == "" {
		return
	}
	t.ready = true
	out.Draft(t.Ready(t.version))
}

// tell reports what is known and new.
func (t *told) tell(news native.Told, out *adapters.Output) {
	if meta, ok := t.Take(news); ok && t.ready {
		out.Draft(adapters.MetaChanged{Meta: meta})
	}
}

// session takes what the agent says of the session itself.
func (t *told) session(info *sessionInfo, out *adapters.Output) {
	t.version = cmp.Or(t.version, info.Version)
	t.tellReady(out)
	title := info.Title
	if placeholder(title) {
		title = ""
	}
	t.tell(native.Told{Model: modelName(info.Model.ProviderID, info.Model.ID), Mode: info.Agent, Title: title}, out)
}

// placeholder says that a title is the one that every session has until the agent has found a better one.
func placeholder(title string) bool {
	return strings.HasPrefix(title, "New session - ") || strings.HasPrefix(title, "Child session - ")
}
