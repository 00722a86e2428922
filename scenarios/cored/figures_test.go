package cored

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const (
	paceSessions = 10
	paceLines    = 100 // of a session, ten times a second
	paceTime     = 10 * time.Second
)

// paced is a script of 1,000 events a second, whose lines have some 165 bytes in the log, and words that no other turn has.
func paced(of time.Duration, turn int) string {
	var steps strings.Builder
	for n := range int(of / (100 * time.Millisecond)) {
		fmt.Fprintf(&steps, `{"flood":{"lines":%d,"size":60,"seed":%d}},{"wait":{"for":"100ms"}},`, paceLines, turn*1000+n+1)
	}
	return "[" + steps.String() + `{"say":{"text":"Done."}}]`
}

// pace has the sessions say 10,000 events a second, and tells how long each turn of ten seconds took, and by how many seconds Core was behind, ten times a second.
func (w *world) pace(d time.Duration) (took []time.Duration, lag []float64) {
	w.t.Helper()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for begun := time.Now(); time.Since(begun) < d; {
		turn := time.Now()
		w.turns++
		w.play(paced(paceTime, w.turns))
		rested := make(chan error, 1)
		go func() { // ends with the turn
			_, err := w.client.Await(w.t.Context(), resource.WaitRequest{Sessions: w.ids, Until: resource.WaitUntil{Rest: true}})
			rested <- err
		}()
		for rests := false; !rests; {
			select {
			case err := <-rested:
				if rests = true; err != nil {
					w.t.Fatal(err)
				}
			case <-again.C:
				lag = append(lag, w.gauge("lag_seconds"))
			}
		}
		took = append(took, time.Since(turn))
	}
	slices.Sort(took)
	slices.Sort(lag)
	return took, lag
}

func part[T any](sorted []T, p float64) T { return sorted[int(p*float64(len(sorted)-1))] }

// TestFigures measures what docs/many-nodes.md says of one node and its Core, with agents' texts on a machine that does nothing else. It judges nothing but that
// nothing is lost: machines differ.
func TestFigures(t *testing.T) {
	away, err := time.ParseDuration(os.Getenv("RINGMASTER_OUTAGE"))
	if err != nil {
		t.Skip("measures for minutes (task core:figures); RINGMASTER_OUTAGE=1h says how long the database is away")
	}
	w := begin(t)
	for range paceSessions {
		w.create()
	}
	w.pace(paceTime) // agents start

	with, lag := w.pace(max(30*time.Second, away/10))
	t.Logf("10,000 events a second: Core was behind by p50 %.0f ms, p99 %.0f ms, at most %.0f ms; a turn of ten seconds took p50 %v, at most %v",
		1000*part(lag, 0.5), 1000*part(lag, 0.99), 1000*part(lag, 1), part(with, 0.5), part(with, 1))
	w.catches("in the steady state")

	if err := w.server.Crash(); err != nil {
		t.Fatal(err)
	}
	without, _ := w.pace(away)
	behind := w.gauge("behind_events")
	if err := w.server.Restart(); err != nil {
		t.Fatal(err)
	}
	took := w.catches("behind the outage")
	t.Logf("the database was away for %v: a turn took p50 %v, at most %v; %.0f events were behind, and sent within %v: %.0f a second",
		away, part(without, 0.5), part(without, 1), behind, took.Round(time.Millisecond), behind/took.Seconds())
	w.caughtUp()

	other := w.neighbour()
	other.until("the list has all", func() bool { return len(other.list()) == paceSessions })
	w.daemon.Kill()
	other.reads(t, w.ids, "rows")
	other.daemon.Kill()
	w.objects = t.TempDir()
	begun := time.Now()
	out, err := exec.Command(w.program, append([]string{"core", "compact", "--rest", "1ns"}, w.where()...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("made objects of them in %v: %s", time.Since(begun).Round(time.Millisecond), out)
	other.objects = w.objects
	other.start()
	other.until("the list has all", func() bool { return len(other.list()) == paceSessions })
	other.reads(t, w.ids, "objects")
}

// catches waits until Core has everything, however much that is.
func (w *world) catches(when string) time.Duration {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Hour)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for begun := time.Now(); ; {
		if w.gauge("up") == 1 && w.gauge("behind_events") == 0 {
			return time.Since(begun)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			w.t.Fatalf("Core has not caught up %s", when)
		}
	}
}

// reads measures how fast logs come whole, and their ends, from a node that does not have them.
func (w *world) reads(t *testing.T, ids []string, out string) {
	t.Helper()
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer plain.CloseIdleConnections()
	get := func(path string) (size int64, took time.Duration) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+w.address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+w.token)
		begun := time.Now()
		answer, err := plain.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if size, err = io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("X-Session-Source") != "core" {
			t.Fatalf("%s %v %v", answer.Status, answer.Header, err)
		}
		return size, time.Since(begun)
	}
	var speeds, ends []float64
	var bytes int64
	for _, id := range ids {
		size, took := get("/sessions/" + id + "/log")
		bytes += size
		speeds = append(speeds, float64(size)/took.Seconds()/1e6)
		s, err := w.client.Session(id).Show(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			_, took := get(fmt.Sprintf("/sessions/%s/log?since=%d", id, s.Seq-40))
			ends = append(ends, float64(took.Microseconds())/1000)
		}
	}
	slices.Sort(speeds)
	slices.Sort(ends)
	t.Logf("out of %s at another node: %d MB, whole logs %.0f MB/s (p50; %.0f to %.0f); the newest 40 events p50 %.1f ms, p99 %.1f ms",
		out, bytes/1e6, part(speeds, 0.5), part(speeds, 0), part(speeds, 1), part(ends, 0.5), part(ends, 0.99))
}
