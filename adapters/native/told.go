package native

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Told is what an agent last said about its session. Empty members are not known.
type Told struct{ Session, Model, Mode, Title string }

// Ready says it with the agent's readiness.
func (t *Told) Ready(version string) adapters.Ready {
	return adapters.Ready{NativeSessionID: t.Session, Version: version, Model: t.Model, Mode: t.Mode}
}

// Take takes the members of n that are known and new, and gives them; ok is false where there are none.
func (t *Told) Take(n Told) (news protocol.SessionMeta, ok bool) {
	set := func(old *string, now string, member **string) {
		if now != "" && now != *old {
			*old, *member, ok = now, &now, true
		}
	}
	set(&t.Session, n.Session, &news.NativeSessionID)
	set(&t.Model, n.Model, &news.Model)
	set(&t.Mode, n.Mode, &news.Mode)
	set(&t.Title, n.Title, &news.Title)
	return news, ok
}
