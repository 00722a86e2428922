package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// ChildMessage is what a session sends to its root session: the topmost of those that it works for, as a sub-agent or because
// an agent made it (protocol.Metadata.Spawned). What a child asks is asked there as well; which answer was the first, the child alone
// decides. A root that is not there misses nothing: it closes what was open when it starts again, or asks its children with
// TellRoot.
//
//sumtype:decl
type ChildMessage interface {
	Input
	childMessage()
}

type (
	// ChildAsks says that a child has opened a request that waits for a person. Request is as in the child's log. Apart, here and in
	// ChildReport, says that the child is not on the root's own connection: its agent goes on without the root's. The supervisor knows.
	ChildAsks struct {
		ChildID string
		Request protocol.RequestOpened
		Apart   bool
	}

	// ChildResolved says that a child's request is resolved, as in its log. One that the root does not have open says nothing.
	ChildResolved struct {
		ChildID  string
		Resolved protocol.RequestResolved
	}

	// ChildReport is all that a child has open, and what it has resolved of late: what the root has open beyond it is closed.
	ChildReport struct {
		ChildID  string
		Open     []protocol.RequestOpened
		Resolved []protocol.RequestResolved
		Apart    bool
	}

	// ChildSpawned says that a session was made that works for this one, and is no sub-agent of its agent: by a client, or by the
	// agent over the daemon's MCP server. The supervisor sends it, more than once.
	ChildSpawned struct {
		ChildID string
		Title   string
	}

	// ChildGone says that a child can report nothing any more: it was removed, or its actor fails for ever. The supervisor
	// sends it.
	ChildGone struct{ ChildID string }

	// ChildNews says what has become of the newest turn of a session that works for this one and is no sub-agent of its agent, and of that
	// session. It may come more than once, and tells the whole each time.
	ChildNews struct {
		ChildID    string
		TurnID     string // of its newest turn that has ended
		TurnStatus protocol.TurnStatus
		Cause      protocol.TurnCause
		Ended      protocol.EndReason // empty: it has not ended
	}

	// PromptSettled says what has become of a prompt that names this session as the one to tell (NewPrompt.Notify): this session is given
	// a prompt that says so. It may come more than once.
	PromptSettled struct {
		SessionID string // that the prompt was sent to
		Title     string
		PromptID  string
		TurnID    string // that it was carried out in; empty: in none
		Status    protocol.TurnStatus
		Cause     protocol.TurnCause
		Error     string
		Answer    string // the beginning of the turn's last message
		Bytes     int    // of the whole message
	}

	// TellNews asks for ChildNews and PromptSettled once more: those that it goes to may have missed the first.
	TellNews struct{}

	// Waive takes back the wish to be told of a prompt: the session that was to be told knows already.
	Waive struct{ SessionID, PromptID string }
)

// Messages to the session of a sub-agent.
type (
	// Adopt tells a sub-agent's session that its lane is (again) there: it asks for an adapter with StartAgent, Spec.Child set. A
	// session that has ended is revived; one that has an agent ignores it.
	Adopt struct{}

	// TellRoot asks for a ChildReport, of this session and of its own children. Without Wake it is not for a session that has no
	// actor: that has nothing to tell. With it, Root is the session that asks: it gets ChildGone where the session is not there any more.
	TellRoot struct {
		Wake bool
		Root string
	}
)

func (*ChildAsks) childMessage()     {}
func (*ChildResolved) childMessage() {}
func (*ChildReport) childMessage()   {}
func (*ChildGone) childMessage()     {}
func (*ChildSpawned) childMessage()  {}

func (*ChildAsks) input()     {}
func (*ChildResolved) input() {}
func (*ChildReport) input()   {}
func (*ChildGone) input()     {}
func (*ChildSpawned) input()  {}
func (*Adopt) input()         {}
func (*TellRoot) input()      {}
func (*ChildNews) input()     {}
func (*PromptSettled) input() {}
func (*Waive) input()         {}
func (*TellNews) input()      {}
