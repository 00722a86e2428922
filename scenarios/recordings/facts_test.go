package recordings

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// facts are one member of facts.json: what a plain reading finds in a recording.
type facts struct {
	Runs []struct {
		Outcome string `json:"outcome"`
		Rounds  int    `json:"pi_turns"`
	} `json:"runs"`
	Entries []entryFacts `json:"entries"`
	Dialogs []struct {
		Method string `json:"method"`
		Title  string `json:"title"`
		Answer struct {
			Confirmed *bool   `json:"confirmed"`
			Value     *string `json:"value"`
		} `json:"answer"`
	} `json:"dialogs"`
	Queue       [][2][]string `json:"queue"`
	Retries     int           `json:"retries"`
	Compactions []struct {
		Reason string `json:"reason"`
		OK     bool   `json:"ok"`
	} `json:"compactions"`
	Usage []struct {
		Input, Output, CacheRead, CacheWrite, Reasoning, Total int64
		Cost                                                   float64
		Model                                                  string
	} `json:"usage"`
	Session struct {
		ID     string                                                      `json:"sessionId"`
		Tokens struct{ Input, Output, CacheRead, CacheWrite, Total int64 } `json:"tokens"`
		Cost   float64                                                     `json:"cost"`
	} `json:"session"`
	Stored map[string]struct {
		Type      string `json:"type"`
		Role      string `json:"role"`
		Timestamp int64  `json:"timestamp"`
	} `json:"session_entries"`
}

type entryFacts struct {
	Kind    protocol.EntryType `json:"kind"`
	Closed  string             `json:"closed"` // "none": the agent never ended it
	Text    string             `json:"text"`
	Partial string             `json:"partial"`
	Equal   bool               `json:"deltas_equal_final"`
	CallID  string             `json:"callId"`
	Tool    string             `json:"tool"`
	Args    json.RawMessage    `json:"args"`
	Output  string             `json:"output"`
	IsError *bool              `json:"isError"`
	Time    int64              `json:"timestamp"`
	Message int64              `json:"message_timestamp"`
}

func readFacts(t testing.TB) map[string]*facts {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]*facts
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFacts compares the logs of each recording with its facts.
func TestFacts(t *testing.T) {
	all, files := readFacts(t), recordings(t)
	if len(all) != 42 {
		t.Errorf("facts of %d recordings", len(all))
	}
	events, entries, bound := 0, 0, 0
	for name, f := range all {
		t.Run(name, func(t *testing.T) {
			logs := convert(t, bytes.NewReader(files[name]))
			checkTurns(t, f, logs)
			bound += checkEntries(t, name, f, logs)
			checkRequests(t, f, logs)
			checkQueue(t, f, logs)
			checkUsage(t, f, logs)
			checkCompactions(t, f, logs)
			if last := logs[len(logs)-1]; last.state.NativeSessionID != f.Session.ID {
				t.Errorf("the agent's session is %q, want %q", last.state.NativeSessionID, f.Session.ID)
			}
			for _, l := range logs {
				events += len(l.events)
				entries += len(l.state.Entries)
			}
		})
	}
	t.Logf("%d recordings, %d events, %d entries, %d of them with the agent's own id", len(all), events, entries, bound)
}

// turns of all logs, in order.
func turns(logs []*log) (list []*protocol.TurnState, of []*log) {
	for _, l := range logs {
		for _, turn := range l.state.Turns {
			list, of = append(list, turn), append(of, l)
		}
	}
	return list, of
}

// checkTurns: one turn per run. A run whose agent was killed ends in an error; one whose agent was asked to end, interrupted.
func checkTurns(t *testing.T, f *facts, logs []*log) {
	t.Helper()
	list, of := turns(logs)
	if len(list) != len(f.Runs) {
		t.Fatalf("%d turns, want %d", len(list), len(f.Runs))
	}
	for i, turn := range list {
		want := f.Runs[i]
		lost := turn.Status == protocol.TurnError && strings.HasPrefix(turn.Error, "agent exited") ||
			turn.Status == protocol.TurnInterrupted && turn.Error == "agent stopped"
		if want.Outcome != string(turn.Status) && (want.Outcome != "lost" || !lost) {
			t.Errorf("turn %d: %s %s, want %s", i+1, turn.Status, turn.Error, want.Outcome)
		}
		if turn.Status == protocol.TurnError && turn.Error == "" {
			t.Errorf("turn %d: an error without words", i+1)
		}
		if turn.Prompt == nil || turn.Prompt.Text == "" {
			t.Errorf("turn %d has no prompt", i+1)
		}
		last := 0
		for _, id := range turn.Entries {
			x := of[i].state.Entry(id)
			if x.EntryType == protocol.EntrySystem {
				continue // a notice is of no round
			}
			if x.Round < max(last, 1) || x.Round > want.Rounds {
				t.Errorf("turn %d: entry %s of round %d after %d, of %d rounds", i+1, id, x.Round, last, want.Rounds)
			}
			last = x.Round
		}
	}
	retries := 0
	for _, l := range logs {
		for _, e := range l.events {
			if s, ok := e.Payload.(*protocol.Status); ok && s.State == protocol.StateRetrying {
				retries++
				if s.RetryAt <= e.Time {
					t.Errorf("seq %d: retries at %d, before now", e.Seq, s.RetryAt)
				}
			}
		}
	}
	if retries != f.Retries {
		t.Errorf("%d retries, want %d", retries, f.Retries)
	}
}

