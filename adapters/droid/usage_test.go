package droid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// What a turn does not count is counted when it comes; what it does is not counted twice.
// Proves: 002.7.3/usage
func TestUsageOutsideOfTurns(t *testing.T) {
	usage := func(in, out int) string {
		return fmt.Sprintf(`{"type":"session_token_usage_changed","sessionId":"S","tokenUsage":{"inputTokens":%d,"outputTokens":%d}}`, in, out)
	}
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.text.Reset()
	c.event(usage(10, 1))
	c.event(`{"type":"agent_turn_completed","reason":"completed","tokenUsage":{"inputTokens":20,"outputTokens":2},"cumulativeTokenUsage":{"inputTokens":20,"outputTokens":2}}`)
	c.event(usage(20, 2))
	c.event(usage(15, 2))
	c.event(strings.Replace(usage(90, 9), `"S"`, `"another"`, 1))
	c.event(usage(25, 3))
	c.want(
		`used: "usage":{"inputTokens":20,"cachedInputTokens":0,"outputTokens":2,"totalTokens":22},"sessionTotal":{"inputTokens":20,"cachedInputTokens":0,"outputTokens":2,"totalTokens":22},"model":"m"}`,
		"turn ended: completed",
		`used: "usage":{"inputTokens":5,"cachedInputTokens":0,"outputTokens":1,"totalTokens":6},"sessionTotal":{"inputTokens":25,"cachedInputTokens":0,"outputTokens":3,"totalTokens":28},"model":"m"}`,
	)
}
