package storms

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

const lane = "storms"

var found struct {
	sync.Mutex
	list []figures.Figure
}

// note keeps a figure for the report. met says whether it reaches its goal; a goal that is a promise is checked by the test.
func note(t *testing.T, f figures.Figure, met bool) {
	t.Helper()
	f.Missed = !met
	found.Lock()
	found.list = append(found.list, f)
	found.Unlock()
	t.Logf("%s: %.4g %s (goal: %s)", f.Name, f.Value, f.Unit, f.Goal)
}

// count notes a count that has to be zero.
func count(t *testing.T, name, promise string, n int) {
	t.Helper()
	note(t, figures.Figure{Name: name, Value: float64(n), Promise: promise, Goal: "0"}, n == 0)
	if n != 0 {
		t.Errorf("%s: %d", name, n)
	}
}

// atMost notes a value with a goal. Above the limit, which leaves room for a busy machine, the test fails.
func atMost(t *testing.T, f figures.Figure, goal, limit float64) {
	t.Helper()
	f.Goal = fmt.Sprintf("≤ %g", goal)
	note(t, f, f.Value <= goal)
	if f.Value > limit {
		t.Errorf("%s: %.4g %s, the limit is %g", f.Name, f.Value, f.Unit, limit)
	}
}

// ratio notes how much slower a percentile is than what it is compared with. Only storms of full size have enough of both.
func ratio(t *testing.T, name, promise string, times, than []time.Duration, p, goal, limit float64) {
	t.Helper()
	value := float64(percentile(times, p)) / float64(max(percentile(than, p), time.Microsecond))
	t.Logf("%s: %v of %d, beside %v of %d", name, percentile(times, p), len(times), percentile(than, p), len(than))
	if !size.full {
		limit = math.Inf(1)
	}
	atMost(t, figures.Figure{Name: name, Value: value, Unit: "×", Promise: promise}, goal, limit)
}

func record() error {
	found.Lock()
	defer found.Unlock()
	return figures.Record(lane, "task "+lane, found.list...)
}

// percentile of times, which it sorts.
func percentile(all []time.Duration, p float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(float64(len(all))*p))]
}
