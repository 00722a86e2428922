package exit

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// commandWords say in the words of the command line what problems call by its route.
var commandWords = map[string]string{
	protocol.TermListAgents:       "ringmaster agents",
	protocol.TermListSessions:     "ringmaster ls",
	protocol.TermCreateSession:    "ringmaster new",
	protocol.TermSetBudget:        "ringmaster budget",
	protocol.TermSetOwnerBudget:   "ringmaster owner",
	protocol.TermEndSession:       "ringmaster end",
	protocol.TermInterruptSession: "ringmaster interrupt",
	protocol.TermListPrompts:      "ringmaster prompts",
	protocol.TermCancelPrompt:     "ringmaster prompts cancel",
	protocol.TermListRequests:     "ringmaster show",
	protocol.TermSendResult:       "Send it with ringmaster answer --text.",
	protocol.TermReadLog:          "ringmaster log",
	protocol.TermReadRaw:          "ringmaster raw",
	protocol.TermIdempotencyKey:   "--key",
	protocol.TermNativeSessionID:  "--native",
	protocol.TermMCPCapability:    "the row \"MCP server\"",
}

// otherRoutes stand in hints of the HTTP layer itself.
var otherRoutes = []string{
	"GET /tokens", "ringmaster token list",
	"GET /sessions/{id}/stream", "ringmaster tail",
	"GET /sessions/{id}/models", "ringmaster model",
	"GET /sessions/{id}/modes", "ringmaster mode",
	"GET /sessions/{id}", "ringmaster show",
	"DELETE /sessions/{id}", "ringmaster rm",
	"GET /openapi.json says what this route takes.",
	"The command's --help says what it takes; where that is as it was given, the daemon is of another version than this program.",
}

// InCommands says a problem's text, which has the words of HTTP, in those of the command line.
func InCommands(text string) string { return commandSpeech.Replace(text) }

// commandSpeech replaces words; longer ones go first.
var commandSpeech = func() *strings.Replacer {
	type pair struct{ from, to string }
	var list []pair
	for term, word := range commandWords {
		list = append(list, pair{protocol.HTTPWords.Say(term), word})
	}
	for r := range slices.Chunk(otherRoutes, 2) {
		list = append(list, pair{r[0], r[1]})
	}
	slices.SortFunc(list, func(a, b pair) int { return len(b.from) - len(a.from) })
	var words []string
	for _, p := range list {
		words = append(words, p.from, p.to)
	}
	return strings.NewReplacer(words...)
}()
