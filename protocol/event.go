package protocol

// Event is one numbered line of a session's log (spec §3). It never changes after append.
type Event struct {
	// Seq is 1 for the first event of a session and grows by one, without gaps, for the life of the log.
	Seq uint64
	// Time is Unix milliseconds, set by the daemon at append; it never decreases inside a session.
	Time int64
	// Payload is what happened, never nil; its Type is the event's discriminator on the wire.
	Payload Payload
	// Extra holds the members of the line that this build does not know, so that they survive a round trip.
	Extra []Member
}

// Payload is what one event says. Payloads are pointers to the structs of this package; a type that this build does not
// know decodes to *Unknown.
//
//sumtype:decl
type Payload interface {
	// Type is the wire discriminator.
	Type() Type
	code(c *coder)
}

// Member is one member of a JSON object, kept as it came.
type Member struct {
	Key   string
	Value []byte // compact JSON
}

// Type is the discriminator of an event on the wire.
type Type string

// The event types of the log (spec §4).
const (
	TypeSessionStart    Type = "session_start"
	TypeSessionEnd      Type = "session_end"
	TypeSessionMeta     Type = "session_meta"
	TypeChildSession    Type = "child_session"
	TypeEpoch           Type = "epoch"
	TypeTurnStart       Type = "turn_start"
	TypeTurnEnd         Type = "turn_end"
	TypeEntryStart      Type = "entry_start"
	TypeEntryDelta      Type = "entry_delta"
	TypeEntryEnd        Type = "entry_end"
	TypeEntryMeta       Type = "entry_meta"
	TypeRequestOpened   Type = "request_opened"
	TypeRequestResolved Type = "request_resolved"
	TypePromptQueued    Type = "prompt_queued"
	TypePromptMoved     Type = "prompt_moved"
	TypePromptRemoved   Type = "prompt_removed"
	TypeTokenUsage      Type = "token_usage"
	TypeStatus          Type = "status"
	TypeBudget          Type = "budget"
)

// Types lists every event type of the log in the order of spec §4.
func Types() []Type {
	return []Type{
		TypeSessionStart, TypeSessionEnd, TypeSessionMeta, TypeChildSession, TypeEpoch,
		TypeTurnStart, TypeTurnEnd,
		TypeEntryStart, TypeEntryDelta, TypeEntryEnd, TypeEntryMeta,
		TypeRequestOpened, TypeRequestResolved, TypePromptQueued, TypePromptMoved, TypePromptRemoved,
		TypeTokenUsage, TypeStatus, TypeBudget,
	}
}

// Unknown is an event of a type that this build does not know; all its members are in Event.Extra.
type Unknown struct{ Name Type }

// Type is the name on the wire.
func (p *Unknown) Type() Type  { return p.Name }
func (p *Unknown) code(*coder) {}
