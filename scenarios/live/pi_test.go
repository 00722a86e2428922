package live

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// script is a prompt that brings its own model: reply i answers the request that follows i assistant messages.
func script(text, replies string) string { return text + "\n```fakellm\n" + replies + "\n```" }

const longText = `[{"steps":[{"gen":{"words":4000,"seed":1},"delay_ms":20}]}]`

func bash(command string) string {
	return fmt.Sprintf(`{"steps":[{"text":"Working."},{"tool":{"id":"call_1","name":"bash","args":{"command":%q}}}]}`, command)
}

func running(e *protocol.Event) bool {
	st, ok := e.Payload.(*protocol.Status)
	return ok && st.State == protocol.StateRunningTool
}

// midTurn are the moments at which something goes wrong.
var midTurn = map[string]struct {
	prompt string
	when   func(*protocol.Event) bool
}{
	"in text":   {script("Write.", longText), isType(protocol.TypeEntryDelta)},
	"in a tool": {script("Run.", "["+bash("sleep 300")+"]"), running},
}

func TestPiText(t *testing.T) {
	s := newDaemon(t).create("pi")
	s.send("Say hello.", "")
	s.wantTurn(protocol.TurnCompleted)
	s.idle()
	texts := s.entries(protocol.EntryAssistantMessage)
	if len(texts) != 1 || !strings.Contains(texts[0].Data.(*protocol.MessageData).Text, "Say hello.") {
		t.Errorf("%+v", texts)
	}
	if s.old() { // it tells no ids over RPC
		s.whole()
		return
	}
	s.until("the answer's persistent id", func(e *protocol.Event) bool {
		m, ok := e.Payload.(*protocol.EntryMeta)
		return ok && len(texts) > 0 && m.EntryID == texts[0].EntryID && len(m.PersistentID) == 8
	})
	s.whole()
}

func TestPiTool(t *testing.T) {
	s := newDaemon(t).create("pi")
	s.send(script("Run it.", "["+bash("echo from the tool")+`,{"text":"Done."}]`), "")
	s.wantTurn(protocol.TurnCompleted)
	tools := s.entries(protocol.EntryToolCall)
	if len(tools) != 1 {
		t.Fatalf("%d tool calls", len(tools))
	}
	d := tools[0].Data.(*protocol.ToolCallData)
	if d.Status != protocol.ToolCompleted || d.Output != "from the tool\n" ||
		!s.old() && (d.ExitCode == nil || *d.ExitCode != 0) {
		t.Errorf("%+v", d)
	}
	s.whole()
}

