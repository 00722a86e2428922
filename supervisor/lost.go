package supervisor

import "github.com/ringmaster-agents/ringmaster/actors/ask"

// Lost says, for each type of message that is no question, what is lost when such a message reaches no actor. The supervisor has ended then, and with it
// all that it would have begun or noted; so only the end of a deletion is lost.

// Lost implements ask.Letter.
func (*removeNow) Lost() ask.Loss { return ask.Something }

// Lost implements ask.Letter.
func (*found) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*offered) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*announced) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*startAgent) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*delayAgent) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*cancelStart) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*hastenStart) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*parked) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*childEnded) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*opened) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*processGone) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*takeUp) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*sweep) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*overdue) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*revive) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*adoptChild) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*toRoot) Lost() ask.Loss { return ask.Nothing }

// Undelivered ends, or answers, what they carry.

// Lost implements ask.Letter.
func (*launched) Lost() ask.Loss { return ask.Asked }

// Lost implements ask.Letter.
func (*toSession) Lost() ask.Loss { return ask.Asked }

// Lost implements ask.Letter.
func (*reopen) Lost() ask.Loss { return ask.Nothing }
func (*unmade) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*removed) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*lookedAtBudgets) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*measured) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*dropped) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*retain) Lost() ask.Loss { return ask.Nothing }
