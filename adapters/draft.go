package adapters

import "github.com/ringmaster-agents/ringmaster/protocol"

// Draft is what an agent said, in canonical terms, before it has a number. Translators make drafts; only the session
// core makes events of them: it gives seq, time, turn ids and the public ids of entries and requests, derives the status,
// and closes what the agent left open.
//
//sumtype:decl
type Draft interface{ draft() }

// EntryKey names an entry inside one translator: 1, 2, 3 … in the order of opening, never used again. The session
// derives the public entry id from it and the incarnation.
type EntryKey uint32

// RequestKey names a request inside one translator, as EntryKey does.
type RequestKey uint32

// Ready says that the agent has answered and takes prompts. Empty members are not known.
type Ready struct {
	NativeSessionID string
	Version         string
	Model           string
	Mode            string
}

// TurnBegan says that a run began. Prompt is what started it, as far as the translator saw it on the wire; the session
// prefers the prompt that it dispatched itself.
type TurnBegan struct{ Prompt *protocol.Prompt }

// TurnEnded says that the run is over and the agent idle: never before everything of the run was said.
type TurnEnded struct {
	Status protocol.TurnStatus
	Error  string // for TurnError, and the reason of an interruption that nobody asked for
	Hint   string
	// Lost says of an interrupted turn that the connection was lost within it, and that the agent told of its end afterwards: it was
	// ended by what ended the connection, unless somebody here had asked for it.
	Lost bool
	// Running are open tool calls that truly run on in the background: they outlive the turn, and are closed when they end.
	Running []EntryKey
}

// EntryOpened opens an entry. Data must not be changed afterwards. Outside of a run it belongs to no turn.
type EntryOpened struct {
	Key          EntryKey
	Type         protocol.EntryType
	Data         protocol.EntryData
	PersistentID string
	Round        int // model round of the turn, from 1; 0 when it has none
}

// EntryChanged changes an open entry. A change of a closed or unknown entry is dropped and counted.
type EntryChanged struct {
	Key   EntryKey
	Delta protocol.Delta
}

// EntryOverflow is more of a text of an open entry than its log keeps: readers that read live have it, and nothing is kept.
type EntryOverflow struct {
	Key    EntryKey
	Offset int64          // bytes of the same text before it, those that were kept included
	Delta  protocol.Delta // appends to the text or to the arguments
}

// EntryClosed closes an entry with its final data: the agent's own final object, not the sum of the deltas. Incomplete
// says that the agent left it behind (a retry, a retraction).
type EntryClosed struct {
	Key          EntryKey
	Data         protocol.EntryData
	PersistentID string
	Incomplete   bool
	Reason       string
}

// EntryBound binds the agent's own id to an entry, open or closed.
type EntryBound struct {
	Key          EntryKey // 0: the entry is one of Spec.Unbound
	ID           string   // which of those
	PersistentID string
}

// PhaseChanged says what the agent does where entries and requests do not tell: StateResponding, StateRetrying,
// StateCompacting. Tools and requests are derived by the session.
type PhaseChanged struct {
	State   protocol.State
	RetryAt int64 // milliseconds from now until the next attempt, for StateRetrying
}

// RequestOpened says that the agent waits for an answer. RequestID, TurnID and EntryID of Request are filled by the session.
type RequestOpened struct {
	Key     RequestKey
	Entry   EntryKey // the tool call that it is about; 0: none
	Request protocol.RequestOpened
	Within  int64 // milliseconds from now until the agent goes on without an answer; 0: it waits. The session makes Deadline of it
	// Guarded says that it reaches into the daemon's own folder: no policy allows or denies it. The port finds that out, no translator does.
	Guarded bool
	// Leads is filled by the port, never by a translator: where the paths of Request.Subject lead to on the disk, where that is elsewhere
	// than their names say. An empty one cannot be told. Policies judge them like the names.
	Leads []string
}

