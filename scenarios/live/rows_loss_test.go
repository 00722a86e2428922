package live

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What ends an agent, a session or the daemon, at the worst moment: the log tells it, the agent's own session goes on, and no
// process is left, not even a tool's command that has left its terminal.
var lossRows = []row{
	{name: "end in a tool", alone: true, run: endInTool},
	{name: "end with tools that hide", alone: true, run: endHidden},
	{name: "delete with tools that hide", more: true, alone: true, run: deleteHidden},
	{name: "kill -9 of the agent with tools that hide", more: true, alone: true, run: killHidden},
	{name: "kill -9 of the daemon with tools that hide", more: true, alone: true, run: killHiddenDaemon},
	{name: "kill -9 of the agent in text", more: true, alone: true, run: agentKilledInText},
	{name: "kill -9 of the agent in a tool", more: true, alone: true, run: agentKilledInTool},
	{name: "kill -9 of the agent, as all channels tell it", alone: true, run: lossTold},
	{name: "resume after daemon restart", alone: true, run: restarted},
	{name: "SIGTERM of the daemon in a tool", more: true, alone: true, run: stoppedInTool},
	{name: "kill -9 of the daemon in text", more: true, alone: true, run: killedInText},
	{name: "kill -9 of the daemon in a tool", more: true, alone: true, run: killedInTool},
	{name: "kill -9 of the daemon with a queue", alone: true, run: killedWithQueue},
	{name: "kill -9 of the daemon with an approval open", alone: true, run: killedAsking},
	{name: rowHelperLost, more: true, alone: true, run: helperLost},
}

// rowHelperLost is for agents that have sub-agents.
const rowHelperLost = "kill -9 of the agent in a sub-agent's tool"

func endInTool(w *world) {
	s := w.create(w.agent.loose())
	s.inTool(w.hold.pair(), 2)
	family := w.daemon.family(w)
	s.end()
	w.daemon.wantNobody(w, family, w.hold)
	for i := range s.events[s.asked:] {
		if end, ok := s.events[s.asked+i].Payload.(*protocol.TurnEnd); ok && end.Status != protocol.TurnInterrupted {
			s.fail("%+v", end)
		}
	}
}

// ways are commands that begin a process which hides; LOOP is it.
var ways = []string{
	`setsid LOOP </dev/null >/dev/null 2>&1 &`,
	`env -i "PATH=$PATH" setsid LOOP </dev/null >/dev/null 2>&1 &`,
	`(unset RINGMASTER_MARKER; exec setsid LOOP) </dev/null >/dev/null 2>&1 &`,
	`RINGMASTER_MARKER=another/1/1 setsid LOOP </dev/null >/dev/null 2>&1 &`,
	`(env -i "PATH=$PATH" setsid sh -c 'LOOP & exit' </dev/null >/dev/null 2>&1 &)`,
	`(env -i "PATH=$PATH" setsid bash -c 'cd /; LOOP <&- >&- 2>&- & disown; exit' </dev/null >/dev/null 2>&1 &)`,
	`(env -i "PATH=$PATH" setsid bash -c 'ulimit -S -x unlimited; LOOP <&- >&- 2>&- & disown; exit' </dev/null >/dev/null 2>&1 &)`,
}

