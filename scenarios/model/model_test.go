package model_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// moves are what can happen, each as often as its number says.
var moves = []struct {
	name  string
	often int
	agent bool // it takes one that runs
	make  func(*world, *session) move
}{
	{"send a prompt", 14, false, (*world).sendPrompt},
	{"cancel a prompt", 4, false, (*world).cancel},
	{"move a prompt", 4, false, (*world).movePrompt},
	{"interrupt", 4, false, (*world).interrupt},
	{"answer a request", 10, false, (*world).answer},
	{"set the policy", 3, false, (*world).policy},
	{"the agent is ready", 4, true, (*world).ready},
	{"the agent begins a turn", 12, true, (*world).turnBegins},
	{"the agent ends its turn", 10, true, (*world).turnEnds},
	{"the agent opens an entry", 8, true, (*world).entryOpens},
	{"the agent adds to an entry", 6, true, (*world).entryGrows},
	{"the agent closes an entry", 6, true, (*world).entryCloses},
	{"the agent asks", 9, true, (*world).asks},
	{"the agent withdraws a request", 2, true, (*world).withdraws},
	{"the agent enters a phase", 3, true, (*world).enters},
	{"the agent answers a prompt", 4, true, (*world).answersPrompt},
	{"the agent exits", 8, true, (*world).exits},
}

// others are what happens to more than one session, or to none.
var others = []struct {
	name  string
	often int
	do    func(*world, *session)
}{
	{"end the session", 2, (*world).end},
	{"delete the session", 1, (*world).remove},
	{"an agent will start otherwise", 3, (*world).nextStart},
	{"a reader joins", 3, (*world).join},
	{"a reader leaves", 2, (*world).leave},
	{"read a patch", 3, (*world).patch},
	{"time passes", 7, func(w *world, _ *session) { w.timePasses() }},
	{"the clock jumps", 5, func(w *world, _ *session) { w.clockJumps() }},
	{"the daemon restarts", 1, func(w *world, _ *session) { w.restarts(false) }},
	{"the daemon is killed", 1, func(w *world, _ *session) { w.restarts(true) }},
}

// menu has each entry as often as its number says: i of moves, or len(moves)+i of others; -1 makes a session, -2 is a move on a
// broken disk.
var menu = func() (list []int) {
	add := func(what, often int) {
		for range often {
			list = append(list, what)
		}
	}
	add(-1, 3)
	for i, m := range moves {
		add(i, m.often)
	}
	for i, o := range others {
		add(len(moves)+i, o.often)
	}
	add(-2, 4)
	return list
}()

// act draws one operation and does it.
func (w *world) act() {
	time.Sleep(time.Millisecond) // virtual: no two deadlines are the same
	synctest.Wait()
	w.notice()
	what := draw(w, "what", menu...)
	if len(w.sessions) == 0 || what == -1 && len(w.sessions) < 3 {
		w.Log("create a session")
		w.create()
		return
	}
	x := w.sessions[rapid.IntRange(0, len(w.sessions)-1).Draw(w.T, "session")]
	if what >= len(moves) {
		o := others[what-len(moves)]
		w.Logf("%s: %s", x.id[35:], o.name)
		o.do(w, x)
		return
	}
	fails := what == -2
	if what < 0 { // any move
		what = rapid.IntRange(0, len(moves)-1).Draw(w.T, "move")
	}
	m := moves[what]
	if m.agent && !w.daemon.stage.alive(x.id) {
		m = moves[0]
	}
	w.Logf("%s: %s", x.id[35:], m.name)
	if mv := m.make(w, x); fails {
		w.diskFails(x, mv)
	} else {
		w.step(x, mv.do, mv.then)
	}
}

// TestModel does random things to daemons and to the model, and compares after each. Of -rapid.checks sequences each worker has its
// part; -rapid.steps is how long they are, on average.
func TestModel(t *testing.T) {
	for worker := range workers {
		t.Run(strconv.Itoa(worker), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				e, err := newEdge()
				if err != nil {
					t.Fatal(err)
				}
				rapid.SyncTest(t, func(t *rapid.T) { sequence(t, e) })
				edges.Put(e)
				sequences.Add(1)
			})
		})
	}
}

// sequence is one life of a daemon and its successors.
func sequence(t *rapid.T, e *edge) {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, &daemon{
		life: lives.Add(1),
		dir:  dir, root: root, edge: e, stage: newStage(), disk: &fullDisk{FS: disk.OS()},
		durability: draw(&world{T: t}, "durability", supervisor.DurableInterval, supervisor.DurableAlways),
	})
	defer w.close()
	t.Repeat(map[string]func(*rapid.T){"": func(*rapid.T) {}, "step": func(*rapid.T) { w.act() }})
	operations.Add(int64(w.steps))
}

const workers = 2

// What this run has done.
var sequences, operations, histories atomic.Int64

// TestMain makes the sequences fewer than rapid's own number is for longer ones, unless it was told how many, and records the figures.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	checks := "100"
	if testing.Short() {
		checks = "20"
	}
	if !given && flag.Set("rapid.checks", checks) != nil {
		panic("rapid has no flag rapid.checks any more")
	}
	code := leaks.Checked(m).Run()
	if n := sequences.Load(); n > 0 && histories.Load() > 0 && code == 0 {
		err := figures.Record("model", "task model",
			figures.Figure{Name: "sequences compared with the model", Value: float64(n), Promise: "P30", Goal: "≥ 10000", Missed: n < 10000},
			figures.Figure{Name: "operations in them", Value: float64(operations.Load()), Promise: "P30"},
			figures.Figure{Name: "differences", Promise: "P30", Goal: "0"},
			figures.Figure{Name: "histories of 8 clients", Value: float64(histories.Load()), Promise: "P31", Goal: "≥ 2000", Missed: histories.Load() < 2000},
			figures.Figure{Name: "histories without an order", Promise: "P31", Goal: "0"},
		)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
