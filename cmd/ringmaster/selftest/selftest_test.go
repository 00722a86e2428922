package selftest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// tried is a trial without a daemon: one session of one event, which one reader was shown.
func tried(t *testing.T, shown ...audit.Entry) *Result {
	t.Helper()
	tr := &trial{cfg: &Config{Dir: t.TempDir()}, result: &Result{}, ledgers: audit.Ledgers{"s": audit.NewLedger("s")}}
	line := protocol.Append(nil, &protocol.Event{Seq: 1, Time: 1, Payload: &protocol.SessionStart{SessionID: "s", AgentBackend: "scripted"}})
	if err := tr.ledgers["s"].Take(line); err != nil {
		t.Fatal(err)
	}
	var err error
	if tr.prompts, err = tr.recorder("prompts"); err == nil {
		tr.system, err = tr.recorder("system")
	}
	var rec *audit.Recorder
	if err == nil {
		rec, err = tr.recorder("reader")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.close)
	tr.readers = []*reader{{session: "s", recorder: rec, shown: len(shown)}}
	rec.Add(audit.Entry{Channel: audit.Stream, Kind: audit.Opened, Session: "s", Epoch: 1})
	for _, e := range shown {
		e.Channel, e.Kind, e.Session, e.Epoch = audit.Stream, audit.Shown, "s", 1
		if e.Hash == 0 {
			e.Hash = audit.HashOf(line)
		}
		rec.Add(e)
	}
	tr.judge(nil)
	if got, err := filepath.Glob(filepath.Join(tr.cfg.Dir, "*.ndjson")); err != nil || len(got) != 3 {
		t.Errorf("histories %q (%v)", got, err)
	}
	return tr.result
}

func brokenOf(r *Result) string {
	var names []string
	for _, p := range r.Promises {
		if p.Broken != "" {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// The verdict names the promise that a reader's history breaks.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name   string
		shown  []audit.Entry
		broken string
	}{
		{"all is well", []audit.Entry{{Seq: 1}}, ""},
		{"an event twice", []audit.Entry{{Seq: 1}, {Seq: 1}}, "ordered unique"},
		{"an event that the log lacks", []audit.Entry{{Seq: 1}, {Seq: 2}}, "agreeing durable"},
		{"other bytes", []audit.Entry{{Seq: 1, Hash: 7}}, "agreeing durable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tried(t, c.shown...)
			if got := brokenOf(r); got != c.broken || r.Held() != (c.broken == "") || r.Shown != len(c.shown) {
				t.Errorf("broken: %q, want %q (%+v)", got, c.broken, r)
			}
		})
	}
}

func TestHistogram(t *testing.T) {
	var times []time.Duration
	for i := range 100 {
		times = append(times, time.Duration(i+1)*time.Millisecond)
	}
	times[99] = 5 * time.Second
	h := histogram(times)
	if h.Count != 100 || h.P50 != 51 || h.P99 != 5000 || h.Max != 5000 {
		t.Errorf("got %+v", h)
	}
	sum := 0
	for _, b := range h.Buckets {
		sum += b.Count
	}
	if last := h.Buckets[len(h.Buckets)-1]; sum != 100 || last.UpTo != 0 || last.Count != 1 {
		t.Errorf("buckets %+v", h.Buckets)
	}
	if h := histogram(nil); h.Count != 0 || h.Buckets != nil {
		t.Errorf("of nothing: %+v", h)
	}
}
