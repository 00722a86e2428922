// Package live drives real agents under the real daemon: the built program, its files, its processes. One table, scenario by
// agent: scenarios are rows (rows_…_test.go), agents are columns (agent_…_test.go). It needs the agents' programs and a
// scripted model for each; the Taskfile's target agents brings both, offline, and sets the variables that are read here.
//
//	RINGMASTER_LIVE_AGENT  program of the agent; the others are skipped (AGENT: CODEX, PI, …)
//	FAKELLM_AGENT          HOST:PORT of its model
//	RINGMASTER_LIVE_TABLE  file that the table of results is written to, as Markdown
package live

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/invariant"
)

// patience bounds every wait. It is no measure: a slow machine needs it, a broken daemon uses it up.
const patience = 60 * time.Second

var program string // the built daemon

func TestMain(m *testing.M) {
	if !anyAgent() {
		os.Exit(m.Run()) // every test skips, with the reason
	}
	dir, err := os.MkdirTemp("", "ringmaster-live-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "ringmaster")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := invariant.Code(pgtest.Tests{Tests: m}.Run(), os.Stderr)
	tally.publish(os.Stdout)
	if err := results.publish(os.Stdout, os.Getenv("RINGMASTER_LIVE_TABLE")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func anyAgent() bool {
	for _, a := range agents {
		if a.program() != "" {
			return true
		}
	}
	return false
}

// TestAgents is the table: every row with every agent that is there. Agents come one after the other; the rows of one run
// side by side.
//
// Proves: I16.9/agents
func TestAgents(t *testing.T) {
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			if a.program() == "" {
				t.Skipf("%s does not name a program: run task agents", a.variable())
			}
			a.model = a.newModel(t, a.address(t))
			shared := newDaemon(t, a)
			results.column(a, shared.version(t))
			for i, r := range rows {
				t.Run(r.name, func(t *testing.T) {
					if i > 0 { // two that begin in a new home at once would each write its identity there
						t.Parallel()
					}
					w := &world{T: t, agent: a, row: r}
					defer results.note(w)
					if why := a.cannot[r.name]; why != "" {
						w.skip(why)
					}
					if r.more && testing.Short() {
						w.skip("short run")
					}
					if w.daemon = shared; r.alone {
						w.daemon = newDaemon(t, a)
					}
					w.hold = newHold()
					r.run(w)
				})
			}
		})
	}
}

// row is one scenario.
type row struct {
	name  string
	alone bool // has a daemon for itself: it ends or kills what others would use, too
	more  bool // shows what another row shows, too, at another moment or place: not in a short run
	run   func(*world)
}

// rows is the table's left side, in the order in which it is shown.
var rows = concat(talkRows, requestRows, extraRows, mcpRows, sharedRows, lossRows, nodeRows)

func concat(lists ...[]row) (all []row) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// world is one row at work with one agent.
type world struct {
	*testing.T
	agent  *agent
	row    row
	daemon *daemon
	hold   hold
	server *server // that sessions are attached to
	why    string  // it was skipped
	figure string  // what it has measured, for the table
}

// skip ends the row: it cannot be tried with this agent. The reason goes into the table.
func (w *world) skip(why string) {
	w.Helper()
	w.why = why
	w.T.Skip(why)
}
