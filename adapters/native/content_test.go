package native

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestContent: content has two forms, and one that is made to be many blocks is read as far as an Output takes it.
func TestContent(t *testing.T) {
	type part struct {
		Text string `json:"text"`
	}
	const block = `{"type":"text","text":"x"}`
	many := "[" + strings.Repeat(block+",", adapters.MaxDrafts+10)
	for _, c := range []struct {
		name, raw string
		want      int
	}{
		{"text", `"x"`, 1},
		{"nothing", ``, 0},
		{"no list", `{"type":"text"}`, 0},
		{"blocks", "[" + block + "," + block + "]", 2},
		{"many blocks", many + block + "]", adapters.MaxDrafts},
		{"many, and not whole", many, adapters.MaxDrafts},
		{"no list of many", strings.Repeat(block, adapters.MaxDrafts+10), 0},
	} {
		got := Content([]byte(c.raw), func(s string) part { return part{s} })
		if len(got) != c.want || c.want > 0 && got[c.want-1].Text != "x" {
			t.Errorf("%s: %d blocks, want %d", c.name, len(got), c.want)
		}
	}
}
