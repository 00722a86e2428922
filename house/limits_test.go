package house

import (
	"slices"
	"strings"
	"testing"
)

// limits are the rows of the table of limits, each with where the code says the same: a file, and texts that are in it.
var limits = []struct {
	row  string
	file string
	code []string
}{
	{"sessions that have not ended | 1000", "supervisor/tree.go", []string{"or(&c.MaxSessions, 1000)"}},
	{"prompts waiting in a session | 100", "supervisor/tree.go", []string{"or(&c.MaxQueue, 100)"}},
	{"restarts of an agent without a completed turn between | 5", "supervisor/tree.go", []string{"or(&c.MaxRestarts, 5)"}},
	{"time until an agent is ready | 60 s", "actors/session/core/lifecycle.go", []string{"StartGrace     = time.Minute"}},
	{"one line of an agent | 8 MiB", "adapters/process/framer.go", []string{"DefaultMaxLine = 8 << 20"}},
	{"one text in the log | 100 KiB", "adapters/translator.go", []string{"const MaxText = 100 << 10"}},
	{"owners that have a budget | 1000", "supervisor/core/owners.go", []string{"const maxTenants = 1000"}},
	{"raw archive of a session | 256 MiB", "actors/raw/options.go", []string{"DefaultLimit = 256 << 20"}},
	{"streams | 16,384, or what `--max-streams` says, and 4096 of one session", "api/config.go", []string{"DefaultStreams     = 16_384", "set(&c.MaxStreamsPerSession, 4096)"}},
	{"requests at work, from the end of their body on | 1024", "api/config.go", []string{"set(&c.MaxRequests, 1024)"}},
	{"bodies of requests that are coming or at work | 64 MiB, or what `--max-in-flight` says", "api/config.go", []string{
		"DefaultInFlight    = 64 << 20", "set(&c.MaxBodies, DefaultInFlight)",
	}},
	{"answers that are made as a whole: states, whole texts | 64 MiB, or what `--max-in-flight` says", "api/config.go", []string{"set(&c.MaxAnswers, DefaultInFlight)"}},
	{"making sessions | a token 10 a second, or what `--session-rate` says, after 1000 at once; an agent 1 a second, after 32", "api/access/rate.go", []string{
		"= 1000\n", "agentMakesAtOnce, agentMakesPerSecond = 32, 1",
	}},
	{"connections over TCP | all that leave half of the descriptors, or 8192, to sessions; 1024 that have not named a token and ask for nothing", "api/connection/limit.go", []string{
		"const maxStrangers = 1024",
	}},
	{"pages that are logged in | 1024, and 16 of a token; 30 days", "api/access/login.go", []string{
		"MaxLogins     = 1024", "MaxLoginsEach = 16 //",
	}},
	{"links that wait for a page | 4 of a token, each for a minute; 10 of a token are opened in a minute, and 10 wrong ones", "api/login/room.go", []string{
		"codeLife = time.Minute", "openEach = 4 ", "aMinute  = 10 ",
	}},
	{"webhooks | 64, and 16 of a token", "api/webhook/service.go", []string{"MaxWebhooks     = 64", "MaxWebhooksEach = 16 //"}},
	{"deliveries of a webhook | 4 under way, 1,024 that were made and wait, 256 dead ones; the oldest dead one is dropped for another", "api/webhook/core/limits.go", []string{
		"Limits{Under: 4, Made: 1024, Queue: 16, Dead: 256, Done: 100}",
	}},
	{"a delivery | 10 tries in 72 h, 15 s each", "api/webhook/core/deliver.go", []string{"life = 72 * time.Hour"}},
	{"MCP sessions | 1024, and 16 of an agent; idle for 1 h, they end", "api/mcp/service.go", []string{"c.MaxSessions = 1024", "c.IdleTimeout = time.Hour"}},
}

// TestLimitsTable: the table of limits says what the code does, and nothing else.
func TestLimitsTable(t *testing.T) {
	_, rest, _ := strings.Cut(string(read(t, "cmd/ringmaster/CONFIGURATION.md")), "\n## Limits\n\n| what | limit |\n|---|---|\n")
	table, _, ok := strings.Cut(rest, "\n\n")
	if !ok {
		t.Fatal("cmd/ringmaster/CONFIGURATION.md has no table of limits")
	}
	rows := strings.Split(table, "\n")
	for _, l := range limits {
		code := string(read(t, l.file))
		for _, text := range l.code {
			if !strings.Contains(code, text) {
				t.Errorf("%s no longer has %q: does the row %q still hold?", l.file, text, l.row)
			}
		}
		n := len(rows)
		if rows = slices.DeleteFunc(rows, func(row string) bool { return strings.HasPrefix(row, "| "+l.row) }); len(rows) != n-1 {
			t.Errorf("cmd/ringmaster/CONFIGURATION.md: %d rows begin with %q", n-len(rows), l.row)
		}
	}
	for _, row := range rows {
		t.Errorf("cmd/ringmaster/CONFIGURATION.md: nothing holds this row: %s", row)
	}
}
