package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Ledger checks the grammar of the drafts of one incarnation:
//
//   - entry keys are 1, 2, 3 …; an entry is opened once, changed and closed at most once only while it is open, and bound
//     only when it exists. The end of a turn closes what is open, but the tool calls that it says run on.
//   - no text and no tool call begins while another text of the turn, or a thought, stands open that has something to say: a text
//     ends when the next block begins, whenever the agent says so.
//   - turns do not overlap; requests are opened once and closed at most once. An approval offers the normalised answers, and
//     says for the policies what the tool does.
//   - children are told of by tool calls and have ids; what is offered has ids, each once.
//   - what is more than the limit follows what was kept, in order.
//   - changes suit the type of their entry, data is of that type, can be written and read back, and holds no text over
//     the limit.
type Ledger struct {
	// Interleaves says that texts may stand open while others begin.
	Interleaves bool
	// MaxText is how much of one text drafts may have, in bytes; 0: adapters.MaxText.
	MaxText int

	entries  []*held
	requests []bool // open; by key-1
	inTurn   bool
	bound    map[string]bool // entries of earlier starts
}

type held struct {
	kind protocol.EntryType
	open bool
	text int   // bytes of the changes
	said int   // bytes that a reader sees of a text or a thought
	over int64 // where the next overflow of the text may begin
}

func (l *Ledger) limit() int { return cmp.Or(l.MaxText, adapters.MaxText) }

// maxSubject is how much of a subject there may be in any case: policies need the whole, and take adapters.MaxText for one.
const maxSubject = adapters.MaxText

// Take takes the next draft and says which rule it breaks, if any.
func (l *Ledger) Take(d adapters.Draft) string {
	switch d := d.(type) {
	case adapters.TurnBegan:
		if l.inTurn {
			return "a turn inside a turn"
		}
		if d.Prompt != nil && len(d.Prompt.Text) > l.limit() {
			return "a prompt over the limit"
		}
		l.inTurn = true
	case adapters.TurnEnded:
		return l.turnEnded(d)
	case adapters.EntryOpened:
		if int(d.Key) != len(l.entries)+1 {
			return fmt.Sprintf("want key %d", len(l.entries)+1)
		}
		problem := l.order(d.Type)
		e := &held{kind: d.Type, open: true}
		for _, text := range texts(d.Data) {
			e.said += len(text)
		}
		l.entries = append(l.entries, e)
		return cmp.Or(problem, dataProblem(d.Type, d.Data, l.limit()))
	case adapters.EntryChanged:
		return l.changed(d)
	case adapters.EntryOverflow:
		return l.overflowed(d)
	case adapters.EntryClosed:
		e := l.entry(d.Key)
		if e == nil || !e.open {
			return "closes what is not open"
		}
		e.open = false
		if d.Incomplete && d.Reason == "" {
			return "incomplete without a reason"
		}
		return dataProblem(e.kind, d.Data, l.limit())
	case adapters.EntryBound:
		_, _, earlier := protocol.ParseEntryID(d.ID)
		switch {
		case d.PersistentID == "":
			return "binds nothing"
		case d.Key == 0 && (!earlier || l.bound[d.ID]):
			return "binds no entry of an earlier start, or one twice"
		case d.Key == 0:
			if l.bound == nil {
				l.bound = map[string]bool{}
			}
			l.bound[d.ID] = true
		case l.entry(d.Key) == nil || d.ID != "":
			return "binds nothing"
		}
	case adapters.RequestOpened:
		return l.requestOpened(d)
	case adapters.RequestClosed:
		if d.Key == 0 || int(d.Key) > len(l.requests) || !l.requests[d.Key-1] {
			return "closes what is not open"
		}
		l.requests[d.Key-1] = false
		if d.Outcome == "" {
			return "no outcome"
		}
	case adapters.PhaseChanged:
		switch d.State {
		case protocol.StateResponding, protocol.StateRetrying, protocol.StateCompacting, protocol.StateIdle:
		default:
			return "not a phase that translators report"
		}
	case adapters.Notice:
		if d.Kind == "" || d.Level == "" || len(d.Text) > adapters.MaxText || !utf8.ValidString(d.Text) {
			return "without kind or level, or with a bad text"
		}
	case adapters.Native:
		if d.Kind == "" {
			return "no kind"
		}
		if _, err := protocol.Compact(d.Raw); err != nil {
			return err.Error()
		}
	case adapters.Used:
		if u := d.Usage.Usage; u.InputTokens+u.OutputTokens+u.TotalTokens == 0 {
			return "nothing used"
		}
	case adapters.PromptAnswered:
		if (d.Result == adapters.PromptRefused) != (d.Error != "") {
			return "an error goes with a refusal"
		}
	case adapters.SessionLeft:
		if d.To < adapters.ToNew || d.To > adapters.ToCopy {
			return "leaves for nowhere"
		}
	case adapters.ChildBegan:
		if e := l.entry(d.Entry); d.Entry != 0 && (e == nil || e.kind != protocol.EntryToolCall) {
			return "of no tool call"
		}
		if d.NativeID == "" {
			return "a child without an id"
		}
	case adapters.Offered:
		return offeredProblem(d)
	case adapters.SettingAnswered:
		if d.Result < adapters.SettingNow || d.Result > adapters.SettingRefused {
			return "no result"
		}
		if (d.Result == adapters.SettingRefused) != (d.Error != "") {
			return "an error goes with a refusal"
		}
	case adapters.Ready, adapters.MetaChanged, adapters.NativeQueue:
	}
	return ""
}

