package conformance

import (
	"bytes"
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
//   - turns do not overlap; requests are opened once and closed at most once. An approval offers the normalised answers, and
//     says for the policies what the tool does.
//   - children are told of by tool calls and have ids; what is offered has ids, each once.
//   - changes suit the type of their entry, data is of that type, can be written and read back, and holds no text over
//     the limit.
type Ledger struct {
	entries  []*held
	requests []bool // open; by key-1
	inTurn   bool
}

type held struct {
	kind protocol.EntryType
	open bool
	text int // bytes of the changes
}

// Take takes the next draft and says which rule it breaks, if any.
func (l *Ledger) Take(d adapters.Draft) string {
	switch d := d.(type) {
	case adapters.TurnBegan:
		if l.inTurn {
			return "a turn inside a turn"
		}
		l.inTurn = true
	case adapters.TurnEnded:
		return l.turnEnded(d)
	case adapters.EntryOpened:
		if int(d.Key) != len(l.entries)+1 {
			return fmt.Sprintf("want key %d", len(l.entries)+1)
		}
		l.entries = append(l.entries, &held{kind: d.Type, open: true})
		return dataProblem(d.Type, d.Data)
	case adapters.EntryChanged:
		return l.changed(d)
	case adapters.EntryClosed:
		e := l.entry(d.Key)
		if e == nil || !e.open {
			return "closes what is not open"
		}
		e.open = false
		if d.Incomplete && d.Reason == "" {
			return "incomplete without a reason"
		}
		return dataProblem(e.kind, d.Data)
	case adapters.EntryBound:
		if l.entry(d.Key) == nil || d.PersistentID == "" {
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
	return ""
}

func (l *Ledger) changed(d adapters.EntryChanged) string {
	e := l.entry(d.Key)
	if e == nil || !e.open {
		return "changes what is not open"
	}
	call := e.kind == protocol.EntryToolCall
	switch c := d.Delta.(type) {
	case *protocol.TextAppend:
		if e.text += len(c.Text); c.Text == "" {
			return "appends nothing"
		}
	case *protocol.TextSet:
		e.text = len(c.Text)
	case *protocol.ArgumentsAppend:
		if !call || c.Text == "" {
			return "no arguments"
		}
	case *protocol.StatusChange:
		if !call {
			return "only tool calls have a status"
		}
	case *protocol.SummaryAppend:
		if e.kind != protocol.EntryThinking {
			return "only thinking has a summary"
		}
	default:
		return "no change"
	}
	if e.text > adapters.MaxText {
		return "more text than the limit"
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

// dataProblem writes data as a part of an event and reads it back.
func dataProblem(kind protocol.EntryType, data protocol.EntryData) string {
	if data == nil {
		return "no data"
	}
	if want := protocol.NewEntryData(kind); fmt.Sprintf("%T", want) != fmt.Sprintf("%T", data) {
		return fmt.Sprintf("%T is not the data of %s", data, kind)
	}
	e := protocol.Event{Seq: 1, Payload: &protocol.EntryEnd{EntryID: "e", EntryType: kind, Data: data}}
	line := protocol.Append(nil, &e)
	back, err := protocol.Decode(line)
	if err != nil {
		return err.Error()
	}
	if again := protocol.Append(nil, &back); !bytes.Equal(line, again) {
		return fmt.Sprintf("reads back as %s", again)
	}
	for _, s := range texts(data) {
		if len(s) > adapters.MaxText {
			return "a text over the limit"
		}
	}
	return ""
}

func texts(data protocol.EntryData) []string {
	switch d := data.(type) {
	case *protocol.MessageData:
		return []string{d.Text}
	case *protocol.ToolCallData:
		return []string{d.Arguments, d.Command, d.Output, d.Diff}
	case *protocol.ToolResultData:
		return []string{d.Output}
	case *protocol.ThinkingData:
		return append([]string{d.Text}, d.Summary...)
	case *protocol.PlanData:
		return []string{d.Text}
	case *protocol.CompactionData:
		return []string{d.Summary}
	case *protocol.SystemData:
		return []string{d.Text}
	case *protocol.UnknownData:
	}
	return nil
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
