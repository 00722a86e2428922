package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// told is what was last said about the session.
type told struct {
	native.Told
	version string
	ready   bool
}

// ready says that the agent answers, once, with what is known by then. The agent's own session is there only with its first
// turn: until then nothing can be resumed, and its id is not said.
func (t *Translator) ready(out *adapters.Output) {
	if t.told.ready {
		return
	}
	t.told.ready = true
	out.Draft(t.told.Ready(cmp.Or(t.told.version, t.spec.Version)))
}

// tell reports the members of n that are known and new.
func (t *Translator) tell(n native.Told, out *adapters.Output) {
	if news, ok := t.told.Take(n); ok {
		out.Draft(adapters.MetaChanged{Meta: news})
	}
}
