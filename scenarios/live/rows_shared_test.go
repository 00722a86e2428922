package live

import (
	"strings"

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
	rowMidTurn   = "attached in mid turn"
	rowServer    = "attached, kill -9 of the server in text"
)

// Sessions that share a server.
var sharedRows = []row{
	{name: rowStranger, alone: true, run: unmixed},
	{name: rowTwoEnd, alone: true, run: oneEnded},
	{name: rowTwoKilled, more: true, alone: true, run: serverKilled},
	{name: rowAttach, alone: true, run: attached},
	{name: rowSocket, more: true, alone: true, run: attached},
	{name: rowRejoin, alone: true, run: rejoined},
	{name: rowMidTurn, alone: true, run: attachedInTurn},
	{name: rowServer, more: true, alone: true, run: attachedServerKilled},
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

// attachedServerKilled kills the server in mid text, and somebody starts it anew: every channel says that the turn has failed, and the session goes on.
func attachedServerKilled(w *world) {
	const length = 250
	s := w.create(w.agent.attach[w.row.name](w))
	hosts := s.hosts()
	s.learns()
	s.send(w.agent.model.prompt(w, "Write.", halfway(length)))
	s.halfWritten(words(length))
	w.server.kill()
	w.server.start()
	end := s.until("the turn's end", isType(protocol.TypeTurnEnd)).Payload.(*protocol.TurnEnd)
	if end.Cause != protocol.CauseLost || end.Status == protocol.TurnCompleted || end.Error == "" { // which of the two is the agent's own word
		s.fail("%+v", end)
	}
	s.idle()
	s.told(hosts)
	s.knows()
	s.told(hosts)
	s.end()
}

// attachedInTurn attaches the session of another daemon to what the first one's agent has at work: the log begins with that turn, and with what
// began it.
func attachedInTurn(w *world) {
	at := w.agent.attach[w.row.name](w)
	s := w.create(at)
	s.learns()
	goOn := w.signal()
	prompt := w.agent.model.prompt(w, "Work on.", use(w.agent.run(goOn.wait())), say("Worked."))
	s.send(prompt)
	s.until("a running tool", inState(protocol.StateRunningTool))
	native := ""
	for i := range s.events {
		if m, ok := s.events[i].Payload.(*protocol.SessionMeta); ok && m.NativeSessionID != nil {
			native = *m.NativeSessionID
		}
	}

	other := *w
	other.daemon = newDaemonIn(w.T, w.agent, w.daemon.root)
	x := other.create(at, with("nativeSessionId", native))
	x.until("the tool that runs", inState(protocol.StateRunningTool))
	var began *protocol.TurnStart
	for i := range x.events {
		if turn, ok := x.events[i].Payload.(*protocol.TurnStart); ok {
			began = turn
		}
	}
	goOn.give(w)
	x.turn(protocol.TurnCompleted)
	x.idle()
	if began == nil || began.Prompt == nil || began.Prompt.Text != prompt {
		x.fail("the turn began with %+v", began)
	}
	var texts []string
	for _, e := range x.ends(protocol.EntryUserMessage) {
		if e.TurnID == began.TurnID {
			texts = append(texts, e.Data.(*protocol.MessageData).Text)
		}
	}
	if len(texts) != 1 || texts[0] != prompt {
		x.fail("in the turn the user said %q", texts)
	}
	if tool := x.ends(protocol.EntryToolCall); len(tool) != 1 || tool[0].TurnID != began.TurnID || !strings.Contains(tool[0].Data.(*protocol.ToolCallData).Output, "gone on") {
		x.fail("its tools are %+v", tool)
	}
	if got := x.answer(); got != "Worked." {
		x.fail("the answer is %q", got)
	}
	s.turn(protocol.TurnCompleted)
	x.whole()
	x.end()
	other.daemon.stop(w.T)
	s.end()
}
