package robust

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// report writes what was counted, and holds it against the goals.
func (c *tally) report(t *testing.T, planned int) {
	t.Helper()
	points := chosen()
	hit := 0
	for _, p := range points {
		if c.died[p] > 0 {
			hit++
		} else if wanted.perPoint > 0 {
			t.Errorf("nothing died at %s", p)
		}
	}
	t.Logf("%d kills (%d planned, %d lives did not come to their point), %d of %d points; observers were shown %d events and items; %d prompts, %d short sessions; %d comparisons of four ways",
		c.kills, planned, c.missed, hit, len(points), c.shown, c.prompts, c.visits, c.compared)
	t.Logf("start until it runs: p50 %s, p99 %s", percentile(c.ready, 0.5), percentile(c.ready, 0.99))
	if c.shown < c.kills || c.prompts < c.kills/10 || c.compared < c.kills/10 {
		t.Errorf("too little happened: the lane proves nothing")
	}
	none := func(name, promise string, n int) figures.Figure {
		return figures.Figure{Name: name, Value: float64(n), Promise: promise, Goal: "0", Missed: n > 0}
	}
	found = append(found,
		figures.Figure{Name: "kills", Value: float64(c.kills), Promise: "P6"},
		figures.Figure{Name: "fault points", Value: float64(len(points)), Promise: "P6", Goal: "≥ 24", Missed: len(points) < 24},
		figures.Figure{Name: "fault points hit", Value: float64(hit), Promise: "P6", Goal: fmt.Sprint(len(points)), Missed: hit < len(points)},
		figures.Figure{Name: "events and items shown", Value: float64(c.shown), Promise: "P1–P5"},
		figures.Figure{Name: "comparisons of four ways of reading", Value: float64(c.compared), Promise: "P5"},
		figures.Figure{Name: "prompts sent twice", Value: float64(c.prompts), Promise: "P21"},
		none("lost", "P6", c.lost), none("doubled", "P2, P21", c.doubled), none("renumbered", "P6", c.renumbered),
		none("orphans", "P15", c.orphans), none("promises broken", "P1–P6, P15, P21", c.broken),
		figures.Figure{Name: "start until it runs, p50", Value: ms(percentile(c.ready, 0.5)), Unit: "ms"},
		figures.Figure{Name: "start until it runs, p99", Value: ms(percentile(c.ready, 0.99)), Unit: "ms"},
	)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
