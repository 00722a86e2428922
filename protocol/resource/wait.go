package resource

import "github.com/ringmaster-agents/ringmaster/protocol"

// WaitRequest says what a call of wait is to wait for (spec §7.14).
type WaitRequest struct {
	Sessions  []string  `json:"sessions,omitempty" maxItems:"1000" nullable:"false" doc:"Ids of the sessions to wait for"`
	Select    *Selector `json:"select,omitempty" doc:"Wait for every session that matches, also one that comes to match later; what has matched once stays. {} matches all within reach"`
	Until     WaitUntil `json:"until" doc:"What is waited for: one of these is enough"`
	Of        WaitOf    `json:"of,omitempty" enum:"all,any" default:"all" doc:"all: until it holds of each session at the same moment; any: of one"`
	TimeoutMs *int64    `json:"timeoutMs,omitempty" minimum:"0" maximum:"600000" default:"60000" doc:"Milliseconds after which the answer comes all the same; 0 only looks"`
}

// WaitOf says of how many sessions something is to hold.
type WaitOf string

// How many sessions.
const (
	WaitAll WaitOf = "all"
	WaitAny WaitOf = "any"
)

// WaitUntil has the conditions of a wait.
type WaitUntil struct {
	States  []protocol.State `json:"states,omitempty" maxItems:"20" nullable:"false" doc:"The session is in one of these states. One that it leaves within milliseconds may be missed"`
	Ended   bool             `json:"ended,omitempty" doc:"The session has ended, or was deleted"`
	Request bool             `json:"request,omitempty" doc:"A request is open"`
	Rest    bool             `json:"rest,omitempty" doc:"Nothing happens unless somebody does something: it is idle and no prompt waits, a request is open, or it has ended, was deleted or is damaged"`
	Seq     uint64           `json:"seq,omitempty" doc:"The log has come to this event"`
	Turn    string           `json:"turn,omitempty" maxLength:"32" doc:"This turn has ended. With one session. current: the one that runs or is about to begin at the time of the call; where there is none, it holds at once"`
	Prompt  string           `json:"prompt,omitempty" maxLength:"32" doc:"This prompt is settled. With one session"`
}

// CurrentTurn is the turn of WaitUntil that runs, or is about to begin, at the time of the call.
const CurrentTurn = "current"

// WaitReason is a condition of a wait.
type WaitReason string

// The conditions.
const (
	BecauseStates  WaitReason = "states"
	BecauseEnded   WaitReason = "ended"
	BecauseRequest WaitReason = "request"
	BecauseRest    WaitReason = "rest"
	BecauseSeq     WaitReason = "seq"
	BecauseTurn    WaitReason = "turn"
	BecausePrompt  WaitReason = "prompt"
)

// WaitAnswer is what has come of a wait.
type WaitAnswer struct {
	Held     bool            `json:"held" doc:"What was waited for has come; false: the time is over, or it cannot come any more"`
	Sessions []WaitedSession `json:"sessions" doc:"The sessions that were waited for. With any, and where it held, those of which it holds"`
	LeftOut  int             `json:"leftOut,omitempty" doc:"So many more sessions were waited for"`
	Never    bool            `json:"never,omitempty" doc:"It cannot come any more: a session that was named was deleted"`
}

// WaitedSession is how a session stands that was waited for.
type WaitedSession struct {
	SessionID string         `json:"sessionId" doc:"The session's id"`
	Cursor    string         `json:"cursor,omitempty" doc:"Its newest event, as far as this was looked at"`
	State     protocol.State `json:"state,omitempty" doc:"Its state (protocol/spec.md §6.1)"`
	Because   WaitReason     `json:"because,omitempty" doc:"The condition that holds; absent: none does"`
	Deleted   bool           `json:"deleted,omitempty" doc:"It was deleted meanwhile"`
	Turn      string         `json:"turn,omitempty" doc:"The turn that is waited for. Where current was asked for, a further call names this one"`
	Outcome   *WaitOutcome   `json:"outcome,omitempty" doc:"What became of the prompt that was waited for"`
}

// WaitOutcome is what became of a prompt.
type WaitOutcome struct {
	Outcome string `json:"outcome" enum:"completed,interrupted,failed,cancelled" doc:"completed: text is the answer; interrupted: somebody stopped the turn; failed: the agent was lost or has failed; cancelled: the prompt made no turn"`
	Text    string `json:"text,omitempty" doc:"How the agent's last message begins"`
	Bytes   int    `json:"bytes,omitempty" doc:"Text is a beginning, and the whole has so many bytes: the entry has it"`
	EntryID string `json:"entryId,omitempty" doc:"The entry that a cut text is of"`
	Error   string `json:"error,omitempty" doc:"Why it is not completed"`
}

// What becomes of a prompt.
const (
	WaitCompleted   = "completed"
	WaitInterrupted = "interrupted"
	WaitFailed      = "failed"
	WaitCancelled   = "cancelled"
)
