package cored

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// patience is how long anything may take on a machine that others use too.
const patience = 90 * time.Second

// world is a daemon as a process and its database.
type world struct {
	t       *testing.T
	server  *pgtest.Server
	core    string // its URL
	objects string // the folder of the object store; "": there is none
	program string
	data    string
	root    string
	address string
	daemon  *program.Daemon
	client  *client.Client
	token   string
	ids     []string
	flags   []string // further ones of the daemon
	served  []string // where Core is, over HTTP; nil: it is not
	turns   int      // that were played at a pace
}

func begin(t *testing.T, flags ...string) *world {
	t.Helper()
	return beginWith(t, "", flags...)
}

// beginWith begins with an object store in a folder.
func beginWith(t *testing.T, folder string, flags ...string) *world {
	t.Helper()
	w := prepare(t, folder, flags...)
	w.launch()
	return w
}

// prepare makes all that a daemon needs, and starts none.
func prepare(t *testing.T, folder string, flags ...string) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	dir := t.TempDir()
	w := &world{t: t, server: pgtest.Private(t), program: filepath.Join(dir, "ringmaster"), data: filepath.Join(dir, "data"), root: t.TempDir(), objects: folder, flags: flags}
	w.core = w.server.URL("postgres")
	if out, err := exec.Command("go", "build", "-tags", "failpoint", "-o", w.program, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(w.program, "core", "migrate", "--core", w.core).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.address = free(t) // the same after each start
	return w
}

// launch starts the daemon for the first time.
func (w *world) launch() {
	w.t.Helper()
	w.start()
	w.t.Cleanup(func() { w.daemon.Kill() })
	w.reach()
}

// free is an address at which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	port, err := pgtest.Port()
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// reach makes the daemon's client.
func (w *world) reach() {
	w.t.Helper()
	var err error
	if w.token, err = program.Token(w.data); err == nil {
		w.client, err = client.At("http://"+w.address, w.token)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(w.client.Close)
}

func (w *world) start(env ...string) {
	w.t.Helper()
	if err := w.tryToStart(env...); err != nil {
		w.t.Fatal(err)
	}
}

// tryToStart starts a daemon that may die at its start.
func (w *world) tryToStart(env ...string) error {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	var err error
	cmd := program.Command(w.program, w.data, w.root, append([]string{"--listen", w.address}, append(w.where(), w.flags...)...)...)
	cmd.Env = append(os.Environ(), env...)
	if w.daemon, err = program.Start(cmd); err != nil {
		w.t.Fatal(err)
	}
	_, err = w.daemon.Running(ctx)
	return err
}

// where says where Core is, by flags.
func (w *world) where() []string {
	if w.served != nil {
		return w.served
	}
	return w.direct()
}

// direct says where database and object store are.
func (w *world) direct() []string {
	if w.objects == "" {
		return []string{"--core", w.core}
	}
	return []string{"--core", w.core, "--objects", w.objects}
}

// joined is a way to Core, and to the object store where there is one.
func (w *world) joined() core.Core {
	w.t.Helper()
	c, err := postgres.Open(w.t.Context(), w.core, postgres.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	return cold.Join(c, func() (objects.Store, error) { return disk.Open(w.objects, disk.Options{}) })
}

func (w *world) create() {
	w.t.Helper()
	made, err := w.client.Create(w.t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: w.root}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ids = append(w.ids, made.ID)
}

// work has every session say something long.
func (w *world) work() {
	w.t.Helper()
	w.play(`[{"flood":{"lines":400,"size":60}},{"say":{"text":"Done."}}]`)
}

func (w *world) play(steps string) {
	w.t.Helper()
	for _, id := range w.ids {
		err := w.tryToPlay(w.t.Context(), id, steps)
		var full *protocol.Problem
		if err != nil && (!errors.As(err, &full) || full.Code != protocol.CodeOverloaded) {
			w.t.Fatal(err)
		}
	}
}

func (w *world) tryToPlay(ctx context.Context, id, steps string) error {
	_, err := w.client.Session(id).Prompt(ctx, client.Prompt{Text: "play\n```script\n" + steps + "\n```"})
	return err
}

// inCore is what the database has of a session.
func (w *world) inCore(id string) (p core.Position, known bool) {
	w.t.Helper()
	c, err := postgres.Open(w.t.Context(), w.core, postgres.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	defer c.Close()
	p, _, known, err = c.Session(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return p, known
}

// gauge reads one of the daemon's metrics.
func (w *world) gauge(name string) float64 {
	w.t.Helper()
	_, text := w.fetch("/metrics")
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "ringmaster_core_"+name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				w.t.Fatal(err)
			}
			return n
		}
	}
	w.t.Fatalf("there is no ringmaster_core_%s in\n%s", name, text)
	return 0
}

// until asks again and again until something holds.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			w.t.Fatalf("%s: not within %v; up %v, behind %v, waiting %v", what, patience, w.gauge("up"), w.gauge("behind_events"), w.gauge("waiting_sessions"))
		}
	}
}

