package recordings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// checkRequests: each dialog is a request, about the tool call that its title names, with the answer that it got.
func checkRequests(t *testing.T, f *facts, logs []*log) {
	t.Helper()
	var got []*protocol.RequestState
	var of []*log
	for _, l := range logs {
		for _, r := range l.state.Requests {
			got, of = append(got, r), append(of, l)
		}
	}
	if len(got) != len(f.Dialogs) {
		t.Fatalf("%d requests, want %d", len(got), len(f.Dialogs))
	}
	for i, r := range got {
		want := f.Dialogs[i]
		outcome, kind, answers := protocol.OutcomeAnswered, protocol.RequestQuestion, [][]string(nil)
		if want.Method == "confirm" {
			kind, outcome = protocol.RequestApproval, protocol.OutcomeDenied
			if *want.Answer.Confirmed {
				outcome = protocol.OutcomeAllowed
			}
		} else {
			answers = [][]string{{*want.Answer.Value}}
		}
		if r.Kind != kind || r.Resolved == nil || r.Resolved.Outcome != outcome || fmt.Sprint(r.Resolved.Answers) != fmt.Sprint(answers) {
			t.Errorf("request %d: %+v resolved %+v, want %s %s %q", i+1, r.RequestOpened, r.Resolved, kind, outcome, answers)
		}
		x := of[i].state.Entry(r.EntryID)
		if x == nil {
			t.Errorf("request %d is about no entry", i+1)
			continue
		}
		call, isCall := x.Data.(*protocol.ToolCallData)
		if id, named := strings.CutPrefix(want.Title, "approve:"); !isCall || named && call.CallID != id || r.ToolName != call.ToolName {
			t.Errorf("request %d is about %+v, want call %s", i+1, x.Data, id)
		}
	}
}

// checkQueue: the agent's own queue, as it changed, can be seen in the log's.
func checkQueue(t *testing.T, f *facts, logs []*log) {
	t.Helper()
	var got []string
	for _, l := range logs {
		var s protocol.SessionState
		for i := range l.events {
			e := &l.events[i]
			s.Apply(e)
			switch p := e.Payload.(type) {
			case *protocol.PromptQueued:
				if p.Origin != "agent" {
					t.Errorf("seq %d: a prompt of %q", e.Seq, p.Origin)
				}
			case *protocol.PromptRemoved:
			default:
				continue
			}
			var q [2][]string
			for _, p := range s.Queue {
				i := 1
				if p.StreamingBehavior == protocol.Steer {
					i = 0
				}
				q[i] = append(q[i], p.Text)
			}
			got = append(got, fmt.Sprintf("%q", q))
		}
	}
	for _, q := range f.Queue {
		want := fmt.Sprintf("%q", q)
		i := slices.Index(got, want)
		if i < 0 {
			t.Errorf("the queue never was %s, or not then; left: %s", want, got)
			return
		}
		got = got[i+1:]
	}
	if len(got) > 0 {
		t.Errorf("the queue changed more than it did: %s", got)
	}
}

// checkUsage: what each request used, in order, and the agent's own sums. What a compaction used is only in the sum.
func checkUsage(t *testing.T, f *facts, logs []*log) {
	t.Helper()
	var got []protocol.TokenUsage
	var total, inTurns protocol.Usage
	cost := 0.0
	for _, l := range logs {
		for _, e := range l.events {
			if u, ok := e.Payload.(*protocol.TokenUsage); ok {
				got = append(got, *u)
				if u.TurnID != "" {
					inTurns.TotalTokens += u.Usage.TotalTokens
				}
			}
		}
		u := l.state.Usage
		total.InputTokens += u.Sum.InputTokens
		total.CachedInputTokens += u.Sum.CachedInputTokens
		total.OutputTokens += u.Sum.OutputTokens
		total.TotalTokens += u.Sum.TotalTokens
		if u.Cost != nil {
			cost += u.Cost.Total
		}
		for _, turn := range l.state.Turns {
			if turn.Usage != nil {
				inTurns.TotalTokens -= turn.Usage.TotalTokens
			}
		}
	}
	if inTurns.TotalTokens != 0 {
		t.Errorf("the turns' usage differs from the log's by %d", inTurns.TotalTokens)
	}
	at := 0
	for _, w := range f.Usage {
		if w.Total == 0 {
			continue // a request that failed
		}
		want := protocol.Usage{
			InputTokens: w.Input + w.CacheRead + w.CacheWrite, CachedInputTokens: w.CacheRead,
			OutputTokens: w.Output, ReasoningOutputTokens: w.Reasoning, TotalTokens: w.Total,
		}
		for at < len(got) && len(f.Compactions) > 0 && got[at].Usage.TotalTokens != want.TotalTokens {
			at++ // of a compaction
		}
		if at == len(got) || fmt.Sprint(got[at].Usage) != fmt.Sprint(want) {
			t.Errorf("usage %+v, want next %+v", got[min(at, len(got)):], want)
			return
		}
		if w.Cost > 0 && (got[at].Cost == nil || !near(got[at].Cost.Total, w.Cost)) || !strings.HasSuffix(got[at].Model, w.Model) {
			t.Errorf("usage %+v cost %+v, want %f of %s", got[at], got[at].Cost, w.Cost, w.Model)
		}
		at++
	}
	if at < len(got) && len(f.Compactions) == 0 {
		t.Errorf("usage too many: %+v", got[at:])
	}
	if len(logs) > 1 {
		return // the sums are those of the last session, which may hold a part of another's history
	}
	s := f.Session.Tokens
	want := protocol.Usage{
		InputTokens: s.Input + s.CacheRead + s.CacheWrite, CachedInputTokens: s.CacheRead, OutputTokens: s.Output, TotalTokens: s.Total,
	}
	if fmt.Sprint(total) != fmt.Sprint(want) || !near(cost, f.Session.Cost) {
		t.Errorf("in total %+v cost %f, want %+v cost %f", total, cost, want, f.Session.Cost)
	}
}

// checkCompactions: each that worked is an entry, with the agent's own id of it.
func checkCompactions(t *testing.T, f *facts, logs []*log) {
	t.Helper()
	var reasons []string
	for _, c := range f.Compactions {
		if c.OK {
			reasons = append(reasons, c.Reason)
		}
	}
	var got []string
	for _, l := range logs {
		for _, x := range l.state.Entries {
			if d, ok := x.Data.(*protocol.CompactionData); ok {
				got = append(got, d.Trigger)
				if d.Summary == "" || d.TokensBefore == 0 || f.Stored[x.PersistentID].Type != "compaction" {
					t.Errorf("compaction %s: id %q, %+v", x.EntryID, x.PersistentID, d)
				}
			}
		}
	}
	if !slices.Equal(got, reasons) {
		t.Errorf("compactions %q, want %q", got, reasons)
	}
}
