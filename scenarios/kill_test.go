package scenarios

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestKill kills the built program with SIGKILL again and again while its sessions are at work and witnesses outside write
// down what they are shown. Nothing shown is lost, doubled or renumbered, whatever the moment; no accepted prompt is
// lost or run twice; and no process of an agent outlives its daemon's successor. RINGMASTER_KILLS says how often.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	kills := 5
	if text, ok := os.LookupEnv("RINGMASTER_KILLS"); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("RINGMASTER_KILLS=%q is no number of kills", text)
		}
		kills = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	p := newProgram(t, t.TempDir())
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(kills+5)*20*time.Second)
	defer cancel()
	ids := make([]string, 3)
	watchers := make([]*witness, 0, 2*len(ids))
	for i := range ids {
		ids[i] = createSession(ctx, t, p)
		watchers = append(watchers, newWitness(ids[i]), newWitness(ids[i]))
	}
	for kill := range kills {
		// Each round has one prompt per session, sent twice with the same key.
		news := make(chan struct{}, 1)
		round, stop := context.WithCancel(ctx)
		var wg sync.WaitGroup
		for _, o := range watchers {
			wg.Go(func() { o.follow(round, p, news) })
		}
		for i, id := range ids {
			key := fmt.Sprintf("k%d.%d", kill, i)
			prompt(ctx, t, p, id, work(i), key)
			prompt(ctx, t, p, id, work(i), key)
		}
		// The moment of death: after a random number of further frames.
		for range 1 + random.IntN(400) {
			select {
			case <-news:
			case <-ctx.Done():
				t.Fatal("the sessions fell silent")
			}
		}
		if err := p.kill(false, 0); err != nil {
			t.Fatal(err)
		}
		stop()
		wg.Wait()
		if err := p.start(); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			lines := logLines(ctx, t, p, id)
			for _, o := range watchers {
				if o.id == id {
					o.compare(t, kill, lines)
				}
			}
		}
	}
	finishKills(ctx, t, p, ids, kills)
	total := 0
	for _, o := range watchers {
		total += len(o.seen)
		if len(o.wrong) > 0 {
			t.Errorf("witness of %s: %s", o.id, strings.Join(o.wrong, "\n"))
		}
	}
	t.Logf("%d kills, %d witnesses were shown %d events", kills, len(watchers), total)
}

// work is what a prompt makes an agent do: text, a tool, for one session a process that wants to stay. It takes longer than
// the rounds last.
func work(i int) string {
	steps := []string{`{"say": {"text": "` + strings.Repeat("many words ", 60) + `", "chunk": 3, "every": "1ms"}}`}
	if i == 0 {
		steps = append([]string{`{"spawn": {"for": "10m", "stubborn": true, "hold": true}}`}, steps...)
	}
	steps = append(steps,
		`{"tool": {"name": "bash", "args": {"command": "make"}, "output": ["cc a.c\n", "cc b.c\n"], "every": "20ms"}}`,
		`{"say": {"text": "`+strings.Repeat("and more ", 100)+`", "chunk": 3, "every": "1ms"}}`)
	return "[" + strings.Join(steps, ",") + "]"
}

// finishKills lets the sessions come to rest, ends the daemon in order, and checks the whole logs.
func finishKills(ctx context.Context, t *testing.T, p *program, ids []string, kills int) {
	t.Helper()
	for i, id := range ids {
		await(ctx, t, p, id, func(s *protocol.SessionState) bool {
			return stateOf(s) == protocol.StateIdle && len(s.Queue) == 0 && openTurns(s) == 0 && len(s.Turns) >= kills
		})
		// The same keys once more, all known by now.
		for kill := range kills {
			prompt(ctx, t, p, id, work(i), fmt.Sprintf("k%d.%d", kill, i))
		}
	}
	if err := p.drain(); err != nil {
		t.Error(err)
	}
	w := newWorld(t, &file{}, false)
	w.daemon = p
	for _, id := range ids {
		for _, problem := range w.checkJournal(id) {
			t.Error(problem)
		}
		if n := w.turns(t, id); n != kills {
			t.Errorf("session %s has %d turns for %d prompts", id, n, kills)
		}
	}
	for _, problem := range p.problems(false) {
		t.Error(problem)
	}
}

func openTurns(s *protocol.SessionState) (n int) {
	for _, turn := range s.Turns {
		if turn.Status == "" {
			n++
		}
	}
	return n
}

