package resource

import "github.com/ringmaster-agents/ringmaster/protocol"

// StreamRequest says what one connection shall tell of many sessions (spec §7.13). A session is followed where its id is in Sessions or where it
// matches Select.
type StreamRequest struct {
	Sessions map[string]string `json:"sessions,omitempty" doc:"Session id to cursor: what follows the cursor is sent. An empty cursor: everything. Also for sessions that Select matches: where they go on"`
	Select   *Selector         `json:"select,omitempty" doc:"Follow every session that matches, also one that comes to match later. {} matches all within reach"`
	View     StreamView        `json:"view,omitempty" enum:"full,settled,status,items" default:"full" doc:"full: every event. settled: no deltas. status: what begins, ends, waits and is asked. items: six-field items in place of events"`
	Begin    StreamBegin       `json:"begin,omitempty" enum:"oldest,newest" default:"oldest" doc:"Where sessions without a cursor begin that are there when the stream begins; later ones begin with their first event"`
	Roster   bool              `json:"roster,omitempty" doc:"Send the summaries of the sessions that are followed, and each change of them; without sessions and select, of all within reach, and no events"`
	Revision string            `json:"revision,omitempty" maxLength:"64" doc:"Of a roster that the client has: only what has changed since, where that is known"`
}

// Selector says which sessions are meant. All members that are there must match.
type Selector struct {
	Agent  string            `json:"agent,omitempty" maxLength:"64" doc:"Of this agent"`
	Cwd    string            `json:"cwd,omitempty" maxLength:"4096" doc:"Of this working directory"`
	Parent string            `json:"parent,omitempty" maxLength:"36" doc:"That work for this session"`
	Under  string            `json:"under,omitempty" maxLength:"36" doc:"That work for this session, directly or for one that does"`
	Owner  string            `json:"owner,omitempty" maxLength:"128" doc:"Of this owner"`
	States []protocol.State  `json:"states,omitempty" maxItems:"20" doc:"In one of these states"`
	Active *bool             `json:"active,omitempty" doc:"true: not ended; false: ended"`
	Labels map[string]string `json:"labels,omitempty" doc:"With all of these labels"`
}

// StreamView says what of a log is sent.
type StreamView string

// The views of the merged stream.
const (
	ViewFull    StreamView = "full"
	ViewSettled StreamView = "settled"
	ViewStatus  StreamView = "status"
	ViewItems   StreamView = "items"
)

// StreamBegin says where sessions begin of which the client has nothing.
type StreamBegin string

// The beginnings.
const (
	BeginOldest StreamBegin = "oldest"
	BeginNewest StreamBegin = "newest"
)

// What a merged stream says besides events.

// SessionChanged is a session as it is now: one for each at the start, then on change.
type SessionChanged struct {
	Type    protocol.Type  `json:"type" doc:"Which signal it is"`
	Session SessionSummary `json:"session" doc:"As in lists"`
}

// RosterComplete says that every session which was there at the start was told of.
type RosterComplete struct {
	Type     protocol.Type `json:"type" doc:"Which signal it is"`
	Revision string        `json:"revision" doc:"For a later stream's revision"`
}

// SessionGone says that a session is followed no more.
type SessionGone struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	Reason    GoneReason    `json:"reason" enum:"not_found,deselected" doc:"not_found: there is no such session within reach, or none any more. deselected: it does not match any more; its cursor stays good"`
}

// GoneReason says why a session is followed no more.
type GoneReason string

// The reasons.
const (
	GoneNotFound   GoneReason = "not_found"
	GoneDeselected GoneReason = "deselected"
)

// SessionReset says that the cursor is not of this session's log: what the client holds of it behind common is void. The log follows from its oldest event.
type SessionReset struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	Epoch     uint64        `json:"epoch" doc:"The log's epoch"`
	Oldest    uint64        `json:"oldest" doc:"Its first event"`
	Newest    uint64        `json:"newest" doc:"Its last event"`
	Common    uint64        `json:"common,omitempty" doc:"Up to here the log is the one that the cursor is of, where that is known"`
}

// SessionOver says that a session has ended and that everything was sent. It is followed on: it can be revived.
type SessionOver struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	Cursor    string        `json:"cursor" doc:"The position of its last event"`
}

// SessionDamage says that a session's log ends early (spec §7.12).
type SessionDamage struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	protocol.Damage
}

// SessionOverflow is a part of a text beyond what the log keeps of it (spec §7.18).
type SessionOverflow struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	protocol.Overflow
}

// SessionRefused says why a session cannot be read now. It is tried again.
type SessionRefused struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	Code      protocol.Code `json:"code" doc:"Why, for programs"`
	Detail    string        `json:"detail" doc:"Why, for people"`
	Hint      string        `json:"hint,omitempty" doc:"What to do about it"`
}

// SessionItem is a six-field item of a session's log (spec §8).
type SessionItem struct {
	Type      protocol.Type `json:"type" doc:"Which signal it is"`
	SessionID string        `json:"sessionId" doc:"The session"`
	Cursor    string        `json:"cursor" doc:"The position of the event that it is of"`
	Item      Item          `json:"item" doc:"The item"`
}

// Item is a six-field item (spec §8).
type Item struct{ protocol.SessionEvent }

// StreamHeartbeat says that the connection lives, and how far each session was sent that has moved since the heartbeat before. A client that is behind
// has missed something; of views that leave events out it says from where on to ask again.
type StreamHeartbeat struct {
	Type protocol.Type     `json:"type" doc:"Which signal it is"`
	Ts   int64             `json:"ts" doc:"Unix milliseconds"`
	At   map[string]string `json:"at,omitempty" doc:"Session id to cursor"`
}
