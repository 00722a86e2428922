package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Facts are what a plain reading finds in a recording, over all its incarnations. Members that are nil are not compared.
type Facts struct {
	Turns       []protocol.TurnStatus // in order; Lost where the agent ended inside one
	Entries     []Entry               // in the order of opening, system entries and compactions apart
	Compactions *int
	Requests    []Request
	Queue       []adapters.NativeQueue // as it changed; Cleared is not compared
	Usage       []protocol.Usage       // in order
	Total       *protocol.Usage        // sum of the usage; reasoning is not compared
	Retries     *int
}

// Lost is the status of a turn whose agent was lost.
const Lost protocol.TurnStatus = "lost"

// Entry is one entry. Members that are empty are not compared.
type Entry struct {
	Type         protocol.EntryType
	Text         string // final; of a tool call, its output
	Begins       bool   // Text is only the beginning
	Tool, CallID string
	Arguments    string // compact JSON
	Failed       *bool  // the tool call is an error
	Left         bool   // the agent never ended it
	PersistentID string
}

// Request is one request. Answers are those that the agent was given.
type Request struct {
	Kind    protocol.RequestKind
	CallID  string // of the tool call that it is about; empty: not compared
	Outcome protocol.Outcome
	Answers [][]string
}

// found is what the translator made of a recording.
type found struct {
	turns    []protocol.TurnStatus
	entries  []*Entry
	requests []*Request
	queue    []adapters.NativeQueue
	usage    []protocol.Usage
	compacts int
	retries  int

	byID map[string]*Entry // of all incarnations, by what the log calls them
}

// facts compares a recording with its facts.
func (s *Suite) facts(t *testing.T, file string, records []recording.Record) {
	said := s.play(t, records)
	rules(t, said)
	if s.Facts == nil {
		t.Skip("the suite has no facts")
	}
	name := strings.TrimSuffix(path.Base(file), ".jsonl")
	want, ok := s.Facts(t, name)
	if !ok {
		t.Skip("nothing is known of this recording")
	}
	var got found
	for i := range said {
		if s.factsOf(name, said[i].Session) {
			got.read(&said[i])
		}
	}
	if want.Turns != nil && !slices.Equal(got.turns, want.Turns) {
		t.Errorf("turns %q, want %q", got.turns, want.Turns)
	}
	if want.Entries != nil {
		compareEntries(t, got.entries, want.Entries)
	}
	if want.Requests != nil {
		compareRequests(t, got.requests, want.Requests)
	}
	if want.Queue != nil && fmt.Sprint(queues(got.queue)) != fmt.Sprint(queues(want.Queue)) {
		t.Errorf("queue %q, want %q", queues(got.queue), queues(want.Queue))
	}
	if want.Usage != nil && fmt.Sprint(got.usage) != fmt.Sprint(want.Usage) {
		t.Errorf("usage\n%v, want\n%v", got.usage, want.Usage)
	}
	if want.Total != nil {
		total := sum(got.usage)
		if total.ReasoningOutputTokens = want.Total.ReasoningOutputTokens; fmt.Sprint(total) != fmt.Sprint(*want.Total) {
			t.Errorf("usage in total %v, want %v", total, *want.Total)
		}
	}
	if want.Compactions != nil && got.compacts != *want.Compactions {
		t.Errorf("%d compactions, want %d", got.compacts, *want.Compactions)
	}
	if want.Retries != nil && got.retries != *want.Retries {
		t.Errorf("%d retries, want %d", got.retries, *want.Retries)
	}
}

func (s *Suite) factsOf(name string, x *replay.Session) bool {
	if s.FactsOf != nil {
		return s.FactsOf(name, x)
	}
	return x.Number == 1
}

func sum(list []protocol.Usage) (total protocol.Usage) {
	for _, u := range list {
		total.InputTokens += u.InputTokens
		total.CachedInputTokens += u.CachedInputTokens
		total.OutputTokens += u.OutputTokens
		total.TotalTokens += u.TotalTokens
	}
	return total
}

func queues(list []adapters.NativeQueue) [][2][]string {
	q := make([][2][]string, len(list))
	for i, n := range list {
		q[i] = [2][]string{n.Steering, n.FollowUp}
	}
	return q
}

