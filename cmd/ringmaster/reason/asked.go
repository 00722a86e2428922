package reason

import (
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Asked says why a person is asked, as far as the session's policy says it (spec §4.10).
func Asked(q *protocol.RequestOpened, p *protocol.Policy) string {
	switch {
	case q.Kind == protocol.RequestQuestion || q.Kind == protocol.RequestElicitation:
		return "The agent asks; no policy answers questions."
	case q.Kind != protocol.RequestApproval:
		return ""
	case q.Guarded:
		return "It reaches into the daemon's own folder, which no policy answers."
	case p == nil || len(p.Rules) == 0 && p.Mode == "":
		return "This session has no policy, so every approval is asked."
	case len(p.Rules) == 0:
		return "The session's policy is " + string(p.Mode) + ", which does not cover this."
	case len(p.Rules) == 1:
		return "The one rule of the session's policy does not answer this."
	default:
		return fmt.Sprintf("None of the %d rules of the session's policy answers this.", len(p.Rules))
	}
}

// Deadline says what happens when nobody answers; empty: the agent waits.
func Deadline(q *protocol.RequestOpened, now time.Time) string {
	if q.Deadline == 0 {
		return ""
	}
	left := max(0, time.UnixMilli(q.Deadline).Sub(now)).Round(time.Second)
	clock := fmt.Sprintf("%d:%02d", int(left.Minutes()), int(left.Seconds())%60)
	switch q.Default {
	case protocol.PolicyAllow:
		return "allowed in " + clock
	case protocol.PolicyDeny:
		return "denied in " + clock
	case protocol.PolicyDenyStop:
		return "denied, and the turn stopped, in " + clock
	default:
		return "the agent goes on in " + clock
	}
}
