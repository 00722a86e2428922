package task

import (
	"cmp"
	"maps"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// taskFold is what a log says of one prompt, as far as it was read.
type taskFold struct {
	mu sync.Mutex
	taskLog
}

type taskLog struct {
	promptID string
	text     string // how the prompt begins
	epoch    uint64
	at       uint64
	created  int64
	updated  int64
	seen     bool
	first    uint64 // seq of the first event that is about the prompt
	turnID   string // the turn that the prompt made, or that it went into
	steered  bool   // it went into a turn that ran
	running  string // the turn that runs there
	requests []*protocol.RequestOpened

	open  map[string]bool // messages of the agent that have begun and not ended
	early map[string]bool // those of them that had begun before the agent took the prompt: they answer another one

	state  string // empty: not over
	answer string // how the last message since the prompt was taken begins
	length int    // of that message, in bytes
	entry  string // the entry that it is
	why    string // of a task that did not come to a good end
	failed bool   // completed, and the agent says that it failed

	damage *protocol.Damage // of the log, as it was last read
}

// lost says that nobody will ever know what became of the prompt.
func (f *taskLog) lost() bool { return f.state == "" && f.damage != nil }

func (f *taskLog) apply(e *protocol.Event) {
	f.at = e.Seq
	works := f.works()
	switch p := e.Payload.(type) {
	case *protocol.PromptQueued:
		if p.PromptID == f.promptID {
			f.see(e)
			f.text = strings.Clone(protocol.Head(p.Text, compared))
		}
	case *protocol.PromptRemoved:
		f.removed(p)
	case *protocol.TurnStart:
		f.running = p.TurnID
		if p.Prompt != nil && p.Prompt.PromptID == f.promptID {
			f.see(e)
			f.took(p.TurnID, false)
		}
	case *protocol.TurnEnd:
		f.running = ""
		f.turnEnded(p)
	case *protocol.EntryStart:
		f.begins(p)
	case *protocol.EntryEnd:
		f.ends(p)
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
			f.sessionEnded(p)
		}
	default:
	}
	if works || f.works() || f.state != "" {
		f.updated = e.Time
	}
}

// compared is how much of two prompts is compared, in bytes.
const compared = 512

// see notes that there is such a prompt. Retention may have dropped the events of its way through the queue.
func (f *taskLog) see(e *protocol.Event) {
	if !f.seen {
		f.seen, f.first, f.created, f.updated = true, e.Seq, e.Time, e.Time
	}
}

// lastBefore is the index behind which events are about the prompt, as session_message names it.
func (f *taskLog) lastBefore() int { return int(f.first) - 2 }

// works says that the turn runs that the prompt is of.
func (f *taskLog) works() bool { return f.turnID != "" && f.turnID == f.running }

// took notes that the agent has the prompt: what it says from here on is the answer.
func (f *taskLog) took(turnID string, steered bool) {
	f.turnID, f.steered, f.answer, f.length, f.early = turnID, steered, "", 0, maps.Clone(f.open)
}

func (f *taskLog) begins(p *protocol.EntryStart) {
	switch d := p.Data.(type) {
	case *protocol.MessageData:
		switch {
		case p.EntryType == protocol.EntryAssistantMessage:
			if f.open == nil {
				f.open = map[string]bool{}
			}
			f.open[p.EntryID] = true
		case p.EntryType == protocol.EntryUserMessage && f.steered && p.TurnID == f.turnID && protocol.Head(d.Text, compared) == f.text:
			f.took(f.turnID, true) // some agents take a message some time after they have got it
		}
	default:
	}
}

func (f *taskLog) ends(p *protocol.EntryEnd) {
	delete(f.open, p.EntryID)
	d, ok := p.Data.(*protocol.MessageData)
	if ok && p.EntryType == protocol.EntryAssistantMessage && p.TurnID == f.turnID && d.Text != "" && !f.early[p.EntryID] {
		f.answer, f.length, f.entry = strings.Clone(protocol.Head(d.Text, protocol.BriefMessage)), len(d.Text), p.EntryID
	}
}

func (f *taskLog) removed(p *protocol.PromptRemoved) {
	switch {
	case p.PromptID != f.promptID:
	case p.Reason == protocol.RemovedDispatched:
		if f.running != "" { // otherwise it makes a turn
			f.took(f.running, true)
		}
	case p.Error == "":
		f.state, f.why = Cancelled, "The prompt was taken out of the queue."
	case p.Error == protocol.RemovedByInterrupt:
		f.state, f.why = Cancelled, "The turn that the prompt was to go into was interrupted."
	case p.Error == protocol.RemovedByEnd: // the end of the session follows, and says why
	case p.Error == protocol.RemovedByLoss, p.Error == protocol.RemovedUnconnected:
		f.state, f.why = Failed, "The agent was lost before it had the prompt: "+p.Error+"."
	default: // the agent's own word
		f.state, f.failed, f.why = Completed, true, "The agent refused the prompt: "+p.Error
	}
}

func (f *taskLog) turnEnded(p *protocol.TurnEnd) {
	if f.turnID == "" || p.TurnID != f.turnID {
		return
	}
	told := strings.TrimSpace(p.Error + "\n" + p.Hint)
	switch {
	case p.Status == protocol.TurnCompleted:
		f.state = Completed
	case p.Lost():
		f.state, f.why = Failed, "The agent was lost: "+told
	case p.Status == protocol.TurnError:
		f.state, f.failed, f.why = Completed, true, cmp.Or(told, "The turn failed.")
	case p.Cause == protocol.CauseDaemon:
		f.state, f.why = Failed, "The turn was interrupted, for the daemon ended: "+told
	case p.Cause == protocol.CauseParent:
		f.state, f.why = Cancelled, "The turn was interrupted by the session that it works for."
	case p.Cause == protocol.CauseAgent:
		f.state, f.why = Cancelled, "The turn was interrupted by the agent itself."
	default:
		f.state, f.why = Cancelled, "The turn was interrupted by a client."
	}
}

// sessionEnded is for a prompt that no turn had to answer for any more.
func (f *taskLog) sessionEnded(p *protocol.SessionEnd) {
	told := strings.TrimSpace("The session has ended. " + p.Error)
	f.state, f.why = Failed, told
	if p.Reason == protocol.EndTerminated {
		f.state = Cancelled
	}
}

// asks are the requests that this task waits for.
func (f *taskLog) asks() (list []*protocol.RequestOpened) {
	if !f.works() {
		return nil
	}
	for _, r := range f.requests {
		if r.TurnID == f.turnID {
			list = append(list, r)
		}
	}
	return list
}

// outcome is the result of one prompt, and of no other.
func (f *taskLog) outcome() (r output.Result) {
	r = output.Result{Text: f.answer, Error: f.why}
	if f.length > len(f.answer) {
		r.Bytes, r.Entry = f.length, f.entry
	}
	switch {
	case f.lost():
		r.Outcome, r.Error = output.Failed, output.EndUnknown
	case f.state == "":
		r.Outcome = output.Working
	case f.state == Completed && !f.failed:
		r.Outcome = output.Completed
	case f.state == Cancelled && f.turnID != "":
		r.Outcome = output.Interrupted
	case f.state == Cancelled:
		r.Outcome = output.Cancelled
	default:
		r.Outcome = output.Failed
	}
	return r
}
