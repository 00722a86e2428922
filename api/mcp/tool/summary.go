package tool

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/poll"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// logs tell what happened in sessions.
type logs struct {
	backend Backend
	door    *control.Door
	polls   *poll.Polls
}

type summaryInput struct {
	SessionID  string `json:"session_id"`
	SinceIndex *int   `json:"since_index,omitempty" minimum:"-1" jsonschema:"only what happened after this index: last_index of a call before; -1, the default, is everything"`
	Epoch      uint64 `json:"epoch,omitempty" jsonschema:"epoch of the call that gave since_index, where it was not 1"`
}

type summaryOutput struct {
	LastIndex int              `json:"last_index" jsonschema:"pass as since_index to be told what happens from here on"`
	SessionID string           `json:"session_id"`
	Title     string           `json:"title,omitempty"`
	Status    string           `json:"status" jsonschema:"running, idle, completed or failed"`
	State     string           `json:"state"`
	Epoch     uint64           `json:"epoch"`
	Reset     bool             `json:"reset,omitempty" jsonschema:"since_index is not of this log: this is everything"`
	Turns     []*turnSummary   `json:"turns" jsonschema:"the newest twelve, the oldest first"`
	Dropped   int              `json:"older_turns,omitempty" jsonschema:"that are not shown"`
	Files     []string         `json:"files,omitempty" jsonschema:"that were changed, as far as the agent shows diffs; 40 at most, and fewer where they are long"`
	Children  []string         `json:"children,omitempty" jsonschema:"sessions that began to work for this one"`
	Damage    string           `json:"damage,omitempty" jsonschema:"the log is damaged and ends early: what came after cannot be read, and nothing will come"`
	Errors    []string         `json:"errors,omitempty" jsonschema:"the newest that belong to no turn"`
	Requests  []output.Request `json:"requests" jsonschema:"that wait for an answer"`

	RequestsLeftOut int `json:"requests_left_out,omitempty" jsonschema:"so many more wait: session_get shows them"`
}

func (s *logs) addSummary(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_summary", Title: "What happened in a session, in short", Annotations: call.Reads,
		Description: "Sums up what happened in a session since an index: its turns with their outcomes, answers (their beginnings) and tools, changed files, what waits for an answer. Always short, however long the log is.",
	}, s.summary)
}

func (s *logs) summary(ctx context.Context, _ *call.Call, in *summaryInput) (*summaryOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return nil, err
	}
	if in.SinceIndex != nil && *in.SinceIndex < -1 {
		return nil, problem.Invalid("since_index is -1 or more.", "Pass last_index of the call before.")
	}
	d, err := s.door.Describe(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	f, err := feed.Open(ctx, s.door, in.SessionID, "mcp")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := &summaryOutput{
		SessionID: d.ID, Title: output.Brief(d.Title, output.MaxLine), Status: d.Status.State.ItemStatus(), State: string(d.Status.State), Epoch: f.Epoch,
		Requests: output.RequestsOf(d.Requests),
	}
	if in.SinceIndex != nil && *in.SinceIndex >= 0 {
		at, ok := f.After(protocol.Cursor{Epoch: max(in.Epoch, 1), Seq: uint64(*in.SinceIndex + 1)})
		f.At, out.Reset = at, !ok
	}
	var v summary
	for head := f.Head(); f.At < min(head, f.Head()) && err == nil; {
		_, err = f.Read(ctx, func(e *protocol.Event) bool {
			v.apply(e)
			return e.Seq < head
		})
	}
	if err != nil {
		return nil, err
	}
	out.LastIndex, out.Damage = int(f.At)-1, output.EndsEarly(f.Reader.Damage)
	out.take(&v)
	return out, nil
}

// take takes a summary, as much of it as a result holds.
func (o *summaryOutput) take(v *summary) {
	open := o.Requests
	for n := maxSummaryText; n >= output.LeastShare; n /= 2 {
		v.shorten(n)
		o.Turns, o.Dropped, o.Files, o.Children, o.Errors = append([]*turnSummary{}, v.turns...), v.dropped, v.files, v.children, v.errors
		o.Requests, o.RequestsLeftOut = output.FewRequests(open, max(1, n/60))
		for i := range o.Requests {
			o.Requests[i].Shorten(n / 2)
		}
		if output.SizeOf(o) <= output.MaxResult {
			return
		}
	}
	o.Requests, o.RequestsLeftOut = output.FewRequests(open, 0)
}

// Words are the summary for models that are shown text.
func (o *summaryOutput) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "last_index %d, session %s, %s (%s)", o.LastIndex, o.SessionID, o.Status, o.State)
	if o.Reset {
		b.WriteString(", reset: this is everything")
	}
	b.WriteByte('\n')
	output.WriteDamage(&b, o.Damage)
	if o.Dropped > 0 {
		fmt.Fprintf(&b, "%d older turns\n", o.Dropped)
	}
	for _, t := range o.Turns {
		t.lines(&b)
	}
	for _, x := range []struct {
		name string
		list []string
	}{{"changed", o.Files}, {"children", o.Children}, {"errors", o.Errors}} {
		if len(x.list) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", x.name, strings.Join(x.list, ", "))
		}
	}
	for i := range o.Requests {
		o.Requests[i].Lines(&b)
	}
	output.WriteLeftOut(&b, o.RequestsLeftOut)
	return b.String()
}