// witness is a client that reconnects for ever and never forgets.
type witness struct {
	id    string
	seen  map[uint64][]byte
	last  uint64
	wrong []string
}

func newWitness(id string) *witness { return &witness{id: id, seen: map[uint64][]byte{}} }

// follow reads on from where the witness is, until the connection breaks.
func (o *witness) follow(ctx context.Context, d daemon, news chan<- struct{}) {
	last := ""
	if o.last > 0 {
		last = strconv.FormatUint(o.last, 10)
	}
	res, err := openStream(ctx, d, o.id, "", last)
	if err != nil {
		return // the daemon is being killed
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(res.Body)
		o.wrong = append(o.wrong, fmt.Sprintf("status %d: %s", res.StatusCode, body))
		return
	}
	frames := protocol.NewSSEReader(res.Body, 0)
	for {
		f, err := frames.Next()
		if err != nil {
			return
		}
		o.take(f)
		select {
		case news <- struct{}{}:
		default:
		}
	}
}

func (o *witness) take(f protocol.SSEFrame) {
	m, err := protocol.DecodeMessage(f.Data)
	switch m := m.(type) {
	case *protocol.Event:
		if m.Seq != o.last+1 {
			o.wrong = append(o.wrong, fmt.Sprintf("event %d follows %d", m.Seq, o.last))
		}
		o.seen[m.Seq], o.last = bytes.Clone(f.Data), m.Seq
	case *protocol.Reset:
		o.wrong = append(o.wrong, fmt.Sprintf("reset to epoch %d after event %d", m.Epoch, o.last))
	case *protocol.Heartbeat:
	default:
		o.wrong = append(o.wrong, fmt.Sprintf("frame %s: %v", f.Data, err))
	}
}

// compare holds everything that was ever shown against the log.
func (o *witness) compare(t *testing.T, kill int, lines [][]byte) {
	t.Helper()
	for seq, shown := range o.seen {
		switch {
		case seq > uint64(len(lines)):
			t.Fatalf("kill %d: event %d was shown and is lost; the log has %d: %s", kill, seq, len(lines), shown)
		case !bytes.Equal(lines[seq-1], shown):
			t.Fatalf("kill %d: event %d was shown as\n%s\nand is now\n%s", kill, seq, shown, lines[seq-1])
		}
	}
}

// TestNothingLeft ends the daemon in order, and then a daemon whose predecessor was killed, in the middle of a turn whose
// agent has left a stubborn process behind: nothing of the agents is left each time.
func TestNothingLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			p := newProgram(t, t.TempDir())
			if err := p.start(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			id := createSession(ctx, t, p)
			prompt(ctx, t, p, id, `[{"spawn": {"for": "10m", "stubborn": true, "hold": true}}, {"say": {"text": "left behind"}}, {"stall": {}}]`, "")
			await(ctx, t, p, id, func(s *protocol.SessionState) bool { return stateOf(s) == protocol.StateResponding })
			if n := len(marked(p.instance)); n < 2 {
				t.Fatalf("%d processes carry the marker, want the agent and what it left behind", n)
			}
			if err := p.end(sig, 12*time.Second); err != nil {
				t.Fatal(err)
			}
			if sig == syscall.SIGKILL {
				if err := p.start(); err != nil {
					t.Fatal(err)
				}
				await(ctx, t, p, id, func(s *protocol.SessionState) bool {
					return stateOf(s) == protocol.StateIdle && len(s.Turns) == 1 && openTurns(s) == 0
				})
				if err := p.drain(); err != nil {
					t.Fatal(err)
				}
			}
			for _, problem := range p.problems(false) {
				t.Error(problem)
			}
		})
	}
}

// TestSecondDaemon starts a second daemon on a folder that one works on: it is told so, with a hint, and the first one goes
// on.
func TestSecondDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	p := newProgram(t, t.TempDir())
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	second := &program{t: t, path: p.path, data: p.data, root: p.root}
	err := second.start()
	if err == nil {
		second.kill(false, 0)
		t.Fatal("a second daemon runs on the same folder")
	}
	for _, want := range []string{"Another daemon works on the data folder", "--data"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q", err, want)
		}
	}
	createSession(t.Context(), t, p)
	if err := p.drain(); err != nil {
		t.Error(err)
	}
	for _, problem := range p.problems(false) {
		t.Error(problem)
	}
}
