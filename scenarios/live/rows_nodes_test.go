package live

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Two nodes on one Core, whose agents have their folder and their home in common: what one machine's loss leaves.
var nodeRows = []row{
	{name: "kill -9 of a node in text, goes on at another", run: elsewhere},
	{name: "kill -9 of a node in a tool, goes on at another", more: true, run: elsewhereInTool},
}

// lease is how long a node may be silent. That is less than CONFIGURATION.md advises: within shortLease, the least of those, the agents of a node that was
// killed have ended, so that none works beside its successor.
const (
	lease      = 3 * time.Second
	shortLease = 10 * time.Second
)

// core is a new database that nodes share.
func (w *world) core() string {
	w.Helper()
	w.why = "no PostgreSQL server is installed" // if it is
	url := pgtest.Database(w.T)
	if out, err := exec.Command(program, "core", "migrate", "--core", url).CombinedOutput(); err != nil {
		w.Fatalf("core migrate: %v\n%s", err, out)
	}
	return url
}

// node is the row as seen from a new node on a Core.
func (w *world) node(core, root string) *world {
	w.Helper()
	other := *w
	other.daemon = newDaemonIn(w.T, w.agent, root, "--core", core, "--workspace", "shop="+root, "--failover", "auto",
		"--node-lease", lease.String(), "--peer-listen", "127.0.0.1:0")
	return &other
}

// elsewhere kills a node in the middle of a turn. Another one takes the session by itself, and the agent goes on with its own session there: the
// model is sent what was said before. The first one comes back, lets the session go, and has it again when the second one drains.
func elsewhere(w *world) {
	if testing.Short() && w.agent != pi { // it starts the fastest
		w.skip("short run")
	}
	core, root := w.core(), w.TempDir()
	a, b := w.node(core, root), w.node(core, root)

	s := a.create(w.agent.loose())
	const first, second = "Who are you?", "Write of it."
	s.send(w.agent.model.prompt(w, first, reply{{self: true}}))
	s.turn(protocol.TurnCompleted)
	answer := s.answer()
	s.idle()
	least := len(s.seen)
	s.send(w.agent.model.prompt(w, second, slowly()))
	s.inText()
	b.sees(s, protocol.StateResponding)
	pgtest.Exec(w, core, "ALTER TABLE session_batch ADD CONSTRAINT away CHECK (false) NOT VALID") // from here on Core lacks something
	behind := a.daemon.listed(w, s.id).Seq
	s.until("more text", func(e *protocol.Event) bool { return e.Seq >= behind+5 })

	var inCore []byte
	x := w.nodeLost(s, b, func() {
		inCore = untilEpoch(b.open(s.id).stored())
		pgtest.Exec(w, core, "ALTER TABLE session_batch DROP CONSTRAINT away")
	})
	begun := x.until("the new epoch", isType(protocol.TypeEpoch)).Payload.(*protocol.Epoch)
	common := x.seen[:len(x.seen)-1]
	if begun.Reason != "node lost" || len(common) < least || len(common) >= len(s.seen) ||
		!bytes.Equal(joined(common), joined(s.seen[:len(common)])) || !bytes.Equal(joined(common), inCore) {
		x.fail("%+v behind %d events: %d were shown before the node was lost, of which Core had %d bytes and the first turn has %d", begun, len(common), len(s.seen), len(inCore), least)
	}
	if end := x.turn(protocol.TurnInterrupted); end.Error != "node lost" {
		x.fail("%+v", end)
	}
	x.idle()
	x.settled()
	third, told := x.remembers(first, answer, second)

	// The first node is back: others have the session.
	a.daemon.start(w.T)
	eventually(w, "the first node to let the session go", func() bool { return a.daemon.listed(w, s.id).Node == b.daemon.instance(w) })
	eventually(w, "the same log at both nodes", func() bool { return bytes.Equal(a.open(s.id).stored(), x.stored()) })
	if tail, shown := a.daemon.tail(w, s.id, len(common)+1), joined(s.seen[len(common):]); !bytes.HasPrefix(tail, shown) {
		x.fail("what nobody else has are %d bytes, and %d were shown:\n%s", len(tail), len(shown), tail)
	}
	if two := a.daemon.own(w); len(two) > 0 {
		x.fail("two nodes run an agent of the session: %v", two)
	}

	// It goes back without an epoch.
	if out, err := exec.Command(program, "node", "drain", "--data", b.daemon.data).CombinedOutput(); err != nil {
		w.Fatalf("node drain: %v\n%s", err, out)
	}
	if two := b.daemon.own(w); len(two) > 0 {
		x.fail("a node that was drained runs an agent: %v", two)
	}
	x.world = a
	x.remembers(first, answer, second, third, told)
	if !a.daemon.has(w, s.id) {
		x.fail("the first node does not have the session")
	}
	var epochs int
	var natives []string
	for i := range x.events {
		switch p := x.events[i].Payload.(type) {
		case *protocol.Epoch:
			epochs++
		case *protocol.SessionMeta:
			if p.NativeSessionID != nil {
				natives = append(natives, *p.NativeSessionID)
			}
		default:
		}
	}
	if natives = slices.Compact(natives); epochs != 1 || len(natives) != 1 {
		x.fail("%d epochs, and the agent's own sessions %q", epochs, natives)
	}
	x.end()
	family := a.daemon.family(w)
	a.daemon.stop(w.T)
	a.daemon.wantNobody(w, family)
}