// read adds what one incarnation said.
func (f *found) read(said *Said) {
	entries := map[adapters.EntryKey]*Entry{}
	requests := map[adapters.RequestKey]*Request{}
	inTurn := false
	for _, d := range said.Drafts {
		switch d := d.(type) {
		case adapters.TurnBegan:
			inTurn = true
		case adapters.TurnEnded:
			inTurn = false
			f.turns = append(f.turns, d.Status)
		case adapters.EntryOpened:
			e := &Entry{Type: d.Type, Left: true, PersistentID: d.PersistentID}
			e.take(d.Data)
			entries[d.Key] = e
			if f.byID == nil {
				f.byID = map[string]*Entry{}
			}
			f.byID[protocol.EntryID(uint32(said.Incarnation), uint32(d.Key))] = e
			switch d.Type {
			case protocol.EntryCompaction:
				f.compacts++
			case protocol.EntrySystem:
			default:
				f.entries = append(f.entries, e)
			}
		case adapters.EntryChanged:
			entries[d.Key].change(d.Delta)
		case adapters.EntryClosed:
			e := entries[d.Key]
			e.Left = false
			e.take(d.Data)
			if d.PersistentID != "" {
				e.PersistentID = d.PersistentID
			}
		case adapters.EntryBound:
			e := entries[d.Key]
			if d.ID != "" {
				e = f.byID[d.ID]
			}
			e.PersistentID = d.PersistentID
		case adapters.RequestOpened:
			r := &Request{Kind: d.Request.Kind}
			if d.Entry != 0 {
				r.CallID = entries[d.Entry].CallID
			}
			requests[d.Key] = r
			f.requests = append(f.requests, r)
		case adapters.RequestClosed:
			requests[d.Key].Outcome, requests[d.Key].Answers = d.Outcome, d.Answers
		case adapters.NativeQueue:
			f.queue = append(f.queue, d)
		case adapters.Used:
			f.usage = append(f.usage, d.Usage.Usage)
		case adapters.PhaseChanged:
			if d.State == protocol.StateRetrying {
				f.retries++
			}
		case adapters.EntryOverflow, adapters.Ready, adapters.MetaChanged, adapters.SessionLeft, adapters.PromptAnswered, adapters.Notice, adapters.Native,
			adapters.ChildBegan, adapters.Offered, adapters.SettingAnswered:
		}
	}
	if inTurn {
		f.turns = append(f.turns, Lost)
	}
}

// take reads the data of an entry.
func (e *Entry) take(data protocol.EntryData) {
	switch d := data.(type) {
	case *protocol.ToolCallData:
		failed := d.Status == protocol.ToolError
		e.Tool, e.CallID, e.Arguments, e.Text, e.Failed = d.ToolName, d.CallID, d.Arguments, d.Output, &failed
	default:
		e.Text = strings.Join(texts(data), "\n")
	}
}

func (e *Entry) change(d protocol.Delta) {
	switch d := d.(type) {
	case *protocol.TextAppend:
		e.Text += d.Text
	case *protocol.TextSet:
		e.Text = d.Text
	case *protocol.ArgumentsAppend:
		e.Arguments += d.Text
	case *protocol.StatusChange, *protocol.SummaryAppend, *protocol.UnknownDelta:
	}
}

func compareEntries(t *testing.T, got []*Entry, want []Entry) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("entry %d is missing: %+v", i+1, want[i])
		case i >= len(want):
			t.Errorf("entry %d is one too many: %+v", i+1, *got[i])
		default:
			if problem := got[i].differs(&want[i]); problem != "" {
				t.Errorf("entry %d: %s: got %+v, want %+v", i+1, problem, *got[i], want[i])
			}
		}
	}
}

func (e *Entry) differs(want *Entry) string {
	text := e.Text
	if want.Begins && len(text) > len(want.Text) {
		text = text[:len(want.Text)]
	}
	switch {
	case e.Type != want.Type:
		return "type"
	case want.Text != "" && text != want.Text:
		return "text"
	case want.Tool != "" && e.Tool != want.Tool:
		return "tool"
	case want.CallID != "" && e.CallID != want.CallID:
		return "call id"
	case want.Arguments != "" && e.Arguments != want.Arguments:
		return "arguments"
	case want.Failed != nil && (e.Failed == nil || *e.Failed != *want.Failed):
		return "failed"
	case e.Left != want.Left:
		return "left open"
	case want.PersistentID != "" && e.PersistentID != want.PersistentID:
		return "persistent id"
	}
	return ""
}

func compareRequests(t *testing.T, got []*Request, want []Request) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d requests, want %d", len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		if g.Kind != w.Kind || g.Outcome != w.Outcome || w.CallID != "" && g.CallID != w.CallID ||
			w.Answers != nil && fmt.Sprint(g.Answers) != fmt.Sprint(w.Answers) {
			t.Errorf("request %d: got %+v, want %+v", i+1, *g, w)
		}
	}
}
