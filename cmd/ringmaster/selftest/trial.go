package selftest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// trial is one run.
type trial struct {
	cfg    *Config
	daemon *daemon
	result *Result
	began  time.Time
	random *rand.Rand

	ids     []string
	readers []*reader
	prompts *audit.Recorder
	system  *audit.Recorder
	ledgers audit.Ledgers
	starts  []time.Duration
}

// asGap is what a stream must never say of itself.
func asGap(err error) error {
	if errors.Is(err, client.ErrGap) {
		return err
	}
	return nil
}

func (t *trial) recorder(name string) (*audit.Recorder, error) {
	return audit.NewRecorder(filepath.Join(t.cfg.Dir, name+".ndjson"), name, func() time.Duration { return time.Since(t.began) })
}

func (t *trial) close() {
	for _, r := range t.readers {
		_ = r.recorder.Close()
	}
	for _, r := range []*audit.Recorder{t.prompts, t.system} {
		if r != nil {
			_ = r.Close()
		}
	}
}

// run goes through lives of the daemon until the time is over, lets the last one come to rest and judges.
func (t *trial) run(ctx context.Context, until time.Time) (err error) {
	if t.prompts, err = t.recorder("prompts"); err == nil {
		t.system, err = t.recorder("system")
	}
	if err == nil {
		err = t.daemon.start(ctx)
	}
	if err == nil {
		err = t.begin(ctx)
	}
	if err != nil {
		return err
	}
	var broken error
	for round := 0; broken == nil && (round == 0 || time.Now().Before(until)); round++ {
		if err := t.life(ctx, round); err != nil {
			return err
		}
		broken = t.compare(ctx)
		t.cfg.Progress(fmt.Sprintf("%d kills, %d events shown", t.result.Kills, t.shown()))
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
	if broken == nil {
		t.cfg.Progress("letting the sessions come to rest")
		broken = t.rest(ctx)
	}
	if err := t.end(); err != nil {
		return err
	}
	t.result.Recovery = histogram(t.starts)
	var times []time.Duration
	for _, r := range t.readers {
		times = append(times, r.times...)
		broken = errors.Join(broken, r.err)
	}
	t.result.Delivery = histogram(times)
	t.judge(broken)
	return nil
}

func (t *trial) shown() (n int) {
	for _, r := range t.readers {
		n += r.shown
	}
	return n
}

// begin makes the sessions and their readers.
func (t *trial) begin(ctx context.Context) error {
	for i := range sessions {
		s, err := t.daemon.client.Create(ctx, client.New{NewSession: resource.NewSession{Agent: scripted.Name, Cwd: t.daemon.root, Title: "selftest"}})
		if err != nil {
			return err
		}
		t.ids = append(t.ids, s.ID)
		t.ledgers[s.ID] = audit.NewLedger(s.ID)
		for j := range readersEach {
			rec, err := t.recorder(fmt.Sprintf("reader-%d-%d", i, j))
			if err != nil {
				return err
			}
			t.readers = append(t.readers, &reader{session: s.ID, recorder: rec, at: protocol.Cursor{Epoch: 1}})
		}
	}
	return nil
}

// life prompts every session, kills the daemon after a random number of events, and starts the next one.
func (t *trial) life(ctx context.Context, round int) error {
	news := make(chan struct{}, 1)
	alive, over := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for _, r := range t.readers {
		wg.Go(func() { r.follow(alive, t.daemon.client, news) })
	}
	for i, id := range t.ids {
		t.prompt(alive, id, fmt.Sprintf("%d.%d", round, i), i)
	}
	quiet := time.NewTimer(10 * time.Second) // a machine under load
	for left := 1 + t.random.IntN(400); left > 0; left-- {
		select {
		case <-news:
		case <-quiet.C:
			left = 0
		case <-ctx.Done():
			left = 0
		}
	}
	quiet.Stop()
	t.daemon.kill()
	over()
	wg.Wait()
	t.result.Kills++
	start := time.Now()
	if err := t.daemon.start(ctx); err != nil {
		return err
	}
	t.starts = append(t.starts, time.Since(start))
	return nil
}

// prompt sends a prompt twice with one key. The daemon may die over it.
func (t *trial) prompt(ctx context.Context, id, key string, i int) {
	for range 2 {
		t.prompts.Add(audit.Entry{Channel: audit.Prompts, Kind: audit.Asked, Session: id, Key: key})
		if r, err := t.daemon.client.Prompt(ctx, id, client.Prompt{Text: work(i), Key: key}); err == nil {
			t.prompts.Add(audit.Entry{Channel: audit.Prompts, Kind: audit.Accepted, Session: id, Key: key, Prompt: r.PromptID})
		}
	}
}

// work is what a prompt makes an agent do: text, a tool, for one session a process that wants to stay.
func work(i int) string {
	steps := []string{`{"say": {"text": "` + strings.Repeat("many words ", 40) + `", "chunk": 3, "every": "2ms"}}`}
	if i == 0 {
		steps = append([]string{`{"spawn": {"for": "10m", "stubborn": true, "hold": true}}`}, steps...)
	}
	steps = append(steps, `{"tool": {"name": "bash", "args": {"command": "make"}, "output": ["cc a.c\n", "cc b.c\n"], "every": "10ms"}}`)
	return "selftest\n```script\n[" + strings.Join(steps, ",") + "]\n```"
}

// compare reads the logs as they are now: they go on from what they were.
func (t *trial) compare(ctx context.Context) error {
	t.result.Events = 0
	for _, id := range t.ids {
		l, err := t.daemon.client.Session(id).OpenLog(ctx, client.LogQuery{})
		if err != nil {
			return err
		}
		var lines [][]byte
		scan := bufio.NewScanner(l)
		scan.Buffer(nil, 16<<20)
		for scan.Scan() {
			lines = append(lines, append([]byte(nil), scan.Bytes()...))
		}
		if err := errors.Join(scan.Err(), l.Close()); err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		t.result.Events += len(lines)
		if err := t.ledgers[id].Follow(lines); err != nil {
			return err
		}
	}
	return nil
}

// rest waits until every session has done all its prompts, and reads everything once more.
func (t *trial) rest(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, r := range t.readers {
		for {
			t.readOn(ctx, r)
			d, err := t.daemon.client.Session(r.session).Show(ctx)
			if err == nil && d.Status.State == protocol.StateIdle && len(d.Queue) == 0 && d.Seq == r.at.Seq {
				break
			}
			if cause := context.Cause(ctx); cause != nil {
				return fmt.Errorf("the sessions did not come to rest: %w", cause)
			}
		}
	}
	return t.compare(ctx)
}

// readOn follows a session until nothing has come for a while.
func (t *trial) readOn(ctx context.Context, r *reader) {
	ctx, stop := context.WithCancel(ctx)
	news := make(chan struct{}, 1)
	var wg sync.WaitGroup
	wg.Go(func() { r.follow(ctx, t.daemon.client, news) })
	defer wg.Wait()
	defer stop()
	const quiet = 200 * time.Millisecond
	look := time.NewTimer(quiet)
	defer look.Stop()
	for {
		select {
		case <-news:
			look.Reset(quiet)
		case <-look.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// end gives the sessions work once more, ends the daemon in order under it, and looks for what is left.
func (t *trial) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for i, id := range t.ids {
		t.prompt(ctx, id, fmt.Sprintf("end.%d", i), i)
	}
	if err := t.compare(ctx); err != nil {
		return err
	}
	t.system.Add(audit.Entry{Channel: audit.System, Kind: audit.Stopping})
	took, note := t.daemon.stop()
	t.system.Add(audit.Entry{Channel: audit.System, Kind: audit.Stopped, Note: note})
	t.result.Stop = ms(took)
	marker, err := t.daemon.marker()
	if err != nil {
		return err
	}
	for _, pid := range process.SweepPrefix(marker) {
		t.result.Leftover++
		t.system.Add(audit.Entry{Channel: audit.System, Kind: audit.Left, Note: fmt.Sprintf("process %d", pid)})
	}
	return nil
}
