package join

import (
	"cmp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// NewestTurn is what the end of a log says.
type NewestTurn struct {
	begun   bool
	prompt  string // that made it
	text    string // the last message that is not empty
	entry   string // the entry that it is
	Outcome string // of the turn; empty: it runs
	Problem string
	state   protocol.State
	news    uint64 // seq of the newest event that may change what is waited for
}

func (n *NewestTurn) apply(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.TurnStart:
		*n = NewestTurn{begun: true, state: n.state, news: n.news}
		if p.Prompt != nil {
			n.prompt = p.Prompt.PromptID
		}
	case *protocol.EntryEnd:
		if d, ok := p.Data.(*protocol.MessageData); ok && p.EntryType == protocol.EntryAssistantMessage && d.Text != "" {
			n.text, n.entry = d.Text, p.EntryID
		}
	case *protocol.TurnEnd:
		n.news = e.Seq
		n.Ended(p)
	case *protocol.Status:
		n.state, n.news = p.State, e.Seq
	case *protocol.RequestOpened, *protocol.PromptRemoved:
		n.news = e.Seq
	default:
	}
}

// Ended is the result of a turn.
func (n *NewestTurn) Ended(p *protocol.TurnEnd) {
	told := strings.TrimSpace(p.Error + "\n" + p.Hint)
	switch {
	case p.Failed():
		n.Outcome, n.Problem = output.Failed, cmp.Or(told, "The turn failed.")
	case p.Status == protocol.TurnInterrupted:
		n.Outcome, n.Problem = output.Interrupted, "The turn was interrupted ("+string(cmp.Or(p.Cause, protocol.CauseUser))+")."
	default:
		n.Outcome = output.Completed
	}
}
