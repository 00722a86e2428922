package scripted

import (
	"encoding/json"
	"fmt"
	"time"
)

// echo is the answer without a script: thinking, text, one harmless tool call, two seconds in all. The prompt is filled in as
// into any script, so that what looks like a placeholder in it stays as it is.
func echo(prompt string) []Step {
	over := func(ms int) Pace {
		return Pace{Chunk: max(10, len(prompt)/50), Over: Duration(time.Duration(ms) * time.Millisecond)}
	}
	return []Step{
		Think{Text: "A message. I repeat it, and then once more with a tool.", Pace: over(400)},
		Say{Text: "You said: {{prompt}}", Pace: over(700)},
		Tool{
			Name: "echo", Args: json.RawMessage(`{"text":"{{prompt}}"}`),
			Output: []string{"{{prompt}}", "\n"}, Every: Duration(200 * time.Millisecond),
		},
		Say{Text: fmt.Sprintf("Done: %d characters repeated.", len([]rune(prompt))), Pace: over(300)},
	}
}