// hidden has the agent run all of these, and waits until they run and the turn is over.
func hidden(w *world) (s *session, family []process, all []hold) {
	s = w.create(w.agent.loose())
	var command strings.Builder
	for _, way := range ways {
		h := newHold()
		all = append(all, h)
		command.WriteString(strings.ReplaceAll(way, "LOOP", `sh -c "while :; do sleep 0.2; done" `+string(h)) + "\n")
	}
	s.send(w.agent.model.prompt(w, "Run it.", use(w.agent.run(command.String()+"sleep 3")), say("They run.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	for _, h := range all {
		h.await(w, 1)
	}
	return s, w.daemon.family(w), all
}

func endHidden(w *world) {
	s, family, all := hidden(w)
	s.end()
	w.daemon.wantNobody(w, family, all...)
}

func deleteHidden(w *world) {
	s, family, all := hidden(w)
	if err := w.daemon.call(w.Context(), http.MethodDelete, "/sessions/"+s.id, nil, nil); err != nil {
		w.Fatal(err)
	}
	w.daemon.wantNobody(w, family, all...)
}

// killHiddenDaemon: the next daemon finds all but what has neither marker nor mark nor parents any more, which SECURITY.md says.
func killHiddenDaemon(w *world) {
	s, _, all := hidden(w)
	lost := all[len(all)-1]
	defer func() {
		for _, p := range census(w) {
			if lost.names(p) {
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
		}
		eventually(w, "the end of its last child", func() bool {
			return !slices.ContainsFunc(census(w), func(p process) bool { return p.argv[0] == "sleep" && inside(p.cwd, w.daemon.root) })
		})
	}()
	w.daemon.kill(w.T)
	w.daemon.start(w.T)
	wantNone(w, nil, all[:len(all)-1]...)
	s.works()
}

// killHidden leaves nothing behind when the agent's process is killed, and then the daemon is stopped.
func killHidden(w *world) {
	s, _, all := hidden(w)
	w.daemon.killAgents(w.T)
	for _, h := range all {
		h.gone(w)
	}
	s.until("the loss of the agent", func(e *protocol.Event) bool { // a prompt sooner would be lost with it
		end, _ := e.Payload.(*protocol.EntryEnd)
		if end == nil {
			return false
		}
		notice, ok := end.Data.(*protocol.SystemData)
		return ok && notice.Kind == protocol.KindAgentLost
	})
	s.works()
}

func agentKilledInText(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	s.send(w.agent.model.prompt(w, "Write.", slowly()))
	s.inText()
	s.agentLost()
	s.knows()
}

func agentKilledInTool(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	s.inTool(w.hold.pair(), 2)
	s.agentLost()
	s.knows()
}

// agentLost kills the agent: the turn ends, and the agent is started again.
func (s *session) agentLost() {
	s.Helper()
	family := s.daemon.family(s)
	s.daemon.killAgents(s.T)
	s.lostTurn()
	s.idle()
	wantNone(s, family, s.hold)
	s.settled()
}

// lostTurn waits for the end of a turn whose agent was killed.
func (s *session) lostTurn() {
	s.Helper()
	if end := s.turn(cmp.Or(s.agent.lostTurn, protocol.TurnError)); end.Cause != protocol.CauseLost || !strings.Contains(end.Error, "killed") {
		s.fail("%+v", end)
	}
}

func restarted(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	family := w.daemon.family(w)
	w.daemon.stop(w.T)
	w.daemon.wantNobody(w, family)
	w.daemon.start(w.T)
	s.knows()
}

func stoppedInTool(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	s.inTool(w.hold.pair(), 2)
	family := w.daemon.family(w)
	w.daemon.stop(w.T)
	w.daemon.wantNobody(w, family, w.hold)
	w.daemon.start(w.T)
	s.turn(protocol.TurnInterrupted)
	s.settled()
	s.knows()
}

func killedInText(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	s.send(w.agent.model.prompt(w, "Write.", slowly()))
	s.inText()
	s.daemonLost()
}

func killedInTool(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	s.inTool(w.hold.pair(), 2)
	s.daemonLost()
}

// daemonLost kills the daemon: the next one finds what the agents left, ends it, and goes on with their sessions.
func (s *session) daemonLost() {
	s.Helper()
	family := s.daemon.family(s)
	s.daemon.kill(s.T)
	s.daemon.start(s.T)
	wantNone(s, family, s.hold)
	if end := s.turn(protocol.TurnInterrupted); end.Error != "daemon restarted" {
		s.fail("%+v", end)
	}
	s.settled()
	s.knows()
}

// killedWithQueue kills the daemon while a prompt waits: the next daemon sends it.
func killedWithQueue(w *world) {
	s := w.create(w.agent.loose())
	s.learns()
	s.inTool(w.hold.pair(), 2)
	s.send(w.agent.model.recall(w))
	s.until("the prompt in the queue", isType(protocol.TypePromptQueued))
	w.daemon.kill(w.T)
	w.daemon.start(w.T)
	s.turn(protocol.TurnInterrupted)
	s.settled()
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); got != recalled {
		s.fail("the waiting prompt was answered %q", got)
	}
	s.idle()
	w.hold.gone(w)
	s.whole()
}

// killedAsking kills the daemon while an approval is open: it is closed, and what it was about did not run.
func killedAsking(w *world) {
	file, command := w.mark()
	s, r := w.approval(command)
	w.daemon.kill(w.T)
	w.daemon.start(w.T)
	got := s.until("the request's end", isType(protocol.TypeRequestResolved)).Payload.(*protocol.RequestResolved)
	if got.RequestID != r.RequestID || got.Outcome != protocol.OutcomeCancelled || got.By != "daemon" {
		s.fail("resolved: %+v", got)
	}
	s.turn(protocol.TurnInterrupted)
	s.settled()
	if s.exists(file) {
		s.fail("nobody allowed it, and it ran")
	}
	s.works()
}

// helperLost kills the agent while its sub-agent runs a command: both logs end their turns, all channels say so of the sub-agent's as well, and the
// root goes on.
func helperLost(w *world) {
	s := w.create(w.agent.loose(), w.agent.helpful)
	s.learns()
	child := s.withHelper(use(w.agent.within(w.hold.pair(), false)), say("One, two, three."))
	hosts := child.hosts()
	w.hold.await(w, 2)
	s.agentLost()
	child.lostTurn()
	child.settled()
	child.told(hosts)
	s.knows()
	s.end()
	child.until("the sub-agent's end", isType(protocol.TypeSessionEnd))
	child.whole()
}
