package core

import "github.com/google/uuid"

// ChildID is the session id of a sub-agent: the UUID of version 5 of the agent's own id of it, in the name space of the parent's
// session id. The same sub-agent is the same session, whenever and wherever it is seen.
func ChildID(parent, native string) string {
	space, err := uuid.Parse(parent)
	if err != nil { // no id of ours
		space = uuid.NewSHA1(uuid.NameSpaceOID, []byte(parent))
	}
	return uuid.NewSHA1(space, []byte(native)).String()
}