// shells are the commands that the user ran beside the model, which facts.json leaves out.
var shells = map[string][]string{"user_bash": {"from the user\nend\n", "hidden\n", "n 1\nn 2\nn 3\n"}}

// checkEntries: the entries in order, with their final data and the agent's own ids. It gives the number of those ids.
func checkEntries(t *testing.T, name string, f *facts, logs []*log) (bound int) {
	t.Helper()
	i := 0
	var commands []string
	for _, l := range logs {
		for _, x := range l.state.Entries {
			if x.Open || x.EndSeq == 0 {
				t.Errorf("entry %s never ended", x.EntryID)
			}
			if x.Incomplete && x.Reason == "" {
				t.Errorf("entry %s is incomplete without a reason", x.EntryID)
			}
			if x.PersistentID != "" {
				bound++
				if _, ok := f.Stored[x.PersistentID]; !ok && name != "session_ops" { // there, the ids of the last session alone are told
					t.Errorf("entry %s has an id that the session has not: %s", x.EntryID, x.PersistentID)
				}
			}
			switch {
			case x.EntryType == protocol.EntrySystem || x.EntryType == protocol.EntryCompaction:
				continue
			case x.EntryType == protocol.EntryToolCall && x.TurnID == "":
				commands = append(commands, text(x.Data))
				continue
			case i == len(f.Entries):
				t.Fatalf("entry %s %s %q is one too many", x.EntryID, x.EntryType, text(x.Data))
			}
			if problem := f.differs(x, &f.Entries[i], l.joined[x.EntryID], name); problem != "" {
				t.Errorf("entry %d: %s: %+v %+v, want %+v", i+1, problem, x, x.Data, f.Entries[i])
			}
			i++
		}
	}
	if i < len(f.Entries) {
		t.Errorf("missing: %+v", f.Entries[i:])
	}
	if !slices.Equal(commands, shells[name]) {
		t.Errorf("commands of the user said %q, want %q", commands, shells[name])
	}
	return bound
}

// shortened is how facts.json ends a long text: with the length of the whole.
var shortened = regexp.MustCompile(`…\((\d+)\)$`)

func (f *facts) differs(x *protocol.EntryState, want *entryFacts, joined, name string) string {
	got, wanted := text(x.Data), want.Text+want.Partial+want.Output
	left := want.Closed == "none"
	if m := shortened.FindStringSubmatchIndex(wanted); m != nil {
		wanted = wanted[:m[0]]
		got = got[:min(len(got), len(wanted))]
	}
	switch {
	case x.EntryType != want.Kind:
		return "type"
	case left && !strings.HasPrefix(text(x.Data), wanted), !left && got != wanted:
		return "text"
	case left && (!x.Incomplete || x.Reason == ""):
		return "left open by the agent, and not incomplete"
	case want.Equal && joined != text(x.Data):
		return "the deltas make " + joined
	}
	if id := f.stored(want); id != "" && x.PersistentID != id && !slices.Contains(unasked[name], x.EntryID) {
		return "persistent id, want " + id
	}
	c, ok := x.Data.(*protocol.ToolCallData)
	if !ok {
		return ""
	}
	switch {
	case c.ToolName != want.Tool, c.CallID != want.CallID:
		return "tool"
	case string(want.Args) != "{}" && c.Arguments != unspaced(want.Args): // else they were no JSON
		return "arguments, want " + unspaced(want.Args)
	case c.Status != protocol.ToolCompleted && c.Status != protocol.ToolError:
		return "status"
	case want.IsError != nil && *want.IsError != (c.Status == protocol.ToolError), left && c.Status != protocol.ToolError:
		return "status"
	}
	return ""
}

// unasked are the entries of recordings that asked for no ids until the agent was lost.
var unasked = map[string][]string{
	"sigkill_mid_text": {"e1", "e2"}, "sigkill_mid_tool": {"e1", "e2", "e3", "e4", "e5"}, "stdin_eof_mid_text": {"e1", "e2"},
}

// stored is the agent's id of an entry's message, where time and role name only one.
func (f *facts) stored(e *entryFacts) string {
	role := "assistant"
	if e.Kind == protocol.EntryUserMessage {
		role = "user"
	}
	var ids []string
	for id, s := range f.Stored {
		if s.Role == role && s.Timestamp == e.Time+e.Message {
			ids = append(ids, id)
		}
	}
	if len(ids) != 1 {
		return ""
	}
	return ids[0]
}

func unspaced(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) > 0 && json.Compact(&b, raw) != nil {
		return "no JSON"
	}
	return b.String()
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
