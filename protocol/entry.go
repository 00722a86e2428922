package protocol

// EntryType discriminates the data of an entry (spec §4.4).
type EntryType string

// The entry types.
const (
	EntryUserMessage      EntryType = "user_message"
	EntryAssistantMessage EntryType = "assistant_message"
	EntryThinking         EntryType = "thinking"
	EntryToolCall         EntryType = "tool_call"
	EntryToolResult       EntryType = "tool_result"
	EntryPlan             EntryType = "plan"
	EntryCompaction       EntryType = "compaction"
	EntrySystem           EntryType = "system"
)

// EntryStart opens an entry: one content block, tool call or notice (spec §4.3).
type EntryStart struct {
	TurnID       string    `json:"turnId,omitempty"`       // empty between turns
	EntryID      string    `json:"entryId"`                // the entry's id
	EntryType    EntryType `json:"entryType"`              // says what data holds
	Data         EntryData `json:"data"`                   // a snapshot of the entry's beginning
	PersistentID string    `json:"persistentId,omitempty"` // the agent's own id, where it is known at the start
	Round        int       `json:"round,omitempty"`        // model round inside the turn, from 1
}

// EntryDelta changes an open entry (spec §4.6).
type EntryDelta struct {
	EntryID string `json:"entryId"` // the open entry that changes
	Delta   Delta  `json:"delta"`   // the change
}

// EntryEnd closes an entry; Data is its final, authoritative state and needs no earlier event (spec §4.3).
type EntryEnd struct {
	TurnID       string    `json:"turnId,omitempty"`       // the turn of the entry; empty between turns
	EntryID      string    `json:"entryId"`                // the entry that ends
	EntryType    EntryType `json:"entryType"`              // says what data holds
	Data         EntryData `json:"data"`                   // the final, authoritative content
	PersistentID string    `json:"persistentId,omitempty"` // the agent's own id, where it is known at the end
	Incomplete   bool      `json:"incomplete,omitempty"`   // closed by the daemon, not by the agent
	Reason       string    `json:"reason,omitempty"`       // why, when incomplete
}

// EntryMeta binds the agent's own id to an entry once it is known, also after the entry's end (spec §5).
type EntryMeta struct {
	EntryID      string `json:"entryId"`      // the entry that the id is of
	PersistentID string `json:"persistentId"` // the agent's own id of it
}

func (*EntryStart) Type() Type { return TypeEntryStart }
func (*EntryDelta) Type() Type { return TypeEntryDelta }
func (*EntryEnd) Type() Type   { return TypeEntryEnd }
func (*EntryMeta) Type() Type  { return TypeEntryMeta }

func (p *EntryStart) code(c *coder) {
	c.optStr("turnId", &p.TurnID)
	c.str("entryId", &p.EntryID)
	c.str("entryType", (*string)(&p.EntryType))
	codeData(c, p.EntryType, &p.Data)
	c.optStr("persistentId", &p.PersistentID)
	c.optInt("round", &p.Round)
}

func (p *EntryDelta) code(c *coder) {
	c.str("entryId", &p.EntryID)
	codeDelta(c, &p.Delta)
}

func (p *EntryEnd) code(c *coder) {
	c.optStr("turnId", &p.TurnID)
	c.str("entryId", &p.EntryID)
	c.str("entryType", (*string)(&p.EntryType))
	codeData(c, p.EntryType, &p.Data)
	c.optStr("persistentId", &p.PersistentID)
	c.optBool("incomplete", &p.Incomplete)
	c.optStr("reason", &p.Reason)
}

func (p *EntryMeta) code(c *coder) {
	c.str("entryId", &p.EntryID)
	c.str("persistentId", &p.PersistentID)
}
