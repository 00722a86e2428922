package pi

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// output turns the accumulated output of a tool, which Pi repeats in full while the tool runs, into deltas. Past 50 kB or
// 2,000 lines the repeated text is a window that slides over the output.
type output struct {
	last   string // the text as last repeated
	budget budget
}

// minOverlap is how many bytes two windows must share at least to be taken for neighbours.
const minOverlap = 32

// grow gives the delta from the last text to this one; nil where there is nothing to say.
func (o *output) grow(now string) protocol.Delta {
	if now == o.last || (now == "" && o.last == "") {
		return nil
	}
	last := o.last
	o.last = now
	n := len(last)
	if !strings.HasPrefix(now, last) {
		if n = overlap(last, now); n < minOverlap {
			set := head(now, adapters.MaxText)
			o.budget = budget{used: len(set)}
			return &protocol.TextSet{Text: set}
		}
	}
	if more := o.budget.take(now[n:]); more != "" {
		return &protocol.TextAppend{Text: more}
	}
	return nil
}

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
