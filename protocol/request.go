package protocol

import "slices"

// RequestKind says what the agent asks for.
type RequestKind string

// The kinds of request.
const (
	RequestApproval    RequestKind = "approval"
	RequestQuestion    RequestKind = "question"
	RequestElicitation RequestKind = "elicitation"
	RequestCallerTool  RequestKind = "caller_tool" // a tool that a client offers is called; the client carries it out
)

// The four normalised answers to an approval (spec §4.8). Options of an approval carry these ids where the agent has them.
const (
	AllowOnce    = "allow_once"
	AllowAlways  = "allow_always"
	DenyContinue = "deny"      // deny this call; the agent goes on
	DenyStop     = "deny_stop" // deny and stop the turn
)

// RequestOpened says that the agent waits for an answer (spec §4.8).
type RequestOpened struct {
	RequestID     string       `json:"requestId"`               // the request's id, which its answer names
	Kind          RequestKind  `json:"kind"`                    // what is asked for
	TurnID        string       `json:"turnId,omitempty"`        // the turn that waits
	EntryID       string       `json:"entryId,omitempty"`       // the tool call it is about
	SessionID     string       `json:"sessionId,omitempty"`     // in a root session's log: the session below it that asks
	ToolName      string       `json:"toolName,omitempty"`      // the tool that would run, as the agent calls it
	ToolKind      ToolKind     `json:"toolKind,omitempty"`      // what the tool does, for policies
	Subject       string       `json:"subject,omitempty"`       // what it does it to, for policies: a command line, paths (one per line), a URL
	Cwd           string       `json:"cwd,omitempty"`           // of a command that would run in another folder than the session's: that folder
	Title         string       `json:"title"`                   // what is asked, in one line
	Text          string       `json:"text,omitempty"`          // more about it
	Diff          string       `json:"diff,omitempty"`          // all that would change in files, as a unified diff; absent: nothing, or it is not told
	DiffTruncated bool         `json:"diffTruncated,omitempty"` // the diff has the first lines
	DiffBytes     int64        `json:"diffBytes,omitempty"`     // of the whole diff, where it was cut
	Options       []Option     `json:"options,omitempty"`       // for approvals: the answers that the agent supports
	Questions     []Question   `json:"questions,omitempty"`     // for questions and elicitations: one answer each, in order
	CallerID      string       `json:"callerId,omitempty"`      // of a caller_tool: who offers the tool
	Arguments     string       `json:"arguments,omitempty"`     // of a caller_tool: JSON text, an object
	Deadline      int64        `json:"deadline,omitempty"`      // Unix ms; then Default is answered, or the agent goes on without an answer
	Default       PolicyAction `json:"default,omitempty"`       // what the policy answers at the deadline
	Guarded       bool         `json:"guarded,omitempty"`       // it reaches into the daemon's own folder: no policy answers it (spec §4.10)
}

// OpenRequest is a request that waits for its answer, and the event that has opened it.
type OpenRequest struct {
	RequestOpened
	Seq  uint64 // of the event
	Time int64  // of the event, Unix ms
}

// ToolKind says what a tool does.
type ToolKind string

// The kinds of tool. Only a tool that changes nothing is ToolRead or ToolSearch.
const (
	ToolRead    ToolKind = "read"    // reads files
	ToolSearch  ToolKind = "search"  // looks for files, or in them
	ToolEdit    ToolKind = "edit"    // writes, moves or removes files
	ToolExecute ToolKind = "execute" // runs a command
	ToolFetch   ToolKind = "fetch"   // goes to the network
	ToolOther   ToolKind = "other"
)

// Option is one answer to choose.
type Option struct {
	ID          string   `json:"id"`                    // what the answer names: allow_once, allow_always, deny or deny_stop where the agent has them
	Label       string   `json:"label,omitempty"`       // for people
	Description string   `json:"description,omitempty"` // more about it
	Extra       []Member `json:"-"`
}

// HasOption says that an answer is among those to choose.
func HasOption(options []Option, id string) bool {
	return slices.ContainsFunc(options, func(o Option) bool { return o.ID == id })
}

