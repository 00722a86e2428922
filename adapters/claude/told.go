package claude

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// told is what was last said about the session. Empty members are not known.
type told struct {
	ready                                bool
	session, model, mode, title, version string
}

// ready says that the agent answers, once, with what is known by then. The agent's own session is there only with its first
// turn: until then nothing can be resumed, and its id is not said.
func (t *Translator) ready(out *adapters.Output) {
	if t.told.ready {
		return
	}
	t.told.ready = true
	out.Draft(adapters.Ready{
		NativeSessionID: t.told.session, Version: cmp.Or(t.told.version, t.spec.Version), Model: t.told.model, Mode: t.told.mode,
	})
}

// tell reports the members of n that are known and new.
func (t *Translator) tell(n told, out *adapters.Output) {
	var meta protocol.SessionMeta
	changed := false
	set := func(old *string, now string, member **string) {
		if now != "" && now != *old {
			*old, *member, changed = now, &now, true
		}
	}
	set(&t.told.session, n.session, &meta.NativeSessionID)
	set(&t.told.model, n.model, &meta.Model)
	set(&t.told.mode, n.mode, &meta.Mode)
	set(&t.told.title, n.title, &meta.Title)
	if changed {
		out.Draft(adapters.MetaChanged{Meta: meta})
	}
}
