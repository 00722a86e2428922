package wait

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// until are the conditions of a wait, of which one is enough.
type until struct {
	states  []protocol.State
	ended   bool
	request bool
	rest    bool
	seq     uint64 // 0: none
	ofTurn  bool
	turn    uint64 // its number
	current bool   // which is found at the first look
	prompt  string // empty: none
}

// untilOf checks conditions.
func untilOf(u *resource.WaitUntil) (*until, error) {
	if err := selection.CheckStates(u.States); err != nil {
		return nil, err
	}
	x := &until{
		states: u.States, ended: u.Ended, request: u.Request, rest: u.Rest, seq: u.Seq, prompt: u.Prompt,
		ofTurn: u.Turn != "", current: u.Turn == resource.CurrentTurn, turn: protocol.TurnNumber(u.Turn),
	}
	if u.Turn != "" && !x.current && x.turn == 0 {
		return nil, invalid("That is no id of a turn.", `Turns are called t1, t2 and so on, as turn_start has it; "current" is the one that runs.`)
	}
	if len(x.states) == 0 && !x.ended && !x.request && !x.rest && x.seq == 0 && u.Turn == "" && x.prompt == "" {
		return nil, invalid("The wait has no condition.", `Give "until" one of states, ended, request, rest, seq, turn and prompt.`)
	}
	return x, nil
}

// turnID is the id of the turn that is waited for; empty: of none, or the current one is not known yet.
func (u *until) turnID() string {
	if !u.ofTurn || u.current {
		return ""
	}
	return protocol.TurnID(u.turn)
}

// oneSession says that a condition names something of one session's log.
func (u *until) oneSession() bool { return u.ofTurn || u.prompt != "" }

// find sets the turn that is current. The session tells.
func (u *until) find(x *roster.Session) {
	if !u.current {
		return
	}
	about := x.About()
	u.current, u.turn = false, uint64(about.Turns)
	if about.Turn == "" && works(x) {
		u.turn++
	}
}

// works says that a prompt is not settled. Of another node's session it is known alone how many wait.
func works(x *roster.Session) bool {
	return len(x.About().Prompts) > 0 || x.About().Status.QueuedPrompts > 0
}

// holds gives the condition that holds of a session; empty: none does. What rests on a summary holds only where the log shows it. A prompt that is not among
// those that are known to be unsettled may be one that the session does not know: the log says that.
func (u *until) holds(x *roster.Session) resource.WaitReason {
	if u.seq > 0 && x.Cursor().Seq >= u.seq {
		return resource.BecauseSeq
	}
	u.find(x) // also where its end would not be believed yet: whoever asks again is to be told which turn was meant
	if !x.Tells() {
		return ""
	}
	about := x.About()
	ended, asks := about.Status.State.Ended(), len(about.Open) > 0 && about.Damage == nil
	switch {
	case slices.Contains(u.states, about.Status.State):
		return resource.BecauseStates
	case u.ended && ended:
		return resource.BecauseEnded
	case u.request && asks:
		return resource.BecauseRequest
	case u.prompt != "" && (!slices.Contains(about.Prompts, u.prompt) || about.Damage != nil):
		return resource.BecausePrompt
	case u.turnOver(x):
		return resource.BecauseTurn
	case u.rest && (ended || asks || about.Damage != nil || about.Status.State == protocol.StateIdle && !works(x)):
		return resource.BecauseRest
	}
	return ""
}

// turnOver says that the turn has ended that is waited for; where none was current, none is.
func (u *until) turnOver(x *roster.Session) bool {
	about := x.About()
	return u.ofTurn && uint64(about.Turns) >= u.turn && (about.Turn == "" || protocol.TurnNumber(about.Turn) != u.turn)
}