func (w *world) rest() {
	w.t.Helper()
	if _, err := w.client.Await(w.t.Context(), resource.WaitRequest{Sessions: w.ids, Until: resource.WaitUntil{Rest: true}}); err != nil {
		w.t.Fatal(err)
	}
}

// caughtUp waits until Core has everything, and compares it with the disk.
func (w *world) caughtUp() {
	w.t.Helper()
	w.rest()
	w.until("Core has everything", func() bool {
		return w.gauge("up") == 1 && w.gauge("behind_events") == 0 && w.gauge("waiting_sessions") == 0
	})
	c := w.joined()
	defer c.Close()
	logs := journal.In(func(id string) string { return filepath.Join(w.data, "sessions", id) }, journal.Options{})
	for _, id := range w.ids {
		look := func() (store.Log, error) { return logs.Look(id) }
		if v, err := core.Verify(w.t.Context(), c, id, look); err != nil || !v.Known || v.Behind > 0 || v.Differs != "" {
			w.t.Errorf("%s: %+v, %v; the daemon says %s", id, v, err, strings.Join(w.daemon.Problems(), "\n"))
		}
	}
	if out, err := exec.Command(w.program, append([]string{"core", "verify", "--data", w.data}, w.where()...)...).CombinedOutput(); err != nil ||
		!bytes.Contains(out, fmt.Appendf(nil, "%d sessions: %d equal, 0 behind, 0 not in Core, 0 differ", len(w.ids), len(w.ids))) {
		w.t.Errorf("core verify: %v\n%s", err, out)
	}
}

var boot = regexp.MustCompile(`"boot":"[^"]*"`)

