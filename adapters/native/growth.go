package native

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Growth turns the accumulated output of a tool, which an agent repeats while the tool runs, into deltas: what is new at its
// end is appended, a window that slides over the output too, anything else replaces the text.
type Growth struct {
	Budget Budget
	last   string // the text as last repeated
}

// minOverlap is how many bytes two windows must share at least to be taken for neighbours.
const minOverlap = 32

// Grow says what leads from the last text of an entry to this one.
func (g *Growth) Grow(key adapters.EntryKey, now string, out *adapters.Output) {
	if now == g.last {
		return
	}
	last := g.last
	g.last = now
	n := len(last)
	if !strings.HasPrefix(now, last) {
		if n = overlap(last, now); n < minOverlap {
			g.Budget.Set(key, now, out)
			return
		}
	}
	g.Budget.Grow(key, now[n:], AsText, out)
}

// Last is the text as last repeated.
func (g *Growth) Last() string { return g.last }

// overlap is the length of the longest end of a that begins b, by the failure function of Knuth, Morris and Pratt.
func overlap(a, b string) int {
	if len(a) > len(b) {
		a = a[len(a)-len(b):]
	}
	if a == "" {
		return 0
	}
	fail := make([]int32, len(b))
	for i, k := 1, int32(0); i < len(b); i++ {
		for k > 0 && b[i] != b[k] {
			k = fail[k-1]
		}
		if b[i] == b[k] {
			k++
		}
		fail[i] = k
	}
	k := int32(0)
	for i := range len(a) {
		for k > 0 && (int(k) == len(b) || a[i] != b[k]) {
			k = fail[k-1]
		}
		if a[i] == b[k] {
			k++
		}
	}
	return int(k)
}
