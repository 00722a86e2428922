package mcp

import (
	"cmp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// newestTurn is what the end of a log says.
type newestTurn struct {
	begun   bool
	prompt  string // that made it
	text    string // the last message that is not empty
	entry   string // the entry that it is
	outcome string // of the turn; empty: it runs
	problem string
	state   protocol.State
	news    uint64 // seq of the newest event that may change what is waited for
}

func (n *newestTurn) apply(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.TurnStart:
		*n = newestTurn{begun: true, state: n.state, news: n.news}
		if p.Prompt != nil {
			n.prompt = p.Prompt.PromptID
		}
	case *protocol.EntryEnd:
		if d, ok := p.Data.(*protocol.MessageData); ok && p.EntryType == protocol.EntryAssistantMessage && d.Text != "" {
			n.text, n.entry = d.Text, p.EntryID
		}
	case *protocol.TurnEnd:
		n.news = e.Seq
		n.ended(p)
	case *protocol.Status:
		n.state, n.news = p.State, e.Seq
	case *protocol.RequestOpened, *protocol.PromptRemoved:
		n.news = e.Seq
	default:
	}
}

// ended is the result of a turn.
func (n *newestTurn) ended(p *protocol.TurnEnd) {
	told := strings.TrimSpace(p.Error + "\n" + p.Hint)
	switch {
	case p.Failed():
		n.outcome, n.problem = output.Failed, cmp.Or(told, "The turn failed.")
	case p.Status == protocol.TurnInterrupted:
		n.outcome, n.problem = output.Interrupted, "The turn was interrupted ("+string(cmp.Or(p.Cause, protocol.CauseUser))+")."
	default:
		n.outcome = output.Completed
	}
}
