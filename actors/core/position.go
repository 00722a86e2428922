package core

// Lease says who may append to a session: a UUID that is new whenever somebody takes the session. The zero value is nobody's.
type Lease string

// Owner is a node in one of its lives.
type Owner struct {
	Node        string `json:"node"`        // the data folder's instance
	Incarnation uint64 `json:"incarnation"` // higher at each start, and never used twice
}

// Position is where the log of a session stands in Core, and who writes it.
type Position struct {
	Session string `json:"session"` // the session's id, a UUID
	Owner   Owner  `json:"owner"`   // the zero value: nobody has it
	Lease   Lease  `json:"lease"`
	Epoch   uint64 `json:"epoch"`  // of the newest event; before the first one, of that one
	Head    uint64 `json:"head"`   // the newest event; 0: there is none
	Oldest  uint64 `json:"oldest"` // the oldest event that is kept; Head+1: there is none
}
