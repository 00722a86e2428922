package protocol

import "strings"

// Terms stand in the details and hints of problems for what HTTP and MCP call by different names: something to do, or a member of a
// message. Who makes a problem does not know how it was reached; each surface says the terms in its own words, with a Wording.
const (
	TermListAgents       = "{listAgents}"
	TermMCPCapability    = "{mcpCapability}" // where the list of agents says who takes an MCP server
	TermListSessions     = "{listSessions}"
	TermCreateSession    = "{createSession}"
	TermEndSession       = "{endSession}"
	TermInterruptSession = "{interruptSession}"
	TermSetBudget        = "{setBudget}"
	TermSetOwnerBudget   = "{setOwnerBudget}"
	TermListPrompts      = "{listPrompts}"
	TermCancelPrompt     = "{cancelPrompt}"
	TermListRequests     = "{listRequests}"
	TermSendResult       = "{sendResult}" // the whole sentence: how the call of a caller tool is answered
	TermReadLog          = "{readLog}"
	TermReadRaw          = "{readRaw}"
	TermIdempotencyKey   = "{idempotencyKey}"
	TermNativeSessionID  = "{nativeSessionId}"
	TermPageAfter        = "{pageAfter}" // the parameter that asks for the next page of a list, and
	TermPageNext         = "{pageNext}"  // the member of a page that goes there
)

// Terms lists every term.
func Terms() []string {
	return []string{
		TermListAgents, TermMCPCapability, TermListSessions, TermCreateSession, TermEndSession, TermInterruptSession, TermListPrompts,
		TermCancelPrompt, TermListRequests, TermSendResult, TermReadLog, TermReadRaw, TermIdempotencyKey, TermNativeSessionID,
		TermPageAfter, TermPageNext, TermSetBudget, TermSetOwnerBudget,
	}
}

// Wording says terms in the words of one surface.
type Wording struct{ words *strings.Replacer }

// NewWording makes a wording of what each term is called.
func NewWording(words map[string]string) Wording {
	pairs := make([]string, 0, 2*len(words))
	for term, word := range words {
		pairs = append(pairs, term, word)
	}
	return Wording{strings.NewReplacer(pairs...)}
}

// Say gives a text of a problem without terms.
func (w Wording) Say(text string) string { return w.words.Replace(text) }

// HTTPWords are those of the HTTP API, whose problems this package describes (spec §11).
var HTTPWords = NewWording(map[string]string{
	TermListAgents:       "GET /agents",
	TermMCPCapability:    "capabilities.mcp",
	TermListSessions:     "GET /sessions",
	TermCreateSession:    "POST /sessions",
	TermEndSession:       "POST /sessions/{id}/end",
	TermInterruptSession: "POST /sessions/{id}/interrupt",
	TermSetBudget:        "PUT /sessions/{id}/budget",
	TermSetOwnerBudget:   "PUT /budgets/{owner}",
	TermListPrompts:      "GET /sessions/{id}/prompts",
	TermCancelPrompt:     "DELETE /sessions/{id}/prompts/{pid}",
	TermListRequests:     "GET /sessions/{id}/requests",
	TermSendResult:       `Send {"result": …}, or {"outcome": "failed", "message": "…"}.`,
	TermReadLog:          "GET /sessions/{id}/log",
	TermReadRaw:          "GET /sessions/{id}/raw",
	TermIdempotencyKey:   "Idempotency-Key",
	TermNativeSessionID:  "nativeSessionId",
	TermPageAfter:        "after",
	TermPageNext:         "next",
})
