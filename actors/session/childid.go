package session

import (
	"crypto/sha1" // of UUIDs of version 5, not of secrets
	"encoding/hex"
	"strings"
)

// ChildID is the session id of a sub-agent: the UUID of version 5 of the agent's own id of it, in the name space of the parent's
// session id. The same sub-agent is the same session, whenever and wherever it is seen.
func ChildID(parent, native string) string {
	h := sha1.New()
	if space, err := hex.DecodeString(strings.ReplaceAll(parent, "-", "")); err == nil && len(space) == 16 {
		h.Write(space)
	} else {
		h.Write([]byte(parent))
	}
	h.Write([]byte(native))
	id := h.Sum(nil)[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	x := hex.EncodeToString(id)
	return x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]
}