// block says that an entry is a block of a message of the model.
func block(kind protocol.EntryType) bool {
	return kind == protocol.EntryAssistantMessage || kind == protocol.EntryThinking || kind == protocol.EntryToolCall
}

// order looks at what stands open where an entry begins.
func (l *Ledger) order(kind protocol.EntryType) string {
	if l.Interleaves || !block(kind) {
		return ""
	}
	for i, e := range l.entries {
		if e.open && e.said > 0 && block(e.kind) && e.kind != protocol.EntryToolCall {
			return fmt.Sprintf("begins while the text of entry %d stands open", i+1)
		}
	}
	return ""
}

func (l *Ledger) entry(k adapters.EntryKey) *held {
	if k == 0 || int(k) > len(l.entries) {
		return nil
	}
	return l.entries[k-1]
}

func (l *Ledger) turnEnded(d adapters.TurnEnded) string {
	if !l.inTurn {
		return "no turn to end"
	}
	l.inTurn = false
	for _, k := range d.Running {
		if e := l.entry(k); e == nil || !e.open || e.kind != protocol.EntryToolCall {
			return fmt.Sprintf("entry %d is no open tool call that could run on", k)
		}
	}
	for i, e := range l.entries {
		e.open = e.open && slices.Contains(d.Running, adapters.EntryKey(i+1))
	}
	clear(l.requests)
	if d.Status == protocol.TurnError && d.Error == "" {
		return "an error without words"
	}
	if d.Lost && d.Status != protocol.TurnInterrupted {
		return "lost, and not interrupted"
	}
	return ""
}

func (l *Ledger) requestOpened(d adapters.RequestOpened) string {
	if int(d.Key) != len(l.requests)+1 {
		return fmt.Sprintf("want key %d", len(l.requests)+1)
	}
	l.requests = append(l.requests, true)
	if e := l.entry(d.Entry); d.Entry != 0 && (e == nil || !e.open || e.kind != protocol.EntryToolCall) {
		return "about no open tool call"
	}
	r := d.Request
	if len(r.Subject) > max(l.limit(), maxSubject) || len(r.Text) > l.limit() {
		return "a text over the limit"
	}
	if problem := askedDiffProblem(&r, l.limit()); problem != "" {
		return problem
	}
	switch r.Kind {
	case protocol.RequestApproval:
		if problem := approvalProblem(&r); problem != "" {
			return problem
		}
	case protocol.RequestQuestion, protocol.RequestElicitation:
		if len(r.Questions) == 0 {
			return "no question"
		}
	default:
		return "no kind"
	}
	if r.RequestID+r.TurnID+r.EntryID != "" {
		return "the ids are the session's"
	}
	return ""
}

// approvalProblem looks at what people and policies need of an approval.
func approvalProblem(r *protocol.RequestOpened) string {
	if len(r.Options) == 0 {
		return "nothing to choose"
	}
	var ids []string
	for _, o := range r.Options {
		if !slices.Contains([]string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop}, o.ID) {
			return fmt.Sprintf("%q is none of the normalised answers", o.ID)
		}
		if slices.Contains(ids, o.ID) {
			return fmt.Sprintf("the answer %q twice", o.ID)
		}
		ids = append(ids, o.ID)
	}
	switch r.ToolKind {
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute, protocol.ToolFetch, protocol.ToolOther:
	default:
		return "no kind of tool"
	}
	return ""
}

// offeredProblem: ids are what a client sends back.
func offeredProblem(d adapters.Offered) string {
	if d.Models == nil && d.Modes == nil {
		return "offers nothing"
	}
	for _, list := range [][]adapters.Choice{d.Models, d.Modes} {
		seen := map[string]bool{}
		for _, c := range list {
			if c.ID == "" || seen[c.ID] {
				return fmt.Sprintf("the choice %q is empty or there twice", c.ID)
			}
			seen[c.ID] = true
		}
	}
	return ""
}

// lineProblem says what is wrong with a line to the agent. Every agent so far reads JSON.
func lineProblem(line []byte) string {
	switch {
	case bytes.ContainsAny(line, "\n\r"):
		return "has a line break"
	case !json.Valid(line):
		return "is no JSON"
	}
	return ""
}
