package protocol

import "strconv"

// Code is the stable word of a problem: what programs look at (spec §11).
type Code string

// The codes.
const (
	CodeInvalidRequest         Code = "invalid_request"
	CodeUnauthorized           Code = "unauthorized"
	CodeForbidden              Code = "forbidden"
	CodeCwdNotAllowed          Code = "cwd_not_allowed"
	CodeNotFound               Code = "not_found"
	CodeSessionNotFound        Code = "session_not_found"
	CodeAgentNotFound          Code = "agent_not_found"
	CodeRequestNotFound        Code = "request_not_found"
	CodePromptNotFound         Code = "prompt_not_found"
	CodeConflict               Code = "conflict"
	CodeSessionEnded           Code = "session_ended"
	CodeRequestAlreadyResolved Code = "request_already_resolved"
	CodeUncertain              Code = "uncertain"
	CodeBudgetExhausted        Code = "budget_exhausted"
	CodeCursorReset            Code = "cursor_reset"
	CodeRawGone                Code = "raw_gone"
	CodeAnswerGone             Code = "answer_gone"
	CodeTooLarge               Code = "too_large"
	CodeUnsupportedMediaType   Code = "unsupported_media_type"
	CodeMisdirected            Code = "misdirected"
	CodeNotSupported           Code = "not_supported"
	CodeRateLimited            Code = "rate_limited"
	CodeInternal               Code = "internal"
	CodeDamaged                Code = "damaged"
	CodeAgentUnavailable       Code = "agent_unavailable"
	CodeOverloaded             Code = "overloaded"
	CodeReadOnly               Code = "read_only"
	CodeUnavailable            Code = "unavailable"
)

// problemRow is what a code means over HTTP.
type problemRow struct {
	code   Code
	status int
	title  string
}

// problemTable is the one place where codes get their HTTP status and title, in the order of spec §11.
var problemTable = []problemRow{
	{CodeInvalidRequest, 400, "The request is not valid"},
	{CodeUnauthorized, 401, "A valid token is required"},
	{CodeForbidden, 403, "The request is not allowed"},
	{CodeCwdNotAllowed, 403, "The working directory lies outside the allowed roots"},
	{CodeNotFound, 404, "There is nothing at this address"},
	{CodeSessionNotFound, 404, "There is no such session"},
	{CodeAgentNotFound, 404, "There is no such agent"},
	{CodeRequestNotFound, 404, "There is no such request"},
	{CodePromptNotFound, 404, "There is no such prompt in the queue"},
	{CodeConflict, 409, "The request conflicts with the present state"},
	{CodeSessionEnded, 409, "The session has ended"},
	{CodeRequestAlreadyResolved, 409, "The request was answered already"},
	{CodeUncertain, 409, "The call was accepted, and nobody knows what came of it"},
	{CodeBudgetExhausted, 409, "A budget has no room for this"},
	{CodeCursorReset, 410, "The cursor is not of this log"},
	{CodeRawGone, 410, "The native lines are not kept"},
	{CodeAnswerGone, 410, "The call was carried out, and its answer is not kept"},
	{CodeTooLarge, 413, "The request is too large"},
	{CodeUnsupportedMediaType, 415, "The content type is not supported"},
	{CodeMisdirected, 421, "This node does not have the session"},
	{CodeNotSupported, 422, "The agent cannot do this"},
	{CodeRateLimited, 429, "Too many requests"},
	{CodeInternal, 500, "Internal error"},
	{CodeDamaged, 500, "What is stored is not what was written"},
	{CodeAgentUnavailable, 503, "The agent cannot be started on this machine"},
	{CodeOverloaded, 503, "The daemon is at its limits"},
	{CodeReadOnly, 503, "What was to be stored cannot be written"},
	{CodeUnavailable, 503, "The daemon cannot answer now"},
}

// Codes lists every code in the order of spec §11.
func Codes() []Code {
	list := make([]Code, len(problemTable))
	for i, row := range problemTable {
		list[i] = row.code
	}
	return list
}

// Status is the code's HTTP status; that of CodeInternal for a code that this build does not know.
func (c Code) Status() int { return c.row().status }

// Title is the code's short text for people. It never changes from one occurrence to the next.
func (c Code) Title() string { return c.row().title }

func (c Code) row() problemRow {
	for _, row := range problemTable {
		if row.code == c {
			return row
		}
	}
	return CodeInternal.row()
}

// ProblemType is the media type of a problem.
const ProblemType = "application/problem+json"

// Problem is an error as clients see it: RFC 9457 with a stable code and a hint (spec §11). It never shows the insides of
// an internal error.
type Problem struct {
	Type   string `json:"type"`             // "urn:ringmaster:problem:" and the code
	Title  string `json:"title"`            // the same short text for every occurrence of the code
	Status int    `json:"status"`           // the HTTP status
	Detail string `json:"detail,omitempty"` // what was wrong with this request
	Code   Code   `json:"code"`             // the stable word that programs look at
	Hint   string `json:"hint,omitempty"`   // what to do about it

	Epoch  uint64 `json:"epoch,omitempty"`  // cursor_reset: the log's epoch
	Oldest uint64 `json:"oldest,omitempty"` // cursor_reset: its first event's seq
	Newest uint64 `json:"newest,omitempty"` // cursor_reset: its last event's seq
	Common uint64 `json:"common,omitempty"` // cursor_reset: up to here the log is the one that the cursor is of, where that is known
	By     string `json:"by,omitempty"`     // request_already_resolved: who answered
	LookAt string `json:"lookAt,omitempty"` // uncertain, answer_gone: the path that shows what came of the call
}

// NewProblem makes a problem of a code. Detail and hint may be empty.
func NewProblem(code Code, detail, hint string) *Problem {
	row := code.row()
	return &Problem{
		Type: "urn:ringmaster:problem:" + string(row.code), Title: row.title, Status: row.status,
		Detail: detail, Code: row.code, Hint: hint,
	}
}

// CursorReset makes the problem of a cursor that is not of this log.
func CursorReset(r Reset) *Problem {
	hint := "Drop what you hold of this session and read its log from the start."
	if r.Common > 0 {
		at := Cursor{Epoch: r.Epoch, Seq: r.Common}.String()
		hint = "Drop what you hold of this session behind the event " + strconv.FormatUint(r.Common, 10) + ", and read on from the cursor " + at + "."
	}
	p := NewProblem(CodeCursorReset, "", hint)
	p.Epoch, p.Oldest, p.Newest, p.Common = r.Epoch, r.Oldest, r.Newest, r.Common
	return p
}

// Error is the code, the detail (or the title) and the hint, in the words of HTTP.
func (p *Problem) Error() string {
	text := string(p.Code) + ": " + p.Title
	if p.Detail != "" {
		text = string(p.Code) + ": " + p.Detail
	}
	if p.Hint != "" {
		text += " (" + p.Hint + ")"
	}
	return HTTPWords.Say(text)
}

// Is says that target is a problem of the same code, so that errors.Is(err, NewProblem(code, "", "")) finds it.
func (p *Problem) Is(target error) bool {
	t, ok := target.(*Problem)
	return ok && t.Code == p.Code
}
