package droid

import (
	"encoding/json"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// children are the sessions of sub-agents, by their ids. What they say is left out: the call that began one tells what came of it.
type children map[string]bool

// began takes that there is a sub-agent.
func (c children) began(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ChildSessionID string `json:"childSessionId"`
		Description    string `json:"description"`
	}
	_ = native.Decode(raw, &n)
	if n.ChildSessionID != "" {
		c[n.ChildSessionID] = true
	}
	notice("info", "child_session_available", fmt.Sprintf("Sub-agent %s: %s", n.ChildSessionID, n.Description), out)
}

// wrote says whether a delta is of a sub-agent.
func (c children) wrote(d *delta) bool { return len(c) > 0 && c[native.Text(d.session)] }
