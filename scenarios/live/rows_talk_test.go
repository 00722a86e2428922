package live

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What every agent does in every session.
var talkRows = []row{
	{name: "text", run: text},
	{name: "tool", run: tool},
	{name: "steer in a tool", run: steer},
	{name: "steer in text", more: true, run: steerText},
	{name: "follow-up", run: followUp},
	{name: "queue: move and cancel", run: queue},
	{name: "interrupt in text", more: true, run: interruptText},
	{name: "interrupt in a tool", run: interruptTool},
	{name: "interrupt in a tool, by the processes", alone: true, run: interruptProcesses},
	{name: "provider error", run: providerError},
}

func text(w *world) {
	s := w.create(w.agent.free)
	prompt := w.agent.model.prompt(w, "Say hello.", say("Hello, here I am, and listening."))
	s.send(prompt)
	s.turn(protocol.TurnCompleted)
	s.idle()
	if said, _ := s.said(); len(said) != 1 || said[0] != prompt {
		s.fail("the user said %q", said)
	}
	list := s.ends(protocol.EntryAssistantMessage)
	if len(list) != 1 || list[0].Data.(*protocol.MessageData).Text != "Hello, here I am, and listening." || list[0].Incomplete {
		s.fail("%+v", list)
	}
	var streamed strings.Builder
	var used, native, persistent bool
	for _, e := range s.events {
		switch p := e.Payload.(type) {
		case *protocol.EntryDelta:
			if d, ok := p.Delta.(*protocol.TextAppend); ok && p.EntryID == list[0].EntryID {
				streamed.WriteString(d.Text)
			}
		case *protocol.TokenUsage:
			used = used || p.Usage.InputTokens > 0 && p.Usage.OutputTokens > 0
		case *protocol.SessionMeta:
			native = native || p.NativeSessionID != nil && *p.NativeSessionID != ""
		case *protocol.EntryStart:
			persistent = persistent || p.EntryID == list[0].EntryID && p.PersistentID != ""
		case *protocol.EntryEnd:
			persistent = persistent || p.EntryID == list[0].EntryID && p.PersistentID != ""
		case *protocol.EntryMeta:
			persistent = persistent || p.EntryID == list[0].EntryID
		default:
		}
	}
	if got := streamed.String(); got != "Hello, here I am, and listening." {
		s.fail("the deltas are %q", got)
	}
	if w.agent.usage && !used {
		s.fail("no tokens were told")
	}
	if !native {
		s.fail("the agent's own session id was not told")
	}
	if !persistent && w.agent.persistent && !w.old() {
		s.until("the answer's own id", func(e *protocol.Event) bool {
			m, ok := e.Payload.(*protocol.EntryMeta)
			return ok && m.EntryID == list[0].EntryID && m.PersistentID != ""
		})
	}
	s.states(protocol.StateResponding, protocol.StateIdle)
	s.settled()
	s.whole()
}

