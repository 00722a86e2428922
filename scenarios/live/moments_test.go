package live

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asked is a shell call before which the agent asks, in a session made with asking.
func (a *agent) asked(command string) call {
	if a.asks != nil {
		return a.asks(command)
	}
	return a.run(command)
}

// loose is a session whose commands nothing holds in.
func (a *agent) loose() setting {
	if a.unheld != nil {
		return a.unheld
	}
	return a.free
}

// near is a loose session beside one made with asking.
func (a *agent) near() setting {
	if a.beside != nil {
		return a.beside
	}
	return a.loose()
}

// old says that it is a Pi of before 1.0, which tells less.
func (w *world) old() bool {
	w.Helper()
	return w.agent == pi && strings.HasPrefix(w.daemon.version(w.T), "0.")
}

// signal is a file that a tool command waits for.
type signal string

func (w *world) signal() signal {
	return signal(filepath.Join(w.daemon.cwd, string(newHold())+".go"))
}

func (g signal) wait() string {
	return "while [ ! -e " + string(g) + " ]; do sleep 0.05; done; echo gone on"
}

func (g signal) give(w *world) {
	w.Helper()
	if err := os.WriteFile(string(g), nil, 0o644); err != nil {
		w.Fatal(err)
	}
}

// inText waits until the agent writes an answer.
func (s *session) inText() {
	s.Helper()
	open := map[string]bool{}
	s.until("text", func(e *protocol.Event) bool {
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			open[p.EntryID] = p.EntryType == protocol.EntryAssistantMessage
		case *protocol.EntryDelta:
			return open[p.EntryID]
		default:
		}
		return false
	})
}

// halfWritten waits until half of a text is in the log.
func (s *session) halfWritten(whole string) {
	s.Helper()
	written := map[string]string{}
	s.until("half of the text", func(e *protocol.Event) bool {
		switch p := e.Payload.(type) {
		case *protocol.EntryStart:
			if d, ok := p.Data.(*protocol.MessageData); ok && p.EntryType == protocol.EntryAssistantMessage {
				written[p.EntryID] = d.Text
			}
		case *protocol.EntryDelta:
			if _, is := written[p.EntryID]; !is {
				return false
			}
			switch d := p.Delta.(type) {
			case *protocol.TextAppend:
				written[p.EntryID] += d.Text
			case *protocol.TextSet:
				written[p.EntryID] = d.Text
			default:
			}
			return len(written[p.EntryID]) >= len(whole)/2 && strings.HasPrefix(whole, written[p.EntryID])
		default:
		}
		return false
	})
}

// inTool makes the agent run a command of the row's hold and waits until it runs, in n processes.
func (s *session) inTool(command string, n int) {
	s.Helper()
	s.send(s.agent.model.prompt(s, "Run it.", use(s.agent.run(command)), say("It has run.")))
	s.until("a running tool", inState(protocol.StateRunningTool))
	s.hold.await(s, n)
}

// interrupt stops the running turn and waits until it has stopped.
func (s *session) interrupt() {
	s.Helper()
	if _, err := s.daemon.Session(s.id).Interrupt(s.Context()); err != nil {
		s.fail("interrupt: %v", err)
	}
	s.turn(protocol.TurnInterrupted)
	s.idle()
}

// works tries the next turn.
func (s *session) works() {
	s.Helper()
	s.send(s.agent.model.prompt(s, "Still there?", say("Still here.")))
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); got != "Still here." {
		s.fail("the answer is %q", got)
	}
	s.idle()
	s.whole()
}

// learns tells the agent a word; knows checks that it still has it: its own session has gone on.
func (s *session) learns() {
	s.Helper()
	s.send(s.agent.model.prompt(s, remember, say("I will.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
}

func (s *session) knows() {
	s.Helper()
	s.send(s.agent.model.recall(s))
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); got != recalled {
		s.fail("the agent's own session is lost: %q", got)
	}
	s.idle()
	s.settled()
	s.whole()
}

// end ends the session and waits for the end of its log.
func (s *session) end() {
	s.Helper()
	if _, err := s.daemon.Session(s.id).End(s.Context(), ""); err != nil {
		s.fail("end: %v", err)
	}
	s.until("the session's end", isType(protocol.TypeSessionEnd))
	s.whole()
}

// cancel takes a prompt out of the queue; move gives it another place, counted from 1.
func (s *session) cancel(prompt string) {
	s.Helper()
	if err := s.daemon.call(s.Context(), http.MethodDelete, "/sessions/"+s.id+"/prompts/"+prompt, nil, nil); err != nil {
		s.fail("cancel: %v", err)
	}
}

func (s *session) move(prompt string, to int) {
	s.Helper()
	if err := s.daemon.call(s.Context(), http.MethodPost, "/sessions/"+s.id+"/prompts/"+prompt+"/move", map[string]int{"position": to}, nil); err != nil {
		s.fail("move: %v", err)
	}
}

// policy gives a session a policy.
func policy(mode protocol.PolicyMode) setting {
	return with("policy", map[string]protocol.PolicyMode{"mode": mode})
}