func TestPiApproval(t *testing.T) {
	for name, c := range map[string]struct {
		outcome protocol.Outcome
		status  protocol.ToolStatus
	}{
		"allowed": {protocol.OutcomeAllowed, protocol.ToolCompleted},
		"denied":  {protocol.OutcomeDenied, protocol.ToolError},
	} {
		t.Run(name, func(t *testing.T) {
			needExtension(t)
			s := newDaemon(t).create("pi")
			s.send(script("Run it.", "["+bash("echo allowed")+`,{"text":"Done."}]`), "")
			r := s.until("a request", isType(protocol.TypeRequestOpened)).Payload.(*protocol.RequestOpened)
			if r.Kind != protocol.RequestApproval || r.EntryID == "" || r.ToolName != "bash" {
				t.Errorf("%+v", r)
			}
			if _, err := s.Answer(t.Context(), s.id, r.RequestID, client.Answer{Outcome: c.outcome}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Answer(t.Context(), s.id, r.RequestID, client.Answer{Outcome: c.outcome}); err == nil {
				t.Error("answered twice")
			}
			s.wantTurn(protocol.TurnCompleted)
			if d := s.entries(protocol.EntryToolCall)[0].Data.(*protocol.ToolCallData); d.Status != c.status {
				t.Errorf("%+v", d)
			}
			s.whole()
		})
	}
}

func TestPiSteer(t *testing.T) {
	s := newDaemon(t).create("pi")
	s.send(script("Work.", "["+bash("sleep 1; echo slept")+`,{"text":"Done."}]`), "")
	s.until("a running tool", running)
	s.send("Look left.", protocol.Steer)
	s.wantTurn(protocol.TurnCompleted)
	said := s.entries(protocol.EntryUserMessage)
	if len(said) != 2 || said[1].Data.(*protocol.MessageData).Text != "Look left." || said[0].TurnID != said[1].TurnID {
		t.Errorf("%+v", said)
	}
	s.whole()
}

func TestPiFollowUp(t *testing.T) {
	s := newDaemon(t).create("pi")
	s.send(script("Work.", "["+bash("sleep 1; echo slept")+`,{"text":"Done."}]`), "")
	s.until("a running tool", running)
	s.send("And then this.", protocol.FollowUp)
	s.wantTurn(protocol.TurnCompleted)
	s.wantTurn(protocol.TurnCompleted)
	said := s.entries(protocol.EntryUserMessage)
	if len(said) != 2 || said[0].TurnID == said[1].TurnID {
		t.Errorf("%+v", said)
	}
	s.whole()
}

func TestPiInterrupt(t *testing.T) {
	for name, c := range midTurn {
		t.Run(name, func(t *testing.T) {
			s := newDaemon(t).create("pi")
			s.send(c.prompt, "")
			s.until(name, c.when)
			if _, err := s.Interrupt(t.Context(), s.id); err != nil {
				t.Fatal(err)
			}
			s.wantTurn(protocol.TurnInterrupted)
			s.send("Still there?", "")
			s.wantTurn(protocol.TurnCompleted)
			s.whole()
		})
	}
}

// TestPiKilled kills Pi itself, in mid text and in mid tool: the turn ends with an error, Pi is started again and goes on with its
// session.
func TestPiKilled(t *testing.T) {
	for name, c := range midTurn {
		t.Run(name, func(t *testing.T) {
			s := newDaemon(t).create("pi")
			s.send("Remember the word larch.", "")
			s.wantTurn(protocol.TurnCompleted)
			s.send(c.prompt, "")
			s.until(name, c.when)
			s.killAgents()
			s.wantTurn(protocol.TurnError)
			s.idle()
			s.send("Go on.", "")
			s.wantTurn(protocol.TurnCompleted)
			if open := s.audit.Settled(); open != nil {
				t.Error(open)
			}
			s.whole()
		})
	}
}

func TestDaemonKilledInMidTurn(t *testing.T) {
	for name, c := range midTurn {
		t.Run(name, func(t *testing.T) {
			s := newDaemon(t).create("pi")
			s.send(c.prompt, "")
			s.until(name, c.when)
			s.kill()
			s.start()
			if end := s.wantTurn(protocol.TurnInterrupted); end.Error != "daemon restarted" {
				t.Errorf("%+v", end)
			}
			s.idle()
			s.send("Go on.", "")
			s.wantTurn(protocol.TurnCompleted)
			s.whole()
		})
	}
}

func TestDaemonEndedInMidTurn(t *testing.T) {
	s := newDaemon(t).create("pi")
	s.send(script("Run.", "["+bash("sleep 300")+"]"), "")
	s.until("a running tool", running)
	s.stop()
	if left := s.left(); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	s.start()
	s.wantTurn(protocol.TurnInterrupted)
	s.send("Go on.", "")
	s.wantTurn(protocol.TurnCompleted)
	s.whole()
}

func TestPiEnd(t *testing.T) {
	s := newDaemon(t).create("pi")
	s.send(script("Run.", "["+bash("sleep 300")+"]"), "")
	s.until("a running tool", running)
	if _, _, err := s.End(t.Context(), s.id, ""); err != nil {
		t.Fatal(err)
	}
	s.until("the session's end", isType(protocol.TypeSessionEnd))
	if left := s.left(); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	s.whole()
}

// old says that it is a Pi of before 1.0, which tells less.
func (s *session) old() bool {
	s.t.Helper()
	list, _, err := s.Agents(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, a := range list {
		if a.Name == "pi" {
			return strings.HasPrefix(a.Version, "0.")
		}
	}
	s.t.Fatal("the daemon knows no Pi")
	return false
}

// killAgents kills Pi, and nothing of what it started.
func (s *session) killAgents() {
	s.t.Helper()
	killed := 0
	for _, p := range s.processes() {
		if p.parent == s.cmd.Process.Pid { // what Pi started is its own child, or nobody's
			if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
				s.t.Fatal(err)
			}
			killed++
		}
	}
	if killed == 0 {
		s.t.Fatal("no agent runs")
	}
}
