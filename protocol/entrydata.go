package protocol

// EntryData is the content of an entry; the entry's type says which struct it is (spec §4.5). Data of a type that this
// build does not know is *UnknownData.
//
//sumtype:decl
type EntryData interface {
	entryData()
	code(c *coder)
}

// MessageData is the content of user_message and assistant_message.
type MessageData struct {
	Role   string   `json:"role"`             // "user" or "assistant"
	Text   string   `json:"text"`             // the text, as far as it is there
	Images []string `json:"images,omitempty"` // as in Prompt
	Cut             // set when Text was cut at ingestion
	Extra  []Member `json:"-"`
}

// ToolStatus is the phase of a tool call.
type ToolStatus string

// The phases of a tool call. ToolPending: its arguments are still being written.
const (
	ToolPending          ToolStatus = "pending"
	ToolAwaitingApproval ToolStatus = "awaiting_approval"
	ToolRunning          ToolStatus = "running"
	ToolCompleted        ToolStatus = "completed"
	ToolError            ToolStatus = "error"
)

// ToolCallData is the content of tool_call: every native event about one call lands in one entry.
type ToolCallData struct {
	ToolName   string     `json:"toolName"`             // the tool, as the agent calls it
	CallID     string     `json:"callId"`               // the call's id, in the agent's own words
	Arguments  string     `json:"arguments,omitempty"`  // JSON text, as the model wrote it
	Command    string     `json:"command,omitempty"`    // for shell tools
	Cwd        string     `json:"cwd,omitempty"`        // where the command runs, absolute
	Status     ToolStatus `json:"status"`               // the phase of the call; pending: its arguments are still being written
	Output     string     `json:"output,omitempty"`     // what the tool gave, as text
	ExitCode   *int       `json:"exitCode,omitempty"`   // of a command; absent: not known
	DurationMs *int64     `json:"durationMs,omitempty"` // milliseconds that the call took; absent: not known
	Diff       string     `json:"diff,omitempty"`       // unified diff, for tools that change files
	Cut                   // set when Output was cut at ingestion
	Extra      []Member   `json:"-"`
}

// ToolResultData is the content of tool_result, for backends that send a separate message for it.
type ToolResultData struct {
	CallID  string   `json:"callId"`            // the call that it is the result of
	Output  string   `json:"output"`            // what the tool gave, as text
	IsError bool     `json:"isError,omitempty"` // the tool failed
	Cut              // set when Output was cut at ingestion
	Extra   []Member `json:"-"`
}

// ThinkingData is the content of thinking.
type ThinkingData struct {
	Text    string   `json:"text"`              // the reasoning, where the agent shows it
	Summary []string `json:"summary,omitempty"` // the parts of its summary, in order
	Cut              // set when Text was cut at ingestion
	Extra   []Member `json:"-"`
}

// PlanData is the content of plan.
type PlanData struct {
	Text  string     `json:"text,omitempty"`  // the plan as text, where the agent gives one
	Steps []PlanStep `json:"steps,omitempty"` // the plan, step by step
	Extra []Member   `json:"-"`
}

// PlanStep is one line of a plan.
type PlanStep struct {
	Text   string   `json:"text"`             // what the step is
	Status string   `json:"status,omitempty"` // pending, in_progress, completed: the agent's own word
	Extra  []Member `json:"-"`
}

// CompactionData is the content of compaction.
type CompactionData struct {
	Summary      string   `json:"summary"`                // what the agent goes on with instead of what it has left out
	Trigger      string   `json:"trigger,omitempty"`      // manual, threshold, overflow: the agent's own word
	TokensBefore int64    `json:"tokensBefore,omitempty"` // how many tokens the context had before
	Cut                   // set when Summary was cut at ingestion
	Extra        []Member `json:"-"`
}

// SystemData is the content of system: a notice of the agent or of the daemon.
type SystemData struct {
	Text  string   `json:"text"`             // the notice, for people
	Level string   `json:"level,omitempty"`  // info, warning, error
	Kind  string   `json:"kind,omitempty"`   // a stable word for machines, such as "notify" or "line_too_long"
	Raw   []byte   `json:"native,omitempty"` // a native event that has no canonical form, as JSON
	Cut            // set when Text was cut at ingestion
	Extra []Member `json:"-"`
}

