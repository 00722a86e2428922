package terminal

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// notice shows an event that is no entry.
func (v *View) notice(e *protocol.Event) []string {
	n := &v.pen
	switch p := e.Payload.(type) {
	case *protocol.SessionStart:
		what := "session "
		if p.Metadata.SubAgent {
			what = "sub-agent's session "
		}
		v.asks.start(p.Metadata.Policy)
		return append([]string{n.style.Dim(what + n.oneLine(p.SessionID, 20) + " · " + n.oneLine(p.AgentBackend, 20) + n.where(p.Metadata.Cwd))},
			n.policy(p.Metadata.Policy)...)
	case *protocol.SessionEnd:
		return n.sessionEnd(p)
	case *protocol.ChildSession:
		return []string{n.child(p)}
	case *protocol.Epoch:
		return []string{n.style.Warn("! epoch " + strconv.FormatUint(p.Epoch, 10) + ": events were lost" + n.reason(p.Reason))}
	case *protocol.TurnStart:
		v.turn, v.begun = newTurn(e, p), true
	case *protocol.TurnEnd:
		return v.turn.end(n, e, p)
	case *protocol.TokenUsage:
		v.turn.use(&p.Usage)
	case *protocol.RequestOpened:
		v.entries.opened(p, e.Time)
		v.asks.opened(p)
		return n.request(p, e.Time)
	case *protocol.RequestResolved:
		v.entries.resolved(p.RequestID, e.Time)
		return n.resolved(p, v.asks.resolved(p))
	case *protocol.PromptQueued:
		v.queued[p.PromptID] = p.Text
		if v.turn.id != "" {
			return append([]string{n.style.Dim("+ queued: " + n.oneLine(p.Text, 12))}, n.pictures(p.Images)...)
		}
	case *protocol.PromptMoved:
		where := "to the end of the queue"
		if p.Before != "" {
			where = "before: " + v.waiting(p.Before)
		}
		return []string{n.style.Dim("~ moved: " + v.waiting(p.PromptID) + ", " + where)}
	case *protocol.PromptRemoved:
		text := v.queued[p.PromptID]
		delete(v.queued, p.PromptID)
		if p.Reason == protocol.RemovedCancelled {
			return []string{n.style.Dim("- taken from the queue: " + n.oneLine(text, 30) + n.reason(p.Error))}
		}
	case *protocol.Status:
		v.status = *p
	case *protocol.SessionMeta:
		v.asks.change(p.Policy)
		return n.meta(p, v.begun)
	case *protocol.BudgetMark:
		return []string{n.budget(p)}
	case *protocol.EntryMeta, *protocol.EntryStart, *protocol.EntryDelta, *protocol.EntryEnd, *protocol.Unknown:
	}
	return nil
}

// waiting is how a prompt of the queue is called: by its text, or its id where the text was not seen.
func (v *View) waiting(id string) string {
	if text := v.queued[id]; text != "" {
		return v.pen.oneLine(text, 36)
	}
	return v.pen.oneLine(id, 36)
}

func (n *pen) sessionEnd(p *protocol.SessionEnd) []string {
	if p.Reason != protocol.EndError {
		return []string{n.style.Dim("session ended: " + n.oneLine(string(p.Reason), 20) + n.reason(p.Error))}
	}
	return append([]string{n.style.Bad("✗ session failed" + n.reason(p.Error))}, n.hint(p.Hint)...)
}

// budget says that a limit is near, reached, or neither any more.
func (n *pen) budget(p *protocol.BudgetMark) string {
	whose := ""
	if p.Of != "" {
		whose = " of " + n.oneLine(string(p.Scope), 12) + " " + n.oneLine(p.Of, 40)
	}
	line := fmt.Sprintf("budget %s: %d of %d %s%s", n.oneLine(string(p.State), 12), p.Spent, p.Max, n.oneLine(string(p.Limit), 20), whose)
	if p.State != protocol.BudgetReached {
		return n.style.Dim(line)
	}
	return n.style.Bad("✗ " + line + ", so: " + n.oneLine(string(cmp.Or(p.Action, protocol.BudgetPause)), 20))
}

// child names a session that works for this one, and says how its newest turn ended.
func (n *pen) child(p *protocol.ChildSession) string {
	line := n.style.Accent("↳ ") + "child session " + n.oneLine(p.ChildSessionID, 40) + " " + n.oneLine(p.Title, 60)
	if p.TurnID != "" {
		line += ": " + n.oneLine(p.TurnID, 12) + " " + n.oneLine(string(p.TurnStatus), 20) + n.reason(string(p.Cause))
	}
	if p.Ended != "" {
		line += ", ended: " + n.oneLine(string(p.Ended), 20)
	}
	return line
}