// elsewhereInTool kills a node while its agent runs a command. What that has begun may go on until the node is back, which ends it; the session does not
// wait for that.
func elsewhereInTool(w *world) {
	core, root := w.core(), w.TempDir()
	a, b := w.node(core, root), w.node(core, root)
	s := a.create(w.agent.loose())
	s.learns()
	s.inTool(w.hold.pair(), 2)
	b.sees(s, protocol.StateRunningTool)
	x := w.nodeLost(s, b, func() {})
	x.until("the new epoch", isType(protocol.TypeEpoch))
	x.turn(protocol.TurnInterrupted)
	x.idle()
	x.settled()
	x.knows()
	a.daemon.start(w.T)
	w.hold.gone(w)
	a.daemon.stop(w.T)
	x.knows()
	x.end()
}

// sees waits until the node knows from Core what another one's session does.
func (w *world) sees(s *session, state protocol.State) {
	w.Helper()
	eventually(w, "Core to know that the session is at work", func() bool { return w.daemon.listed(w, s.id).Status.State == state })
}

// nodeLost kills a session's node, and waits until another one has the session and the agent has ended; done is carried out at once.
func (w *world) nodeLost(s *session, other *world, done func()) *session {
	w.Helper()
	lost := slices.DeleteFunc(s.daemon.own(w), func(p process) bool { return p.parent != s.daemon.cmd.Process.Pid })
	if len(lost) == 0 {
		s.fail("its node runs no agent")
	}
	s.daemon.kill(w.T)
	from := time.Now()
	done()
	var ended, taken time.Duration
	eventually(w, "the other node to go on, and the end of the lost node's agent", func() bool {
		if ended == 0 && len(living(w, lost)) == 0 {
			ended = time.Since(from)
		}
		if taken == 0 && other.daemon.has(w, s.id) {
			taken = time.Since(from)
		}
		return ended > 0 && taken > 0
	})
	w.figure = fmt.Sprintf("%.1f s, its agent %.1f s", taken.Seconds(), ended.Seconds())
	if ended > shortLease {
		w.Errorf("the agent of a node that was killed went on for %v", ended)
	}
	return other.open(s.id)
}

// remembers asks for what the model is sent, which must be all of these texts in this order, and gives the prompt's own words and the answer.
func (s *session) remembers(texts ...string) (asked, answer string) {
	s.Helper()
	prompt := s.agent.model.sent(s, texts...)
	s.send(prompt)
	s.turn(protocol.TurnCompleted)
	if answer = s.answer(); answer != toldAll(texts...) {
		s.fail("the model was sent %q, want %q", answer, texts)
	}
	s.idle()
	s.settled()
	s.whole()
	return prompt, answer
}

// untilEpoch is a log up to its first change of the epoch.
func untilEpoch(log []byte) (before []byte) {
	for line := range bytes.Lines(log) {
		if bytes.Contains(line, []byte(`"type":"epoch"`)) {
			return before
		}
		before = append(before, line...)
	}
	return before
}

// own are the processes of a node's agents, also where another node's work in the same folder.
func (d *daemon) own(t testing.TB) []process {
	t.Helper()
	return slices.DeleteFunc(d.family(t), func(p process) bool { return !strings.HasPrefix(p.marker, d.instance(t)+"/") })
}

// living are those of these processes that have not ended.
func living(t testing.TB, these []process) []process {
	t.Helper()
	return slices.DeleteFunc(census(t), func(p process) bool {
		return !slices.ContainsFunc(these, func(e process) bool { return e.pid == p.pid && e.start == p.start })
	})
}

// listed is a session as the node's list has it, which tells what Core has of those of other nodes.
func (d *daemon) listed(w *world, id string) (found resource.SessionSummary) {
	w.Helper()
	page, err := d.List(w.Context(), client.Query{})
	if err != nil {
		w.Fatal(err)
	}
	for i := range page.Sessions {
		if page.Sessions[i].ID == id {
			found = page.Sessions[i]
		}
	}
	return found
}

// has says that the node has a session itself.
func (d *daemon) has(w *world, id string) bool {
	w.Helper()
	found := d.listed(w, id)
	return found.ID == id && found.Node == ""
}

// tail is the only end of a session's log that the node has and nobody else, which begins with an event.
func (d *daemon) tail(w *world, id string, first int) []byte {
	w.Helper()
	list, err := client.ListLost(w.Context(), d.Session(id))
	if err != nil || len(list) != 1 || list[0].First != uint64(first) {
		w.Fatalf("what nobody else has: %+v %v, want one that begins with event %d", list, err, first)
	}
	body, err := client.OpenLost(w.Context(), d.Session(id), list[0].Name)
	if err != nil {
		w.Fatal(err)
	}
	defer body.Close()
	lines, err := io.ReadAll(body)
	if err != nil {
		w.Fatal(err)
	}
	return lines
}