// Question is one thing asked.
type Question struct {
	Text     string   `json:"text"`               // the question
	Header   string   `json:"header,omitempty"`   // a word or two above it
	Options  []Option `json:"options,omitempty"`  // answers to choose from
	Multiple bool     `json:"multiple,omitempty"` // several options may be chosen
	FreeText bool     `json:"freeText,omitempty"` // any text is an answer
	Prefill  string   `json:"prefill,omitempty"`  // a text to begin the answer with
	Extra    []Member `json:"-"`
}

// Outcome says how a request was resolved.
type Outcome string

// The outcomes of a request.
const (
	OutcomeAllowed   Outcome = "allowed"
	OutcomeDenied    Outcome = "denied"
	OutcomeAnswered  Outcome = "answered"
	OutcomeFailed    Outcome = "failed"    // of a caller_tool: the client could not carry it out; Message says why
	OutcomeCancelled Outcome = "cancelled" // withdrawn by the agent, the turn's end or the agent's exit
	OutcomeExpired   Outcome = "expired"   // the deadline passed
)

// RequestResolved closes a request, exactly once; the first answer wins (spec §4.8).
type RequestResolved struct {
	RequestID string     `json:"requestId"`         // the request that is closed
	Outcome   Outcome    `json:"outcome"`           // what became of it
	Option    string     `json:"option,omitempty"`  // of an approval: the id of the option that was chosen
	Answers   [][]string `json:"answers,omitempty"` // one list per question: option ids or free text
	Message   string     `json:"message,omitempty"` // what the answerer told the agent
	By        string     `json:"by"`                // "client:ID", "policy", "agent" or "daemon"
	Rule      int64      `json:"rule,omitempty"`    // where a rule of the policy has decided: its place in the list, from 1 (spec §4.10)
	Mode      PolicyMode `json:"mode,omitempty"`    // where the mode of the policy has decided
}

func (*RequestOpened) Type() Type   { return TypeRequestOpened }
func (*RequestResolved) Type() Type { return TypeRequestResolved }

func (p *RequestOpened) code(c *coder) {
	c.str("requestId", &p.RequestID)
	c.str("kind", (*string)(&p.Kind))
	c.optStr("turnId", &p.TurnID)
	c.optStr("entryId", &p.EntryID)
	c.optStr("sessionId", &p.SessionID)
	c.optStr("toolName", &p.ToolName)
	c.optStr("toolKind", (*string)(&p.ToolKind))
	c.optStr("subject", &p.Subject)
	c.optStr("cwd", &p.Cwd)
	c.str("title", &p.Title)
	c.optStr("text", &p.Text)
	c.optStr("diff", &p.Diff)
	c.optBool("diffTruncated", &p.DiffTruncated)
	c.optInt64("diffBytes", &p.DiffBytes)
	optObjects(c, "options", &p.Options)
	optObjects(c, "questions", &p.Questions)
	c.optStr("callerId", &p.CallerID)
	c.optStr("arguments", &p.Arguments)
	c.optInt64("deadline", &p.Deadline)
	c.optStr("default", (*string)(&p.Default))
	c.optBool("guarded", &p.Guarded)
}

func (o *Option) code(c *coder) {
	c.str("id", &o.ID)
	c.optStr("label", &o.Label)
	c.optStr("description", &o.Description)
	c.rest(&o.Extra)
}

func (q *Question) code(c *coder) {
	c.str("text", &q.Text)
	c.optStr("header", &q.Header)
	optObjects(c, "options", &q.Options)
	c.optBool("multiple", &q.Multiple)
	c.optBool("freeText", &q.FreeText)
	c.optStr("prefill", &q.Prefill)
	c.rest(&q.Extra)
}

func (p *RequestResolved) code(c *coder) {
	c.str("requestId", &p.RequestID)
	c.str("outcome", (*string)(&p.Outcome))
	c.optStr("option", &p.Option)
	c.optStrLists("answers", &p.Answers)
	c.optStr("message", &p.Message)
	c.str("by", &p.By)
	c.optInt64("rule", &p.Rule)
	c.optStr("mode", (*string)(&p.Mode))
}
