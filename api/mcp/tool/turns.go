package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// summary is what happened in a stretch of a log, in few words.
type summary struct {
	turns    []*turnSummary
	dropped  int // turns that are older than those
	turn     *turnSummary
	files    []string
	children []string
	errors   []string // outside of turns
}

// turnSummary is one turn, or the rest of one.
type turnSummary struct {
	TurnID   string         `json:"turn_id,omitempty"`
	PromptID string         `json:"prompt_id,omitempty"`
	Prompt   string         `json:"prompt,omitempty" jsonschema:"how it begins"`
	Tools    map[string]int `json:"tools,omitempty" jsonschema:"how often each was called; others: the rest"`
	Failed   int            `json:"failed_calls,omitempty" jsonschema:"of them: how many failed"`
	Seconds  int64          `json:"seconds,omitempty" jsonschema:"how long the turn took"`
	output.Result
	began int64
}

// Bounds of a summary.
const (
	maxTurns       = 12
	maxFiles       = 40
	maxTools       = 12   // of one turn
	maxSummaryText = 1200 // bytes of the newest turn's text; older ones have a quarter
)

func (v *summary) apply(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.TurnStart:
		v.open(p.TurnID, e.Time)
		if p.Prompt != nil {
			v.turn.PromptID, v.turn.Prompt = p.Prompt.PromptID, output.Brief(p.Prompt.Text, output.MaxLine)
		}
	case *protocol.TurnEnd:
		v.open(p.TurnID, e.Time)
		n := join.NewestTurn{}
		n.Ended(p)
		v.turn.Outcome, v.turn.Error, v.turn.Seconds = n.Outcome, n.Problem, (e.Time-v.turn.began)/1000
		v.turn = nil
	case *protocol.EntryEnd:
		v.entry(p, e.Time)
	case *protocol.ChildSession:
		if !slices.Contains(v.children, p.ChildSessionID) && len(v.children) < output.MaxFamily {
			v.children = append(v.children, p.ChildSessionID)
		}
	default:
	}
}

// open makes a turn the one that runs, also where its start was before the stretch.
func (v *summary) open(id string, now int64) {
	if v.turn != nil && v.turn.TurnID == id {
		return
	}
	v.turn = &turnSummary{TurnID: id, began: now, Result: output.Result{Outcome: output.Working}}
	v.turns = append(v.turns, v.turn)
	if len(v.turns) > maxTurns {
		v.turns = v.turns[1:]
		v.dropped++
	}
}

func (v *summary) entry(p *protocol.EntryEnd, now int64) {
	if p.TurnID != "" && (v.turn == nil || v.turn.TurnID != p.TurnID) && v.find(p.TurnID) == nil {
		v.open(p.TurnID, now)
	}
	t := v.find(p.TurnID)
	switch d := p.Data.(type) {
	case *protocol.MessageData:
		if t != nil && p.EntryType == protocol.EntryAssistantMessage && d.Text != "" {
			t.Text, t.Bytes, t.Entry = strings.Clone(protocol.Head(d.Text, maxSummaryText)), len(d.Text), p.EntryID
		}
	case *protocol.ToolCallData:
		v.called(t, d, p.Incomplete)
	case *protocol.SystemData:
		if d.Level == "error" {
			v.errors = newest(append(v.errors, output.Brief(d.Text, output.MaxLine)), maxTurns)
		}
	default:
	}
}

func (v *summary) find(id string) *turnSummary {
	for _, t := range slices.Backward(v.turns) {
		if t.TurnID == id {
			return t
		}
	}
	return nil
}

func (v *summary) called(t *turnSummary, d *protocol.ToolCallData, incomplete bool) {
	for line := range strings.Lines(d.Diff) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "+++ ")
		if name = strings.TrimPrefix(name, "b/"); ok && name != "/dev/null" && len(v.files) < maxFiles && !slices.Contains(v.files, name) {
			v.files = append(v.files, output.Brief(name, output.MaxLine))
		}
	}
	if t == nil {
		return
	}
	if t.Tools == nil {
		t.Tools = map[string]int{}
	}
	name := output.Brief(d.ToolName, output.MaxLine/2)
	if t.Tools[name] == 0 && len(t.Tools) >= maxTools {
		name = otherTools
	}
	t.Tools[name]++
	if d.Status == protocol.ToolError || incomplete {
		t.Failed++
	}
}

// shorten cuts texts to so many bytes of JSON, of turns before the newest one to a quarter, and lists likewise.
func (v *summary) shorten(limit int) {
	for i, t := range v.turns {
		n := max(limit/4, output.LeastShare)
		if i == len(v.turns)-1 {
			n = max(limit, output.LeastShare)
		}
		t.Shorten(n, n)
		t.Prompt = protocol.HeadJSON(t.Prompt, max(limit/4, output.LeastShare))
		t.fewTools(max(1, limit/100))
	}
	v.files = v.files[:min(len(v.files), max(1, limit/30))]
	v.errors = newest(v.errors, max(1, limit/100))
}

// fewTools leaves the n tools that were called most, and counts the rest together.
func (t *turnSummary) fewTools(n int) {
	if len(t.Tools) <= n {
		return
	}
	names := slices.SortedFunc(maps.Keys(t.Tools), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.Tools[b], t.Tools[a]), strings.Compare(a, b))
	})
	others := 0
	for _, name := range names[n:] {
		others += t.Tools[name]
		delete(t.Tools, name)
	}
	t.Tools[otherTools] += others
}

// otherTools is what the calls of those tools are counted under that are not named.
const otherTools = "others"

func newest(list []string, n int) []string { return list[max(0, len(list)-n):] }

// lines are a turn for models.
func (t *turnSummary) lines(b *strings.Builder) {
	fmt.Fprintf(b, "turn %s, prompt %s, %s, %d s: %s\n", t.TurnID, t.PromptID, t.Outcome, t.Seconds, t.Prompt)
	if len(t.Tools) > 0 {
		fmt.Fprintf(b, "  tools %v, %d failed\n", t.Tools, t.Failed)
	}
	t.Result.Lines(b)
}
