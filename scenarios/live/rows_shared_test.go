package live

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Rows that only agents have whose sessions share a process.
const (
	rowTwoEnd    = "two sessions on one server, one ended"
	rowTwoKilled = "two sessions on one server, the server killed"
	rowStranger  = "two sessions on one server, unmixed"
	rowAttach    = "attached over TCP"
	rowSocket    = "attached over a unix socket"
	rowRejoin    = "attached, kill -9 of the daemon in text"
)

// Sessions that share a server.
var sharedRows = []row{
	{name: rowStranger, alone: true, run: unmixed},
	{name: rowTwoEnd, alone: true, run: oneEnded},
	{name: rowTwoKilled, more: true, alone: true, run: serverKilled},
	{name: rowAttach, alone: true, run: attached},
	{name: rowSocket, more: true, alone: true, run: attached},
	{name: rowRejoin, alone: true, run: rejoined},
}

// pairOf makes two sessions and checks that one process serves both.
func (w *world) pairOf() (a, b *session) {
	w.Helper()
	a, b = w.create(w.agent.loose()), w.create(w.agent.loose())
	a.learns()
	b.works()
	servers := 0
	for _, p := range w.daemon.family(w) {
		if p.parent == w.daemon.cmd.Process.Pid {
			servers++
		}
	}
	if servers != 1 {
		w.Fatalf("%d servers for two sessions", servers)
	}
	return a, b
}

// unmixed lets both sessions write at once: each log has its own text, whole.
func unmixed(w *world) {
	a, b := w.pairOf()
	long := words(150)
	a.send(w.agent.model.prompt(w, "Write.", reply{{text: "A: " + long}}))
	b.send(w.agent.model.prompt(w, "Write.", reply{{text: "B: " + long}}))
	for s, want := range map[*session]string{a: "A: " + long, b: "B: " + long} {
		s.turn(protocol.TurnCompleted)
		if got := s.answer(); got != want {
			s.fail("the answer is %q", got)
		}
		s.idle()
		s.settled()
		s.whole()
	}
}

// oneEnded ends a session in a tool: the tool ends, the other session does not notice.
func oneEnded(w *world) {
	a, b := w.pairOf()
	go1 := w.signal()
	b.send(w.agent.model.prompt(w, "Work.", use(w.agent.run(go1.wait())), say("Worked.")))
	b.until("a running tool", inState(protocol.StateRunningTool))
	a.inTool(w.hold.plain(), 1)
	a.end()
	w.hold.gone(w)
	go1.give(w)
	b.turn(protocol.TurnCompleted)
	if got := b.answer(); got != "Worked." {
		b.fail("the answer is %q", got)
	}
	b.works()
	family := w.daemon.family(w)
	b.end()
	w.daemon.wantNobody(w, family)
}

// serverKilled kills what both sessions work with: both turns end with an error, and both sessions go on.
func serverKilled(w *world) {
	a, b := w.pairOf()
	b.send(w.agent.model.prompt(w, "Write.", slowly()))
	b.inText()
	a.inTool(w.hold.pair(), 2)
	family := w.daemon.family(w)
	w.daemon.killAgents(w.T)
	for _, s := range []*session{a, b} {
		s.lostTurn()
		s.idle()
		s.settled()
	}
	wantNone(w, family, w.hold)
	a.knows()
	b.works()
}

// attached works with an agent that somebody else has started, and leaves it running.
func attached(w *world) {
	s := w.create(w.agent.attach[w.row.name](w))
	s.learns()
	s.send(w.agent.model.prompt(w, "Run it.", use(w.agent.run("echo from the tool")), say("It has run.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	if d := s.tool(); d.Status != protocol.ToolCompleted || d.Output == "" {
		s.fail("%+v", d)
	}
	for _, p := range w.daemon.family(w) {
		if p.parent == w.daemon.cmd.Process.Pid {
			s.fail("the daemon runs an agent of its own: %v", p)
		}
	}
	s.knows()
	s.end()
}

// rejoined kills the daemon while an agent writes that is not the daemon's: the agent does not notice, and the next daemon takes the
// session up again.
func rejoined(w *world) {
	s := w.create(w.agent.attach[w.row.name](w))
	s.learns()
	s.send(w.agent.model.prompt(w, "Write.", slowly()))
	s.inText()
	w.daemon.kill(w.T)
	w.daemon.start(w.T)
	if end := s.turn(protocol.TurnInterrupted); end.Error != "daemon restarted" {
		s.fail("%+v", end)
	}
	s.settled()
	s.until("the turn that goes on", isType(protocol.TypeTurnStart))
	s.interrupt() // what it writes would take long
	s.knows()
	s.end()
}
