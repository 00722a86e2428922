package recordings

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entriesOf lists the entries of a type in the first log.
func entriesOf(logs []*log, kind protocol.EntryType) (list []*protocol.EntryState) {
	for _, x := range logs[0].state.Entries {
		if x.EntryType == kind {
			list = append(list, x)
		}
	}
	return list
}

func callOf(t *testing.T, logs []*log, n int) *protocol.ToolCallData {
	t.Helper()
	calls := entriesOf(logs, protocol.EntryToolCall)
	if len(calls) < n {
		t.Fatalf("%d tool calls", len(calls))
	}
	d, ok := calls[n-1].Data.(*protocol.ToolCallData)
	if !ok {
		t.Fatalf("a tool call of %T", calls[n-1].Data)
	}
	return d
}

// deltas: the answer came in at least so many pieces, and they make its final text.
func deltas(least int) check {
	return func(t *testing.T, logs []*log) {
		n := 0
		for _, e := range logs[0].events {
			if e.Payload.Type() == protocol.TypeEntryDelta {
				n++
			}
		}
		x := entriesOf(logs, protocol.EntryAssistantMessage)[0]
		if n < least || logs[0].joined[x.EntryID] != text(x.Data) {
			t.Errorf("%d deltas make %q, want at least %d and %q", n, logs[0].joined[x.EntryID], least, text(x.Data))
		}
	}
}

func usages(want int) check {
	return func(t *testing.T, logs []*log) {
		n := 0
		for _, e := range logs[0].events {
			if e.Payload.Type() == protocol.TypeTokenUsage {
				n++
			}
		}
		if n != want {
			t.Errorf("%d token_usage events, want %d", n, want)
		}
	}
}

// reasoning: the thinking begins and ends before the answer does, and its tokens are a part of the output. It may end after
// the answer's beginning: over chat completions Pi says thinking_end only when the stream is over.
func reasoning(tokens int64) check {
	return func(t *testing.T, logs []*log) {
		thinking, answer := entriesOf(logs, protocol.EntryThinking)[0], entriesOf(logs, protocol.EntryAssistantMessage)[0]
		if thinking.StartSeq > answer.StartSeq || thinking.EndSeq > answer.EndSeq {
			t.Errorf("the thinking is %d to %d, the answer %d to %d", thinking.StartSeq, thinking.EndSeq, answer.StartSeq, answer.EndSeq)
		}
		u := logs[0].state.Usage.Sum
		if u.ReasoningOutputTokens != tokens || u.ReasoningOutputTokens > u.OutputTokens || u.TotalTokens != u.InputTokens+u.OutputTokens {
			t.Errorf("usage %+v, want %d for reasoning", u, tokens)
		}
	}
}

// tool: the statuses of a tool call.
func tool(n int, want string) check {
	return func(t *testing.T, logs []*log) {
		if got := tools(logs[0], n); got != want {
			t.Errorf("tool call %d is %s, want %s", n, got, want)
		}
	}
}

// output: a tool call has output that holds this.
func output(n int, want string) check {
	return func(t *testing.T, logs []*log) {
		if got := callOf(t, logs, n).Output; !strings.Contains(got, want) {
			t.Errorf("output %q, want %q in it", got, want)
		}
	}
}

// diff: a tool call has one.
func diff(n int) check {
	return func(t *testing.T, logs []*log) {
		if d := callOf(t, logs, n).Diff; !strings.Contains(d, "@@") {
			t.Errorf("diff %q", d)
		}
	}
}

// arguments: what a tool call was to do is kept as the model wrote it, although it is no JSON.
func arguments(n int) check {
	return func(t *testing.T, logs []*log) {
		if a := callOf(t, logs, n).Arguments; a == "" || a == "{}" {
			t.Errorf("arguments %q", a)
		}
	}
}

