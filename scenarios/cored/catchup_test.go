package cored

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestCatchUp: a database that was away while much was said gets all of it, and the sessions were as fast as with it.
//
// Proves: I16.4/real
func TestCatchUp(t *testing.T) {
	w := begin(t)
	for range 8 {
		w.create()
	}
	texts := 4
	if os.Getenv("RINGMASTER_CORE") == "full" {
		texts = 40
	}
	const lines = 800 // of a text, which the log has whole
	flood := "[" + strings.Repeat(fmt.Sprintf(`{"flood":{"lines":%d,"size":120}},{"say":{"text":"Next."}},`, lines), texts) + `{"say":{"text":"Done."}}]`
	ingest := func() time.Duration {
		began := time.Now()
		w.play(flood)
		w.rest()
		return time.Since(began)
	}
	with := ingest()
	w.caughtUp()
	had := w.gauge("events_total")
	if err := w.server.Crash(); err != nil {
		t.Fatal(err)
	}
	without := ingest()
	behind := w.gauge("behind_events")
	if behind < float64(8*texts*lines) {
		t.Errorf("Core is away, and behind by %v events only", behind)
	}
	began := time.Now()
	if err := w.server.Restart(); err != nil {
		t.Fatal(err)
	}
	w.until("Core has everything", func() bool { return w.gauge("behind_events") == 0 })
	took := time.Since(began)
	w.caughtUp()
	t.Logf("%d sessions, %d lines each: %v with Core, %v while it was away; %v events behind, caught up %v behind the server's start (%.0f events/s); %v were sent before",
		len(w.ids), texts*lines, with.Round(time.Millisecond), without.Round(time.Millisecond), behind, took.Round(time.Millisecond), behind/took.Seconds(), had)
}
