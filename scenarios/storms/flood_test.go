package storms

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

const endless = `[{"flood": {"size": 80}}]`

// flooding: an agent that speaks as fast as it can, for ever, is held back by its own pipe; the others go on, memory does not
// grow, and it can be interrupted and ended (T13).
func flooding(t *testing.T, d *daemon) {
	id, other := d.create(), d.create()
	healthy := newProber(t, d, other, 0)
	before := turns(t, size.probes, healthy)
	base := d.mustVitals()
	d.unpeak()

	d.mustPrompt(id, endless)
	began := time.Now()
	during := turnsUntil(t, size.probes, func() bool { return time.Since(began) > size.flood }, healthy)
	took := time.Since(began)
	now := d.mustVitals()
	asked := time.Now()
	d.must(http.MethodPost, "/sessions/"+id+"/interrupt", nil)
	d.rests(id, 1, time.Minute)
	interrupted := time.Since(asked)

	d.mustPrompt(id, endless)
	if err := eventually(t.Context(), time.Minute, func() error {
		again, err := d.vitals()
		if err == nil && again.native < now.native+10<<20 {
			err = fmt.Errorf("the agent said %d bytes, and then %d", now.native, again.native)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	asked = time.Now()
	d.must(http.MethodPost, "/sessions/"+id+"/end", nil)
	ended := time.Since(asked)
	if state, _, err := d.state(t.Context(), id); err != nil || state != "terminated" {
		t.Errorf("after its end the session is %s, %v", state, err)
	}
	after := turns(t, size.probes, healthy)

	note(t, figures.Figure{Name: "flood taken at", Value: float64(now.native-base.native) / 1e6 / took.Seconds(), Unit: "MB/s", Promise: "T13"}, true)
	atMost(t, figures.Figure{Name: "RSS grown by a flood", Value: float64(now.peak-base.rss) / (1 << 20), Unit: "MiB", Promise: "P19"}, 64, 96)
	ratio(t, "others' p50 beside a flood", "T13", during, append(before, after...), 0.5, 2, 8)
	ratio(t, "others' p99 beside a flood", "T13", during, append(before, after...), 0.99, 2, 8)
	atMost(t, figures.Figure{Name: "interrupt of a flood", Value: interrupted.Seconds(), Unit: "s", Promise: "T13"}, 1, 10)
	atMost(t, figures.Figure{Name: "end of a flood", Value: ended.Seconds(), Unit: "s", Promise: "T13"}, 6, 10)
	healthy.close()
	d.delete(id, other)
}

// giantLine: a line without an end costs no memory, the log says what was dropped, and the session goes on (T12).
func giantLine(t *testing.T, d *daemon) {
	id := d.create()
	d.rests(id, 0, 20*time.Second)
	base := d.mustVitals()
	d.unpeak()
	began := time.Now()
	d.mustPrompt(id, fmt.Sprintf(`[{"say": {"text": "before"}}, {"giant": {"bytes": %d}}, {"say": {"text": "behind it"}}]`, size.giant))
	d.rests(id, 1, 5*time.Minute)
	took := time.Since(began)
	log := d.must(http.MethodGet, "/sessions/"+id+"/log", nil)
	for _, want := range []string{
		fmt.Sprintf("A line of %d bytes from the agent was dropped: the limit is 8388608.", size.giant),
		`"kind":"line_too_long"`, `"text":"behind it"`, `"status":"completed"`,
	} {
		if !bytes.Contains(log, []byte(want)) {
			t.Errorf("the log does not say %s", want)
		}
	}
	// And once more, with neither end nor agent.
	d.mustPrompt(id, fmt.Sprintf(`[{"giant": {"bytes": %d, "noEnd": true}}, {"die": {"signal": "KILL"}}]`, size.giant/10))
	d.rests(id, 2, 2*time.Minute)
	if log := d.must(http.MethodGet, "/sessions/"+id+"/log", nil); bytes.Count(log, []byte(`"type":"turn_end"`)) != 2 ||
		bytes.Count(log, []byte(`"kind":"line_too_long"`)) != 4 || !bytes.Contains(log, []byte("agent exited: signal killed")) {
		t.Errorf("the log does not say how the agent ended: %s", log[max(0, len(log)-3000):])
	}
	note(t, figures.Figure{Name: "giant line", Value: float64(size.giant) / 1e9, Unit: "GB", Promise: "T12"}, true)
	note(t, figures.Figure{Name: "giant line read at", Value: float64(size.giant) / 1e6 / took.Seconds(), Unit: "MB/s", Promise: "T12"}, true)
	atMost(t, figures.Figure{Name: "RSS grown by a giant line", Value: float64(d.mustVitals().peak-base.rss) / (1 << 20), Unit: "MiB", Promise: "T12"}, 32, 64)
	d.delete(id)
}