// losePower kills the daemon, takes the last lines of each log, which a loss of power may take of what was not synced, and has the machine been started since.
func (w *world) losePower(lines int) {
	w.t.Helper()
	w.daemon.Kill()
	if err := os.RemoveAll(filepath.Join(w.data, "tails")); err != nil {
		w.t.Fatal(err)
	}
	for _, id := range w.ids {
		segments, err := filepath.Glob(filepath.Join(w.data, "sessions", id, "*.ndjson"))
		if err != nil || len(segments) == 0 {
			w.t.Fatal(segments, err)
		}
		path := segments[len(segments)-1]
		text, err := os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		record := filepath.Join(w.data, "sessions", id, "session.json")
		told, err := os.ReadFile(record)
		if err == nil && !boot.Match(told) {
			err = errors.New("session.json names no start of the machine")
		}
		if err == nil {
			err = os.WriteFile(record, boot.ReplaceAll(told, []byte(`"boot":"00000000-0000-4000-8000-000000000000"`)), 0o600)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		all := bytes.SplitAfter(text, []byte{'\n'})
		if err := os.WriteFile(path, bytes.Join(all[:max(1, len(all)-1-lines)], nil), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	w.start()
}

// loseSent has the sessions, which are at rest, lose what the database has of them.
func (w *world) loseSent() {
	w.t.Helper()
	before := map[string]uint64{}
	for _, id := range w.ids {
		p, _ := w.inCore(id)
		before[id] = p.Head
	}
	// A session at rest, or one that has been quiet for five seconds, has nothing that a loss could take.
	w.play(`[{"flood":{"lines":400,"size":60}},{"say":{"text":"` + strings.Repeat("and on ", 200) + `","every":"2s"}}]`)
	for _, id := range w.ids {
		w.until("all is sent", func() bool { p, _ := w.inCore(id); return p.Head > before[id]+400 })
	}
	w.losePower(40)
}

// receipts wants the receipt of a prompt to say whether the database has it.
func (w *world) receipts() {
	w.t.Helper()
	says := func() bool {
		w.t.Helper()
		r, err := w.client.Session(w.ids[0]).Prompt(w.t.Context(), client.Prompt{Text: "hello"})
		if err != nil || r.InCore == nil {
			w.t.Fatalf("the receipt says %+v, %v", r, err)
		}
		return *r.InCore
	}
	w.until("a receipt says that Core has it", says) // it waits no longer than 300 ms, which a busy machine may need
	w.rest()
	if err := w.server.Crash(); err != nil {
		w.t.Fatal(err)
	}
	if says() {
		w.t.Fatal("the receipt says that a database has it that was killed")
	}
	if err := w.server.Restart(); err != nil {
		w.t.Fatal(err)
	}
	w.caughtUp()
}

// TestCore: a database that is killed and started, a daemon that is killed, sessions that are deleted, in any order, while four sessions work. In the end the
// database has what the disk has, byte for byte.
//
// Proves: I16.4/real, 002.9.1/post, 002.9.2, 002.13/core
func TestCore(t *testing.T) {
	w := begin(t)
	for range 4 {
		w.create()
	}
	w.work()
	w.caughtUp()
	w.receipts()
	random := rand.New(rand.NewPCG(16, 4))
	rounds := 5
	if os.Getenv("RINGMASTER_CORE") == "full" {
		rounds = 25
	}
	for range rounds {
		w.work()
		switch random.IntN(4) {
		case 0:
			if err := w.server.Crash(); err != nil {
				t.Fatal(err)
			}
			w.work()
			if err := w.server.Restart(); err != nil {
				t.Fatal(err)
			}
		case 1:
			w.daemon.Kill()
			w.start()
		case 2:
			if err := w.server.Crash(); err != nil {
				t.Fatal(err)
			}
			w.daemon.Kill()
			w.start()
			w.work()
			if err := w.server.Restart(); err != nil {
				t.Fatal(err)
			}
		case 3:
			gone := w.ids[0]
			w.ids = w.ids[1:]
			if err := w.client.Session(gone).Remove(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.create()
		}
	}
	w.caughtUp()
	if n := w.gauge("superseded_events_total"); n != 0 {
		t.Errorf("%v events are aside, and no log has lost any", n)
	}
}

// TestPowerIsLost: logs lose events that the database has. It puts them aside, and has what the disk has.
//
// Proves: I16.4/real
func TestPowerIsLost(t *testing.T) {
	w := begin(t)
	w.create()
	w.create()
	w.work()
	w.caughtUp()
	w.loseSent()
	w.work()
	w.caughtUp()
	c, err := postgres.Open(t.Context(), w.core, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, id := range w.ids {
		aside := 0
		for s, err := range c.Superseded(t.Context(), id) {
			if err != nil {
				t.Fatal(err)
			}
			aside += s.Count()
		}
		if aside == 0 {
			t.Errorf("%s: the log has lost events that Core had, and none are aside", id)
		}
	}
}