// overlap: calls run side by side, and end in another order than they began.
func overlap() check {
	return func(t *testing.T, logs []*log) {
		calls := entriesOf(logs, protocol.EntryToolCall)
		lastStart, ends := uint64(0), []uint64{}
		for _, c := range calls {
			lastStart = max(lastStart, c.StartSeq)
			ends = append(ends, c.EndSeq)
		}
		if slices.Min(ends) < lastStart || slices.IsSorted(ends) {
			t.Errorf("the last begins at seq %d, ends %d", lastStart, ends)
		}
	}
}

// fails: a turn ends in an error that says this.
func fails(n int, why string) check {
	return func(t *testing.T, logs []*log) {
		turn := logs[0].state.Turns[n-1]
		if turn.Status != protocol.TurnError || !strings.Contains(turn.Error, why) {
			t.Errorf("turn %d: %s %q, want %q in it", n, turn.Status, turn.Error, why)
		}
	}
}

// once: a turn has only one entry of a type: the failed attempt left none.
func once(n int, kind protocol.EntryType) check {
	return func(t *testing.T, logs []*log) {
		found := 0
		for _, id := range logs[0].state.Turns[n-1].Entries {
			if logs[0].state.Entry(id).EntryType == kind {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d entries of type %s", found, kind)
		}
	}
}

// retried: an attempt is left behind with what it said, in the round before its successor or the same.
func retried(kind protocol.EntryType) check {
	return func(t *testing.T, logs []*log) {
		list := entriesOf(logs, kind)
		if len(list) != 2 || !list[0].Incomplete || text(list[0].Data) == "" || list[1].Incomplete {
			t.Errorf("attempts %+v", list)
		}
	}
}

// incarnations: the agent was started so often, with the same session of its own, and its entries keep apart.
func incarnations(n int) check {
	return func(t *testing.T, logs []*log) {
		started, native := 0, map[string]bool{}
		for _, e := range logs[0].events {
			switch p := e.Payload.(type) {
			case *protocol.Status:
				if p.State == protocol.StateStarting {
					started++
				}
			case *protocol.SessionMeta:
				if p.NativeSessionID != nil {
					native[*p.NativeSessionID] = true
				}
			}
		}
		if started != n || len(native) != 1 {
			t.Errorf("started %d times, sessions %v", started, native)
		}
	}
}

// meta: the models and modes as they changed.
func meta(models, modes string) check {
	return func(t *testing.T, logs []*log) {
		var gotModels, gotModes []string
		for _, e := range logs[0].events {
			if p, ok := e.Payload.(*protocol.SessionMeta); ok {
				if p.Model != nil {
					gotModels = append(gotModels, *p.Model)
				}
				if p.Mode != nil {
					gotModes = append(gotModes, *p.Mode)
				}
			}
		}
		if strings.Join(gotModels, " ") != models || strings.Join(gotModes, " ") != modes {
			t.Errorf("models %q, modes %q", gotModels, gotModes)
		}
	}
}

// sessions: one process went through four sessions. The first was left and found again, the third is a copy of it, the fourth a
// fork of that.
func sessions() check {
	return func(t *testing.T, logs []*log) {
		ids := map[string]bool{}
		for i, l := range logs {
			ids[l.state.NativeSessionID] = true
			parent := ""
			if i >= 2 {
				parent = logs[[]int{2: 0, 3: 2}[i]].state.SessionID
			}
			if l.state.NativeSessionID == "" || l.state.Metadata.ParentSessionID != parent {
				t.Errorf("log %d: native %q, parent %q, want %q", i+1, l.state.NativeSessionID, l.state.Metadata.ParentSessionID, parent)
			}
		}
		if len(ids) != 4 || logs[0].state.Title != "Renamed" || logs[2].state.Title != "Renamed" {
			t.Errorf("ids %v, titles %q and %q", ids, logs[0].state.Title, logs[2].state.Title)
		}
	}
}

// user: commands that the user ran belong to no turn, and show their output as it comes.
func user() check {
	return func(t *testing.T, logs []*log) {
		for _, x := range entriesOf(logs, protocol.EntryToolCall) {
			if x.TurnID != "" || x.PersistentID == "" || logs[0].joined[x.EntryID] == "" {
				t.Errorf("command %+v, deltas %q", x, logs[0].joined[x.EntryID])
			}
		}
	}
}