// RequestClosed says that the agent no longer waits: it was answered elsewhere or withdrawn. The answer that the session
// itself sent needs none.
type RequestClosed struct {
	Key     RequestKey
	Outcome protocol.Outcome
	Option  string
	Answers [][]string
}

// Used reports tokens of one model request. TurnID is filled by the session.
type Used struct{ Usage protocol.TokenUsage }

// MetaChanged reports properties of the session.
type MetaChanged struct{ Meta protocol.SessionMeta }

// SessionLeft says that the agent has left its own session for another, in the same process. The next NativeSessionID of a
// Ready or MetaChanged says which; entries keep their keys.
type SessionLeft struct{ To Destination }

// Destination is where an agent goes that leaves its session.
type Destination int

// The destinations.
const (
	ToNew   Destination = iota // an empty session
	ToOlder                    // one that was there before
	ToCopy                     // a copy of the session that it leaves, or of its beginning
)

// ChildBegan says that the agent has started a sub-agent, whose lines come on a lane of its own (Splitter). The session makes it
// a session. A second one for the same id, after a resume, takes up the session that is there.
type ChildBegan struct {
	NativeID string
	Entry    EntryKey // the tool call that started it; 0: none
	Title    string
}

// Offered says what the agent lets one choose: all of it, each time. nil leaves what was said before.
type Offered struct {
	Models []Choice
	Modes  []Choice
	// AllModels says that the agent takes no model but those of Models: others are refused without asking it. Of modes there are
	// never others.
	AllModels bool
}

// Choice is a model or a mode, in the agent's own words.
type Choice struct {
	ID    string
	Label string // empty: the id will do
}

// SettingAnswered is the agent's answer to SetModel or SetMode. The new value itself comes as MetaChanged.
type SettingAnswered struct {
	ID     string // of the command
	Result SettingResult
	Error  string // why it was refused
}

// SettingResult says when a setting takes effect.
type SettingResult int

// The results of a setting.
const (
	SettingNow      SettingResult = iota // from the next model request on
	SettingNextTurn                      // from the next turn on
	SettingRefused
)

// NativeQueue is the whole of the agent's own queue after a change. Cleared says that what is gone was taken out, not
// delivered.
type NativeQueue struct {
	Steering, FollowUp []string
	Cleared            bool
}

// PromptAnswered is the agent's answer to a Prompt command.
type PromptAnswered struct {
	ID     string // of the command
	Result PromptResult
	Error  string // why it was refused
}

// PromptResult says what became of a prompt.
type PromptResult int

// The results of a prompt.
const (
	PromptStarted PromptResult = iota // a run began or will begin
	PromptQueued                      // it waits in the agent's queue
	PromptHandled                     // done; no run will come
	PromptRefused
)

// Notice is something worth showing that belongs to no other entry; it becomes a system entry.
type Notice struct {
	Level string // info, warning, error
	Kind  string // a stable word for machines
	Text  string
}

// Native is a native event that has no canonical form: kept as a system entry with the raw JSON, and counted.
type Native struct {
	Kind string // the native type
	Raw  []byte // JSON
}

func (Ready) draft()           {}
func (TurnBegan) draft()       {}
func (TurnEnded) draft()       {}
func (EntryOpened) draft()     {}
func (EntryChanged) draft()    {}
func (EntryOverflow) draft()   {}
func (EntryClosed) draft()     {}
func (EntryBound) draft()      {}
func (PhaseChanged) draft()    {}
func (RequestOpened) draft()   {}
func (RequestClosed) draft()   {}
func (Used) draft()            {}
func (MetaChanged) draft()     {}
func (SessionLeft) draft()     {}
func (ChildBegan) draft()      {}
func (Offered) draft()         {}
func (SettingAnswered) draft() {}
func (NativeQueue) draft()     {}
func (PromptAnswered) draft()  {}
func (Notice) draft()          {}
func (Native) draft()          {}
