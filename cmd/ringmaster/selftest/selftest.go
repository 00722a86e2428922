package selftest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Config says what is tested, and how long.
type Config struct {
	Program    string // the binary that is the daemon
	Dir        string // an empty folder on the disk that is tested; the caller removes it
	For        time.Duration
	Durability supervisor.Durability
	Seed       uint64
	// Progress is told now and then what is going on; nil: nobody.
	Progress func(text string)
}

// Result is what was found. Times are in milliseconds.
type Result struct {
	Seed       uint64    `json:"seed"`
	Durability string    `json:"durability"`
	Seconds    float64   `json:"seconds"`
	Kills      int       `json:"kills"`
	Readers    int       `json:"readers"`
	Shown      int       `json:"shown"`     // events, to all readers
	Events     int       `json:"events"`    // in the logs at the end
	Prompts    int       `json:"prompts"`   // accepted; each was sent twice with one key
	Turns      int       `json:"turns"`     // that they made
	Leftover   int       `json:"leftover"`  // processes of agents after the end
	Recovery   Histogram `json:"recovery"`  // from the start after a kill until the daemon answers
	Delivery   Histogram `json:"delivery"`  // from an event's own time until a reader has it; both clocks are this machine's
	Sync       Histogram `json:"sync"`      // of one appended event
	SyncBatch  Histogram `json:"syncBatch"` // of 64
	Stop       float64   `json:"stop"`      // SIGTERM under load until the process has ended
	Promises   []Promise `json:"promises"`
}

// Promise is one promise and whether it held.
type Promise struct {
	Name   string `json:"name"`
	Says   string `json:"says"`
	Broken string `json:"broken,omitempty"` // the first thing that breaks it; empty: it held
}

// Held says that all promises did.
func (r *Result) Held() bool {
	for _, p := range r.Promises {
		if p.Broken != "" {
			return false
		}
	}
	return true
}

// sessions are at work at once, each with readersEach readers.
const (
	sessions    = 3
	readersEach = 2
)

// Run tests. An error means that it could not; broken promises are in the result.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	if cfg.Progress == nil {
		cfg.Progress = func(string) {}
	}
	began := time.Now()
	res := &Result{Seed: cfg.Seed, Durability: string(cfg.Durability), Readers: sessions * readersEach}
	cfg.Progress("measuring what a sync costs")
	var err error
	if res.Sync, res.SyncBatch, err = syncCost(ctx, cfg.Dir); err != nil {
		return nil, err
	}
	d := &daemon{
		program: cfg.Program, data: filepath.Join(cfg.Dir, "data"), root: filepath.Join(cfg.Dir, "work"), durability: cfg.Durability,
	}
	if err := os.MkdirAll(d.root, 0o700); err != nil {
		return nil, fmt.Errorf("selftest: %w", err)
	}
	defer d.kill()
	t := &trial{
		cfg: &cfg, daemon: d, result: res, began: began, random: rand.New(rand.NewPCG(cfg.Seed, 0)), ledgers: audit.Ledgers{},
	}
	defer t.close()
	if err := t.run(ctx, began.Add(cfg.For)); err != nil {
		return nil, err
	}
	res.Seconds = time.Since(began).Seconds()
	return res, nil
}

// judge holds what the readers saw against the logs, promise by promise.
func (t *trial) judge(broken error) {
	histories := []audit.History{t.prompts.History(), t.system.History()}
	for _, r := range t.readers {
		histories = append(histories, r.recorder.History())
		t.result.Shown += r.shown
	}
	for _, l := range t.ledgers {
		t.result.Turns += l.Turns()
		t.result.Prompts += l.Prompts()
	}
	all := func(check func(audit.History) error) (err error) {
		for _, h := range histories {
			err = errors.Join(err, check(h))
		}
		return err
	}
	logs := t.ledgers
	for _, p := range []struct {
		name, says string
		err        error
	}{
		{"ordered", "numbers follow each other without a gap, on every connection", all(audit.Ordered)},
		{"unique", "no reader is shown an event twice", all(audit.Unique)},
		{"reliable", "no reader misses an event", all(func(h audit.History) error { return audit.Reliable(h, logs) })},
		{"resumable", "a cursor goes on where it stands, also behind a kill", all(func(h audit.History) error { return audit.Resumable(h, logs) })},
		{"agreeing", "stream and log show the same bytes", errors.Join(broken, all(func(h audit.History) error { return audit.Agreeing(h, logs) }))},
		{"durable", "what was shown or accepted outlives kill -9", all(func(h audit.History) error { return audit.Durable(h, logs) })},
		{"idempotent", "a prompt that is sent twice with one key makes one turn", all(func(h audit.History) error { return audit.Idempotent(h, logs) })},
		{"reaped", "no process of an agent is left over", all(audit.Reaped)},
		{"graceful", "SIGTERM ends it within 10 s", all(audit.Graceful)},
	} {
		text := ""
		if p.err != nil {
			text = p.err.Error()
		}
		t.result.Promises = append(t.result.Promises, Promise{p.name, p.says, text})
	}
}
