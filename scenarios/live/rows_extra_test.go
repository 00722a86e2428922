package live

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const (
	rowModel  = "model switch"
	rowImages = "images"
	rowHelper = "sub-agent"
	rowAsking = "sub-agent asks, shown at the root"
	rowOwn    = "the agent's own session, listed and gone on with"
	rowInside = "variables of a session, none of which another gets"
)

// What some agents do besides.
var extraRows = []row{
	{name: rowModel, run: modelSwitch},
	{name: rowImages, run: images},
	{name: rowHelper, run: subAgent},
	{name: rowAsking, run: subAgentAsks},
	{name: rowOwn, alone: true, run: ownSession},
	{name: rowInside, more: true, run: insideVariables},
}

func modelSwitch(w *world) {
	s := w.create(w.agent.free)
	s.send(w.agent.model.prompt(w, "Who are you?", reply{{self: true}}))
	s.turn(protocol.TurnCompleted)
	first := s.answer()
	s.idle()
	if strings.Contains(first, w.agent.otherCalled) || !strings.HasPrefix(first, "I am ") {
		s.fail("the first model says %q", first)
	}
	var offered struct {
		Known  bool
		Models []struct{ ID string }
	}
	if err := w.daemon.call(w.Context(), http.MethodGet, "/sessions/"+s.id+"/models", nil, &offered); err != nil || !offered.Known {
		s.fail("models: %+v %v", offered, err)
	}
	if !slices.ContainsFunc(offered.Models, func(m struct{ ID string }) bool { return m.ID == w.agent.otherModel }) {
		s.fail("%s is not offered: %+v", w.agent.otherModel, offered.Models)
	}
	var answer struct{ Applied string }
	if err := w.daemon.call(w.Context(), http.MethodPost, "/sessions/"+s.id+"/model", map[string]string{"model": w.agent.otherModel}, &answer); err != nil {
		s.fail("model: %v", err)
	}
	if answer.Applied != "now" && answer.Applied != "next_turn" {
		s.fail("applied: %+v", answer)
	}
	s.send(w.agent.model.prompt(w, "And now?", reply{{self: true}}))
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); !strings.HasPrefix(got, "I am "+w.agent.otherCalled) {
		s.fail("the second model says %q", got)
	}
	s.idle()
	detail, err := w.daemon.Session(s.id).Show(w.Context())
	if err != nil || !strings.Contains(detail.Model, w.agent.otherCalled) && detail.Model != w.agent.otherModel {
		s.fail("the session's model is %q (%v)", detail.Model, err)
	}
	s.settled()
	s.whole()
}

// images sends a picture: the session shows it, and the model gets it where the model can tell.
func images(w *world) {
	s := w.create(w.agent.free)
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewRGBA(image.Rect(0, 0, 64, 64))); err != nil {
		w.Fatal(err)
	}
	s.sendAs(resource.NewPrompt{
		Text: w.agent.model.picture(w), Images: []resource.PromptImage{{MediaType: "image/png", Data: dot.Bytes()}},
	})
	s.turn(protocol.TurnCompleted)
	said := s.ends(protocol.EntryUserMessage)
	if len(said) != 1 {
		s.fail("the user's messages: %+v", said)
	}
	switch d := said[0].Data.(*protocol.MessageData); {
	case strings.Contains(d.Text, "[Image omitted"):
		w.skip("this " + w.agent.name + " is installed without what it needs to send pictures, and says so to the model")
	case len(d.Images) != 1:
		s.fail("the user's message: %+v", d)
	}
	if got := s.answer(); got != seen {
		s.fail("the answer is %q", got)
	}
	s.idle()
	s.settled()
	s.whole()
}

// withHelper makes the model start a sub-agent that does what its own script says.
func (s *session) withHelper(replies ...reply) *session {
	s.Helper()
	job := s.agent.model.job(s, "Count to three for me.", replies...)
	script := []reply{use(s.agent.helper(job))}
	if s.agent.await != nil {
		script = append(script, use(s.agent.await()))
	}
	s.send(s.agent.model.prompt(s, "Ask a helper.", append(script, say("My helper has counted."))...))
	born := s.until("a sub-agent", isType(protocol.TypeChildSession)).Payload.(*protocol.ChildSession)
	return s.open(born.ChildSessionID)
}

func subAgent(w *world) {
	s := w.create(w.agent.free, w.agent.helpful)
	child := s.withHelper(use(w.agent.within("echo one two three", false)), say("One, two, three."))
	s.turn(protocol.TurnCompleted)
	if got := s.answer(); got != "My helper has counted." {
		s.fail("the answer is %q", got)
	}
	s.idle()
	child.turn(protocol.TurnCompleted)
	if d := child.tool(); d.Status != protocol.ToolCompleted || !strings.Contains(d.Output, "one two three") {
		child.fail("%+v", d)
	}
	if got := child.answer(); got != "One, two, three." {
		child.fail("the sub-agent's answer is %q", got)
	}
	if start := child.events[0].Payload.(*protocol.SessionStart); start.Metadata.ParentSessionID != s.id || start.AgentBackend != w.agent.name {
		child.fail("%+v", start)
	}
	for _, e := range s.ends(protocol.EntryToolCall) {
		if strings.Contains(e.Data.(*protocol.ToolCallData).Command, "echo one two three") {
			s.fail("the sub-agent's command is in the root's log: %+v", e)
		}
	}
	s.settled()
	s.works()
}

// subAgentAsks answers a sub-agent's request where it is shown at the root.
func subAgentAsks(w *world) {
	s := w.create(w.agent.asking, w.agent.helpful)
	file, command := w.mark()
	child := s.withHelper(use(w.agent.within(command, true)), say("One, two, three."))
	r := s.until("the sub-agent's request", isType(protocol.TypeRequestOpened)).Payload.(*protocol.RequestOpened)
	if r.SessionID != child.id || r.Kind != protocol.RequestApproval || !strings.Contains(r.Subject, command) {
		s.fail("%+v, want one of %s", r, child.id)
	}
	s.until("the wait for an approval", inState(protocol.StateAwaitingApproval))
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	s.turn(protocol.TurnCompleted)
	child.turn(protocol.TurnCompleted)
	child.cwd = s.cwd
	child.ran(file)
	s.settled()
	s.works()
}