// KindAgentLost is the kind of the notice that the agent exited between turns, although that was not asked for, and is started again.
const KindAgentLost = "agent_lost"

// UnknownData is the data of an entry type that this build does not know.
type UnknownData struct{ Extra []Member }

// Cut marks content that was longer than the ingestion limit.
type Cut struct {
	Truncated bool  `json:"truncated,omitempty"` // the content was longer than the daemon's limit, and this is its beginning
	Bytes     int64 `json:"bytes,omitempty"`     // the whole length, when truncated
}

func (*MessageData) entryData()    {}
func (*ToolCallData) entryData()   {}
func (*ToolResultData) entryData() {}
func (*ThinkingData) entryData()   {}
func (*PlanData) entryData()       {}
func (*CompactionData) entryData() {}
func (*SystemData) entryData()     {}
func (*UnknownData) entryData()    {}

// NewEntryData makes the empty data of an entry type.
func NewEntryData(t EntryType) EntryData {
	switch t {
	case EntryUserMessage:
		return &MessageData{Role: "user"}
	case EntryAssistantMessage:
		return &MessageData{Role: "assistant"}
	case EntryThinking:
		return new(ThinkingData)
	case EntryToolCall:
		return new(ToolCallData)
	case EntryToolResult:
		return new(ToolResultData)
	case EntryPlan:
		return new(PlanData)
	case EntryCompaction:
		return new(CompactionData)
	case EntrySystem:
		return new(SystemData)
	}
	return new(UnknownData)
}

func codeData(c *coder, t EntryType, p *EntryData) {
	d := *p
	if c.dec || d == nil {
		d = NewEntryData(t)
	}
	c.object("data", d)
	if c.dec {
		*p = d
	}
}

func (d *Cut) code(c *coder) {
	c.optBool("truncated", &d.Truncated)
	c.optInt64("bytes", &d.Bytes)
}

func (d *MessageData) code(c *coder) {
	c.str("role", &d.Role)
	c.str("text", &d.Text)
	c.optStrs("images", &d.Images)
	d.Cut.code(c)
	c.rest(&d.Extra)
}

func (d *ToolCallData) code(c *coder) {
	c.str("toolName", &d.ToolName)
	c.str("callId", &d.CallID)
	c.optStr("arguments", &d.Arguments)
	c.optStr("command", &d.Command)
	c.optStr("cwd", &d.Cwd)
	c.str("status", (*string)(&d.Status))
	c.optStr("output", &d.Output)
	c.optIntPtr("exitCode", &d.ExitCode)
	c.optInt64Ptr("durationMs", &d.DurationMs)
	c.optStr("diff", &d.Diff)
	d.Cut.code(c)
	c.rest(&d.Extra)
}

func (d *ToolResultData) code(c *coder) {
	c.str("callId", &d.CallID)
	c.str("output", &d.Output)
	c.optBool("isError", &d.IsError)
	d.Cut.code(c)
	c.rest(&d.Extra)
}

func (d *ThinkingData) code(c *coder) {
	c.str("text", &d.Text)
	c.optStrs("summary", &d.Summary)
	d.Cut.code(c)
	c.rest(&d.Extra)
}

func (d *PlanData) code(c *coder) {
	c.optStr("text", &d.Text)
	optObjects(c, "steps", &d.Steps)
	c.rest(&d.Extra)
}

func (s *PlanStep) code(c *coder) {
	c.str("text", &s.Text)
	c.optStr("status", &s.Status)
	c.rest(&s.Extra)
}

func (d *CompactionData) code(c *coder) {
	c.str("summary", &d.Summary)
	c.optStr("trigger", &d.Trigger)
	c.optInt64("tokensBefore", &d.TokensBefore)
	d.Cut.code(c)
	c.rest(&d.Extra)
}

func (d *SystemData) code(c *coder) {
	c.str("text", &d.Text)
	c.optStr("level", &d.Level)
	c.optStr("kind", &d.Kind)
	c.optRaw("native", &d.Raw)
	d.Cut.code(c)
	c.rest(&d.Extra)
}

func (d *UnknownData) code(c *coder) { c.rest(&d.Extra) }
