package mcp

import (
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// taskFold is what a log says of one prompt, as far as it was read.
type taskFold struct {
	mu sync.Mutex
	taskLog
}

type taskLog struct {
	promptID string
	epoch    uint64
	at       uint64
	created  int64
	updated  int64
	seen     bool
	turnID   string // the turn that the prompt made, or that it went into
	running  string // the turn that runs there
	state    string // empty: not over
	answer   string
	problem  string
	requests []*protocol.RequestOpened
}

func (f *taskLog) apply(e *protocol.Event) {
	f.at = e.Seq
	if f.seen {
		f.updated = e.Time
	}
	switch p := e.Payload.(type) {
	case *protocol.PromptQueued:
		if p.PromptID == f.promptID {
			f.seen, f.created, f.updated = true, e.Time, e.Time
		}
	case *protocol.PromptRemoved:
		f.removed(p)
	case *protocol.TurnStart:
		f.running = p.TurnID
		if p.Prompt != nil && p.Prompt.PromptID == f.promptID {
			f.turnID, f.answer = p.TurnID, ""
		}
	case *protocol.TurnEnd:
		f.running = ""
		f.turnEnded(p)
	case *protocol.EntryEnd:
		if d, ok := p.Data.(*protocol.MessageData); ok && p.EntryType == protocol.EntryAssistantMessage && d.Text != "" {
			f.answer = d.Text
		}
	case *protocol.RequestOpened:
		if p.Kind != protocol.RequestCallerTool { // no form for it: callers answer those as ever
			f.requests = append(f.requests, p)
		}
	case *protocol.RequestResolved:
		for i, r := range f.requests {
			if r.RequestID == p.RequestID {
				f.requests = append(f.requests[:i:i], f.requests[i+1:]...)
				break
			}
		}
	case *protocol.SessionEnd:
		if f.seen {
			f.state, f.problem = taskFailed, "The session has ended. "+p.Error
		}
	default:
	}
}

func (f *taskLog) removed(p *protocol.PromptRemoved) {
	switch {
	case p.PromptID != f.promptID:
	case p.Reason == protocol.RemovedCancelled && p.Error != "":
		f.state, f.problem = taskFailed, p.Error
	case p.Reason == protocol.RemovedCancelled:
		f.state = taskCancelled
	case f.running != "": // it went into the running turn
		f.turnID = f.running
	}
}

func (f *taskLog) turnEnded(p *protocol.TurnEnd) {
	if f.turnID == "" || p.TurnID != f.turnID {
		return
	}
	switch p.Status {
	case protocol.TurnCompleted:
		f.state = taskCompleted
	case protocol.TurnInterrupted:
		f.state = taskCancelled
	default:
		f.state, f.problem = taskFailed, strings.TrimSpace(p.Error+"\n"+p.Hint)
	}
}

// open are the requests that this task waits for.
func (f *taskLog) open() []*protocol.RequestOpened {
	if f.turnID == "" || f.turnID != f.running {
		return nil
	}
	return f.requests
}
