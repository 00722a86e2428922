package output

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Session is a session as tools show it.
type Session struct {
	SessionID       string            `json:"session_id"`
	Status          string            `json:"status" enum:"running,idle,completed,failed" jsonschema:"what the session does, in one word"`
	State           string            `json:"state" enum:"states" jsonschema:"the status in detail"`
	LastIndex       int               `json:"last_index" jsonschema:"index of the newest event"`
	Epoch           uint64            `json:"epoch" jsonschema:"of the log's numbers"`
	Agent           string            `json:"agent"`
	Cwd             string            `json:"cwd" jsonschema:"the folder that it works in"`
	Title           string            `json:"title,omitempty"`
	Model           string            `json:"model,omitempty"`
	Mode            string            `json:"mode,omitempty" jsonschema:"the agent's own word for how it works"`
	PendingModel    string            `json:"pending_model,omitempty" jsonschema:"chosen, and not in force yet"`
	PendingMode     string            `json:"pending_mode,omitempty" jsonschema:"likewise"`
	Labels          map[string]string `json:"labels,omitempty"`
	LabelsLeftOut   int               `json:"labels_left_out,omitempty" jsonschema:"so many labels more are not shown"`
	NativeSessionID string            `json:"native_session_id,omitempty" jsonschema:"the agent's own id of the session"`
	ParentSessionID string            `json:"parent_session_id,omitempty" jsonschema:"the session that it works for"`
	SubAgent        bool              `json:"sub_agent,omitempty" jsonschema:"it is a sub-agent of its parent, and lives on its connection"`
	CreatedAt       time.Time         `json:"created_at"`
	UpdatedAt       time.Time         `json:"updated_at" jsonschema:"time of the newest event"`
	ToolName        string            `json:"tool_name,omitempty" jsonschema:"the tool that runs"`
	Stalled         bool              `json:"stalled,omitempty" jsonschema:"the agent works and has said nothing for long"`
	Turns           int               `json:"turns" jsonschema:"how many there were"`
	Owner           string            `json:"owner,omitempty" jsonschema:"whose token made it, or the session above it"`
	Spawned         bool              `json:"spawned,omitempty" jsonschema:"the agent of its parent session made it"`
	MCP             bool              `json:"mcp,omitempty" jsonschema:"its agent was given these tools, and can be offered others"`
	Pinned          bool              `json:"pinned,omitempty" jsonschema:"it stays, whatever the daemon removes of old sessions"`
	ReadOnly        bool              `json:"read_only,omitempty" jsonschema:"its log takes no events: it is damaged, or the disk refuses"`
	Damage          string            `json:"damage,omitempty" jsonschema:"what of its files is not as it was written; its log ends there"`
	Error           string            `json:"error,omitempty" jsonschema:"why the session failed"`
	Hint            string            `json:"hint,omitempty" jsonschema:"what mends it"`
}

// SessionOf is what is shown of a summary.
func SessionOf(s *session.Summary) Session {
	labels, left := fewLabels(s.Labels)
	return Session{
		SessionID: s.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, Model: s.Model, Mode: s.Mode, PendingModel: s.PendingModel, PendingMode: s.PendingMode,
		Labels: labels, LabelsLeftOut: left,
		NativeSessionID: s.NativeSessionID, ParentSessionID: s.ParentSessionID, SubAgent: s.SubAgent, CreatedAt: s.Created.UTC(), UpdatedAt: s.Updated.UTC(),
		Status: s.Status.State.ItemStatus(), State: string(s.Status.State), ToolName: s.Status.ToolName, Stalled: s.Status.Stalled,
		Turns: s.Turns, LastIndex: int(s.Seq) - 1, Epoch: s.Epoch, Owner: s.Owner, Spawned: s.Spawned, MCP: s.MCP, Pinned: s.Pinned, ReadOnly: s.ReadOnly,
		Damage: EndsEarly(s.Damage), Error: protocol.Head(s.EndError, MaxReason), Hint: protocol.Head(s.EndHint, MaxReason),
	}
}

// EndsEarly tells whoever reads a log that what it has is not all, and what to do; empty where it is.
func EndsEarly(d *protocol.Damage) string {
	if d == nil {
		return ""
	}
	return protocol.Head(strings.TrimSpace("The log ends early: "+d.String()+". "+d.Hint), MaxReason)
}

// EndUnknown is why something has no outcome that was not over where a damaged log ends.
const EndUnknown = "What became of it is not in what can be read of the log."

// WriteDamage says that a log ends early, for models.
func WriteDamage(b *strings.Builder, told string) {
	if told != "" {
		b.WriteString(told + "\n")
	}
}

// Shorten cuts what a session has of texts to n bytes each, and leaves out its labels.
func (o *Session) Shorten(n int) {
	for _, text := range []*string{&o.Title, &o.Model, &o.Mode, &o.PendingModel, &o.PendingMode, &o.Damage, &o.Error, &o.Hint, &o.ToolName} {
		*text = protocol.Head(*text, n)
	}
	o.Labels, o.LabelsLeftOut = nil, o.LabelsLeftOut+len(o.Labels)
}

// Line is the session in one line, for models.
func (o *Session) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", o.SessionID, o.Status)
	if o.State != "" && o.State != o.Status {
		fmt.Fprintf(&b, " (%s)", o.State)
	}
	fmt.Fprintf(&b, " %s in %s", o.Agent, o.Cwd)
	if o.Title != "" {
		fmt.Fprintf(&b, " %q", Brief(o.Title, MaxLine))
	}
	fmt.Fprintf(&b, ", %d turns, last_index %d", o.Turns, o.LastIndex)
	for _, x := range []struct{ name, value string }{
		{"model", o.Model},
		{"mode", o.Mode},
		{"pending_model", o.PendingModel},
		{"pending_mode", o.PendingMode},
		{"tool", o.ToolName},
		{"parent_session_id", o.ParentSessionID},
		{"owner", o.Owner},
		{"damage", Brief(o.Damage, MaxReason)},
		{"error", Brief(o.Error, MaxReason)},
		{"hint", Brief(o.Hint, MaxReason)},
	} {
		if x.value != "" {
			fmt.Fprintf(&b, ", %s %s", x.name, x.value)
		}
	}
	for _, x := range []struct {
		is   bool
		word string
	}{
		{o.Epoch > 1, fmt.Sprintf("epoch %d", o.Epoch)},
		{o.SubAgent, "a sub-agent"},
		{o.MCP, "with these tools"},
		{o.Stalled, "stalled"},
		{o.ReadOnly, "read-only"},
	} {
		if x.is {
			b.WriteString(", " + x.word)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(o.Labels)) {
		fmt.Fprintf(&b, ", %s=%s", k, Brief(o.Labels[k], MaxLine))
	}
	return b.String()
}