func tool(w *world) {
	s := w.create(w.agent.free)
	s.send(w.agent.model.prompt(w, "Run it.", append(say("I run it."), use(w.agent.run("echo from the tool"))...), say("It has run.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	d := s.tool()
	if d.Status != protocol.ToolCompleted || !strings.Contains(d.Output, "from the tool") || !strings.Contains(d.Command, "echo from the tool") {
		s.fail("%+v", d)
	}
	if w.agent.exitCodes && !w.old() && (d.ExitCode == nil || *d.ExitCode != 0) {
		s.fail("no exit code: %+v", d)
	}
	if got := s.answer(); got != "It has run." {
		s.fail("the answer is %q", got)
	}
	s.states(protocol.StateResponding, protocol.StateRunningTool, protocol.StateResponding, protocol.StateIdle)
	s.settled()
	s.whole()
}

// steer sends a prompt into a turn whose tool waits for it.
func steer(w *world) {
	s := w.create(w.agent.free)
	go1 := w.signal()
	s.send(w.agent.model.prompt(w, "Work.", use(w.agent.run(go1.wait())), say("Left it is.")))
	s.until("a running tool", inState(protocol.StateRunningTool))
	s.steer(w.agent.model.also(w, "Look left.", say("Left it is.")))
	go1.give(w)
	s.turn(protocol.TurnCompleted)
	s.idle()
	said, turns := s.said()
	if len(said) != 2 || !strings.HasPrefix(said[1], "Look left.") || turns[0] != turns[1] {
		s.fail("the user said %q in the turns %q", said, turns)
	}
	if got := s.answer(); got != "Left it is." {
		s.fail("the answer is %q", got)
	}
	s.settled()
	s.whole()
}

// steerText sends a prompt while the agent writes. Whether it throws its text away, or takes the prompt up when it is done, is
// its own way: the prompt is not lost.
func steerText(w *world) {
	s := w.create(w.agent.free)
	s.send(w.agent.model.prompt(w, "Write.", reply{{slow: 80}}, say("Left it is.")))
	s.inText()
	s.steer(w.agent.model.also(w, "Look left.", say("Left it is.")))
	s.until("the answer", func(e *protocol.Event) bool {
		end, ok := e.Payload.(*protocol.EntryEnd)
		if !ok || end.EntryType != protocol.EntryAssistantMessage {
			return false
		}
		return end.Data.(*protocol.MessageData).Text == "Left it is."
	})
	s.turn(protocol.TurnCompleted)
	s.idle()
	if said, _ := s.said(); len(said) != 2 || !strings.HasPrefix(said[1], "Look left.") {
		s.fail("the user said %q", said)
	}
	s.settled()
	s.works()
}

func followUp(w *world) {
	s := w.create(w.agent.free)
	go1 := w.signal()
	s.send(w.agent.model.prompt(w, "Work.", use(w.agent.run(go1.wait())), say("First.")))
	s.until("a running tool", inState(protocol.StateRunningTool))
	asked := s.asked
	s.send(w.agent.model.prompt(w, "And then this.", say("Second.")))
	s.asked = asked
	go1.give(w)
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); got != "First." {
		s.fail("the first answer is %q", got)
	}
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); got != "Second." {
		s.fail("the second answer is %q", got)
	}
	s.idle()
	said, turns := s.said()
	if len(said) != 2 || turns[0] == turns[1] {
		s.fail("the user said %q in the turns %q", said, turns)
	}
	s.settled()
	s.whole()
}

// queue lets three prompts wait, takes one out and moves the last before the first.
func queue(w *world) {
	s := w.create(w.agent.free)
	go1 := w.signal()
	s.send(w.agent.model.prompt(w, "Work.", use(w.agent.run(go1.wait())), say("Worked.")))
	s.until("a running tool", inState(protocol.StateRunningTool))
	asked := s.asked
	s.send(w.agent.model.prompt(w, "One.", say("One it is.")))
	two := s.send(w.agent.model.prompt(w, "Two.", say("Two it is.")))
	three := s.send(w.agent.model.prompt(w, "Three.", say("Three it is.")))
	s.asked = asked
	s.cancel(two.PromptID)
	s.move(three.PromptID, 1)
	go1.give(w)
	for _, want := range []string{"Worked.", "Three it is.", "One it is."} {
		s.turn(protocol.TurnCompleted)
		if got := s.answer(); got != want {
			s.fail("the answer is %q, want %q", got, want)
		}
	}
	s.idle()
	if said, _ := s.said(); len(said) != 3 {
		s.fail("the user said %q", said)
	}
	s.settled()
	s.whole()
}

func interruptText(w *world) {
	s := w.create(w.agent.free)
	s.send(w.agent.model.prompt(w, "Write.", slowly()))
	s.inText()
	s.interrupt()
	if list := s.ends(protocol.EntryAssistantMessage); len(list) != 1 || list[0].Data.(*protocol.MessageData).Text == "" {
		s.fail("the interrupted text is %+v", list)
	}
	s.works()
}

func interruptTool(w *world) {
	s := w.create(w.agent.free)
	s.inTool(w.hold.plain(), 1)
	s.interrupt()
	s.works()
	s.end()
	w.hold.gone(w) // a server that goes on may take a moment for it
}

// interruptProcesses looks at the process table after an interrupt: nothing of the turn's command is left, not even what it has put beside itself, while what an
// earlier turn has begun and left behind runs on.
func interruptProcesses(w *world) {
	s := w.create(w.agent.loose())
	earlier := newHold()
	s.send(w.agent.model.prompt(w, "Begin it.", use(w.agent.run("setsid "+earlier.plain()+" </dev/null >/dev/null 2>&1 &")), say("It runs.")))
	s.turn(protocol.TurnCompleted)
	s.idle()
	earlier.await(w, 1)
	twice := `(env -i "PATH=$PATH" setsid sh -c '` + strings.ReplaceAll(w.hold.plain(), "'", `"`) + ` & exit' </dev/null >/dev/null 2>&1 &)` + "\n"
	s.inTool(twice+w.hold.pair(), 3)
	s.interrupt()
	w.hold.gone(w)
	earlier.await(w, 1)
	s.works()
	family := w.daemon.family(w)
	s.end()
	w.daemon.wantNobody(w, family, w.hold, earlier)
}

func providerError(w *world) {
	s := w.create(w.agent.free)
	bad := failing(400) // some try again, in another way
	s.send(w.agent.model.prompt(w, "Try.", bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad))
	end := s.turn(protocol.TurnError)
	if !strings.Contains(end.Error, "the model refuses") {
		s.fail("the reason is %+v", end)
	}
	s.works()
}
