package session

import (
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Message is what the session actor takes. Messages are pointers to the structs of this file, immutable after Send.
//
//sumtype:decl
type Message interface {
	ask.Letter
	message()
}

// Ref addresses a session actor.
type Ref = ask.Ref[Message]

// Input is a message that the core decides about.
//
//sumtype:decl
type Input interface {
	Message
	input()
}

// Questions of clients.
type (
	// SendPrompt accepts a prompt. Text or images must be there; the sizes were checked at the edge.
	SendPrompt struct {
		ask.Reply[Receipt]
		Prompt         NewPrompt
		IdempotencyKey string
	}

	// MovePrompt gives a prompt that waits another place in the queue: before another one, or at a position from 1 (the last one
	// where there are fewer). One of Before and Position is set.
	MovePrompt struct {
		ask.Reply[Moved]
		PromptID string
		Before   string
		Position int
	}

	// Choose chooses a model or a mode. The answer says when it takes effect; an agent that does not answer is waited for so long
	// and no longer.
	Choose struct {
		ask.Reply[Chosen]
		Setting Setting
		Value   string // in the agent's own words
		When    When
	}

	// Choices asks for the models and modes that the agent offers.
	Choices struct{ ask.Reply[Offers] }

	// CancelPrompt takes a prompt out of the queue.
	CancelPrompt struct {
		ask.Reply[Done]
		PromptID string
	}

	// Interrupt stops the running turn. Its answer comes at once; the log tells when the turn has ended.
	Interrupt struct {
		ask.Reply[Interrupted]
		TurnID string // that is meant: another one goes on; empty: whichever runs
		By     string // "client:ID" or ByParent
	}

	// Resolve answers a request. The first answer wins; a later one gets CodeRequestAlreadyResolved with who answered. Of an
	// approval, Outcome or Option may be empty: each follows from the other. Of the call of a caller tool, Result is what it has
	// given, as JSON, or Outcome is failed and Message says why.
	Resolve struct {
		ask.Reply[Resolution]
		RequestID string
		Outcome   protocol.Outcome
		Option    string
		Answers   [][]string
		Result    []byte
		Message   string
		By        string
	}

	// Change sets the title, merges Labels into the labels and Policy into the policy; nil leaves title and policy as they are, and
	// takes a label away. An empty title gives it back to the agent. Requests that are open already stay as they are.
	Change struct {
		ask.Reply[Done]
		Title  *string
		Labels map[string]*string
		Policy *PolicyPatch
	}

	// End ends the session: the agent is stopped, what is open is closed, session_end is written. The answer comes after that;
	// ending an ended session is answered at once.
	End struct {
		ask.Reply[Done]
		Reason string // in the log as a notice; may be empty
		By     string // "client:ID" or ByParent; empty: a client
	}

	// Describe asks for a summary, the queue and the open requests.
	Describe struct{ ask.Reply[Description] }

	// Join asks for the reading side of the session. Name says who reads, for Description; the reader must be left again.
	Join struct {
		ask.Reply[*Reader]
		Name string
	}
)

// Messages of the supervisor, the adapter and the actor itself.
type (
	// Begin is the first message to a new session. Without Start the agent is started with the first prompt. NativeID is the
	// agent's own id of the session, where it is known already: of a sub-agent.
	Begin struct {
		Agent    string
		Metadata protocol.Metadata
		Start    bool
		NativeID string
		Mode     string // to start in; empty: the agent's own
	}

	// Recover follows the replay of a journal: what an earlier daemon left open is closed, and the agent is started again when
	// Resume says so or prompts wait.
	Recover struct {
		Resume bool
		Reason string // "daemon restarted", …: of what is closed
		Told   bool   // others know what had become of this session's turns and prompts
		Epoch  uint64 // when the epoch grew: the new one
		// Incarnation is the newest that was ever asked for, as far as the supervisor and the journal know: the next one is
		// higher, also when no event tells of it.
		Incarnation uint32
	}

	// Rejoin follows the replay of a journal whose agent still runs: only the session's actor was replaced. Batch is the newest
	// batch of the incarnation that the journal has.
	Rejoin struct {
		Incarnation uint32
		Adapter     AdapterRef
		Batch       uint64
		Quarantine  bool // the batch after it has failed the actor again and again
	}

	// AgentStarted says that the adapter of an incarnation runs.
	AgentStarted struct {
		Incarnation uint32
		Adapter     AdapterRef
		WithoutMCP  bool // which the session was made with, and this daemon cannot give
	}

	// GoOn says that an agent which was not started as things were may be started now. It is for prompts that wait.
	GoOn struct{}

	// Batch is what the agent said: a run of drafts, in order. Batches of one incarnation are numbered from 1 without gaps; one
	// that was taken before is confirmed again and otherwise ignored, one of another incarnation is dropped.
	Batch struct {
		Incarnation uint32
		Number      uint64
		Drafts      []adapters.Draft
		Exit        *adapters.Exit // the last batch of an incarnation has it
	}

	// InterruptOverdue says that a turn has not ended in time after an interrupt.
	InterruptOverdue struct{ TurnID string }

	// StartOverdue says that an agent's process has run for long and the agent has not said that it is ready.
	StartOverdue struct{ Incarnation uint32 }

	// StallOverdue asks for a look at an agent that may have said nothing for long.
	StallOverdue struct{}

	// SettingOverdue says that the agent has not answered to a setting in time.
	SettingOverdue struct{ ID string }

	// RequestOverdue says that a request's deadline has passed.
	RequestOverdue struct{ RequestID string }

	// Park stops the agent of an idle session and keeps the session; a prompt starts it again. With Drain a running turn is
	// interrupted, as on the daemon's own end. Parked is answered when the agent has gone.
	Park struct {
		ask.Reply[Parked]
		Drain bool
	}

	// Leave takes a reader out of the subscriber set.
	Leave struct{ Reader *Reader }

	// Doubt says that a reader has found the journal not as it was written. The session looks at it anew, as at a start; Ring is retired then.
	Doubt struct {
		Err  error
		Ring *ring.Ring
	}

	// Synced says that the journal's records up to Seq are on disk, or that they could not be brought there.
	Synced struct {
		Seq uint64
		Err error
	}

	// Rest asks an idle session to give back the memory and the files that only work needs.
	Rest struct{}

	// JournalBack asks the actor to try the journal again after a failed write.
	JournalBack struct{}
)

// NewPrompt is a prompt before it has an id.
type NewPrompt struct {
	Text     string
	Images   []string // references, as in protocol.Prompt, of images that are in the session's folder already (Images.Put)
	Behavior protocol.Behavior
	ClientID string
	Notify   string // id of the session that is prompted when this prompt is settled; empty: none is
}

// Receipt answers SendPrompt.
type Receipt struct {
	PromptID string
	// Cursor is the position from which this prompt, and the turn it makes, can be read.
	Cursor protocol.Cursor
	// Position is the place in the queue: 0 when it was dispatched at once.
	Position int
	// Repeated says that the idempotency key was used before: this is the earlier prompt's receipt.
	Repeated bool
}

// Moved answers MovePrompt.
type Moved struct {
	Position int // from 1
}

// Resolution answers Resolve: what is in the log.
type Resolution struct {
	Outcome protocol.Outcome
	Option  string
}

// Done answers where there is nothing to say.
type Done struct{}

// Interrupted answers Interrupt.
type Interrupted struct {
	TurnID string // empty: nothing was running
}

// Parked answers Park.
type Parked struct {
	Parked bool // false: the session is at work, or read by somebody
}

func (*SendPrompt) message()       {}
func (*CancelPrompt) message()     {}
func (*MovePrompt) message()       {}
func (*Choose) message()           {}
func (*Choices) message()          {}
func (*SettingOverdue) message()   {}
func (*Interrupt) message()        {}
func (*Resolve) message()          {}
func (*CallTool) message()         {}
func (*CancelCall) message()       {}
func (*Change) message()           {}
func (*End) message()              {}
func (*Describe) message()         {}
func (*Join) message()             {}
func (*Begin) message()            {}
func (*Recover) message()          {}
func (*Rejoin) message()           {}
func (*GoOn) message()             {}
func (*AgentStarted) message()     {}
func (*Batch) message()            {}
func (*InterruptOverdue) message() {}
func (*StartOverdue) message()     {}
func (*StallOverdue) message()     {}
func (*RequestOverdue) message()   {}
func (*Park) message()             {}
func (*Leave) message()            {}
func (*Doubt) message()            {}
func (*Synced) message()           {}
func (*Rest) message()             {}
func (*JournalBack) message()      {}

func (*SendPrompt) input()       {}
func (*CancelPrompt) input()     {}
func (*MovePrompt) input()       {}
func (*Choose) input()           {}
func (*SettingOverdue) input()   {}
func (*Interrupt) input()        {}
func (*Resolve) input()          {}
func (*CallTool) input()         {}
func (*CancelCall) input()       {}
func (*Change) input()           {}
func (*End) input()              {}
func (*Begin) input()            {}
func (*Recover) input()          {}
func (*Rejoin) input()           {}
func (*GoOn) input()             {}
func (*AgentStarted) input()     {}
func (*Batch) input()            {}
func (*InterruptOverdue) input() {}
func (*StartOverdue) input()     {}
func (*StallOverdue) input()     {}
func (*RequestOverdue) input()   {}
func (*Park) input()             {}
