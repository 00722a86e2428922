package session

import "github.com/ringmaster-agents/ringmaster/actors/ask"

// What is lost with a message that reaches nobody, of each type that is no question. A new type does not compile without a word about it.

// First inputs are no letters: an actor has its own with it.

// Lost implements ask.Letter.
func (*Begin) Lost() ask.Loss { return ask.Something }

// Lost implements ask.Letter.
func (*Recover) Lost() ask.Loss { return ask.Something }

// Lost implements ask.Letter.
func (*Rejoin) Lost() ask.Loss { return ask.Something }

// The next actor is told of its adapter, and the adapter has what was not confirmed.

// Lost implements ask.Letter.
func (*AgentStarted) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Batch) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Confirm) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Tell) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*StopAgent) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*EndOrphans) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Attach) Lost() ask.Loss { return ask.Asked }

// They are about an actor that is not there any more, or about something that it waited for.

// Lost implements ask.Letter.
func (*Leave) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Doubt) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Rest) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Synced) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*JournalBack) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*InterruptOverdue) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter. The next prompt, or the next start of the session, does the same.
func (*GoOn) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*StartOverdue) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*StallOverdue) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*SettingOverdue) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*RequestOverdue) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*CancelCall) Lost() ask.Loss { return ask.Nothing }

// They follow from a log, and are told again at the start of the one or the other.

// Lost implements ask.Letter.
func (*Adopt) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*TellRoot) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*ChildAsks) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*ChildResolved) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*ChildReport) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*ChildGone) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*ChildSpawned) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*ChildNews) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*PromptSettled) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Waive) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*TellNews) Lost() ask.Loss { return ask.Nothing }
