package live

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Rows that not every agent has.
const (
	rowAlways   = "approval: allow always"
	rowDenyStop = "approval: deny and stop"
	rowReads    = "policy: allow reads"
	rowQuestion = "question"
)

// What the agent asks.
var requestRows = []row{
	{name: "approval: allowed", run: allowed},
	{name: "approval: denied", more: true, run: denied},
	{name: rowAlways, run: always},
	{name: rowDenyStop, more: true, run: denyStop},
	{name: "approval: interrupted", more: true, run: interruptAsking},
	{name: "policy: allow all", more: true, run: policyAll},
	{name: "policy: deny all", more: true, run: policyNone},
	{name: rowReads, run: policyReads},
	{name: rowQuestion, run: asksUser},
}

// mark is a file in the session's folder that an allowed command makes, and a denied one does not.
func (w *world) mark() (file, command string) {
	file = string(newHold()) + ".made"
	return file, "touch " + file
}

// approval makes a session in which the agent asks before it runs command, and waits until it asks.
func (w *world) approval(command string) (*session, *protocol.RequestOpened) {
	w.Helper()
	s := w.create(w.agent.asking)
	return s, s.asksBefore(command)
}

func (s *session) asksBefore(command string) *protocol.RequestOpened {
	s.Helper()
	s.send(s.agent.model.prompt(s, "Make it.", use(s.agent.asked(command)), say("That is dealt with.")))
	return s.approvalOf(command)
}

func (s *session) approvalOf(command string) *protocol.RequestOpened {
	s.Helper()
	r := s.until("a request", isType(protocol.TypeRequestOpened)).Payload.(*protocol.RequestOpened)
	if r.Kind != protocol.RequestApproval || r.EntryID == "" || r.ToolName == "" || r.Title == "" ||
		r.ToolKind != protocol.ToolExecute || !strings.Contains(r.Subject, command) {
		s.fail("%+v", r)
	}
	s.until("the wait for an approval", inState(protocol.StateAwaitingApproval))
	return r
}

// resolve answers a request and checks that the answer stands, once.
func (s *session) resolve(r *protocol.RequestOpened, a resource.RequestAnswer) {
	s.Helper()
	if _, err := s.daemon.Session(s.id).Answer(s.Context(), r.RequestID, a); err != nil {
		s.fail("answer: %v", err)
	}
	if _, err := s.daemon.Session(s.id).Answer(s.Context(), r.RequestID, a); err == nil {
		s.fail("answered twice")
	}
	got := s.until("the request's end", isType(protocol.TypeRequestResolved)).Payload.(*protocol.RequestResolved)
	if got.RequestID != r.RequestID || got.Outcome != a.Outcome || got.Option != a.Option || !strings.HasPrefix(got.By, "client:") {
		s.fail("resolved as %+v, want %+v", got, a)
	}
}

func (s *session) exists(file string) bool {
	s.Helper()
	_, err := os.Stat(filepath.Join(s.cwd, file))
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
	return err == nil
}

// ran checks that the only tool call of the turn ran and made its file.
func (s *session) ran(file string) {
	s.Helper()
	if d := s.tool(); d.Status != protocol.ToolCompleted || !s.exists(file) {
		s.fail("allowed, and it did not run: %+v", d)
	}
}

// didNot checks that it did not.
func (s *session) didNot(file string) {
	s.Helper()
	if d := s.tool(); d.Status != protocol.ToolError || s.exists(file) {
		s.fail("denied, and it ran: %+v", d)
	}
}

func allowed(w *world) {
	file, command := w.mark()
	s, r := w.approval(command)
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	s.turn(protocol.TurnCompleted)
	s.idle()
	s.ran(file)
	if got := s.answer(); got != "That is dealt with." {
		s.fail("the answer is %q", got)
	}
	s.settled()
	s.whole()
}

func denied(w *world) {
	file, command := w.mark()
	s, r := w.approval(command)
	option := protocol.DenyContinue
	if w.agent.endsDenied {
		option = protocol.DenyStop
	}
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeDenied, Option: option})
	s.turn(protocol.TurnCompleted)
	s.didNot(file)
	if !w.agent.endsDenied && s.answer() != "That is dealt with." {
		s.fail("the answer is %q", s.answer())
	}
	s.works()
}

// always asks once for two calls of one command. It is a command that no other row uses: what is always allowed may be so for
// all sessions of the folder.
func always(w *world) {
	file := string(newHold()) + ".made"
	command := "mkdir " + file
	s, r := w.approval(command)
	if !protocol.HasOption(r.Options, protocol.AllowAlways) {
		s.fail("no %s: %+v", protocol.AllowAlways, r.Options)
	}
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways})
	s.turn(protocol.TurnCompleted)
	s.ran(file)
	s.idle()
	if err := os.Remove(filepath.Join(s.cwd, file)); err != nil {
		s.Fatal(err)
	}
	s.send(w.agent.model.prompt(w, "Again.", use(w.agent.asked(command)), say("Again it is.")))
	s.turn(protocol.TurnCompleted)
	s.ran(file)
	s.noRequests()
	s.settled()
	s.whole()
}

func (s *session) noRequests() {
	s.Helper()
	for i := range s.events[s.asked:] {
		if r, ok := s.events[s.asked+i].Payload.(*protocol.RequestOpened); ok {
			s.fail("asked: %+v", r)
		}
	}
}

func denyStop(w *world) {
	file, command := w.mark()
	s, r := w.approval(command)
	if !protocol.HasOption(r.Options, protocol.DenyStop) {
		s.fail("no %s: %+v", protocol.DenyStop, r.Options)
	}
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop})
	s.turn(w.agent.denyStop)
	s.didNot(file)
	if list := s.ends(protocol.EntryAssistantMessage); len(list) > 0 {
		s.fail("the model went on: %+v", list)
	}
	s.works()
}

// interruptAsking stops a turn that waits for an approval: the request is withdrawn.
func interruptAsking(w *world) {
	file, command := w.mark()
	s, r := w.approval(command)
	s.interrupt()
	s.didNot(file)
	for i := range s.events[s.asked:] {
		if got, ok := s.events[s.asked+i].Payload.(*protocol.RequestResolved); ok {
			if got.RequestID != r.RequestID || got.Outcome != protocol.OutcomeCancelled {
				s.fail("resolved: %+v", got)
			}
		}
	}
	s.settled()
	s.works()
}

// byPolicy checks that the newest turn's only request was answered by the policy.
func (s *session) byPolicy(want protocol.Outcome) {
	s.Helper()
	var got []*protocol.RequestResolved
	for i := range s.events[s.asked:] {
		if r, ok := s.events[s.asked+i].Payload.(*protocol.RequestResolved); ok {
			got = append(got, r)
		}
	}
	if len(got) != 1 || got[0].Outcome != want || got[0].By != "policy" {
		s.fail("resolved: %+v", got)
	}
}

func policyAll(w *world) {
	file, command := w.mark()
	s := w.create(w.agent.asking, policy(protocol.PolicyAllowAll))
	s.send(w.agent.model.prompt(w, "Make it.", use(w.agent.asked(command)), say("Done.")))
	s.turn(protocol.TurnCompleted)
	s.ran(file)
	s.byPolicy(protocol.OutcomeAllowed)
	s.settled()
	s.whole()
}

func policyNone(w *world) {
	file, command := w.mark()
	s := w.create(w.agent.asking, policy(protocol.PolicyDenyAll))
	s.send(w.agent.model.prompt(w, "Make it.", use(w.agent.asked(command)), say("Done.")))
	s.turn(protocol.TurnCompleted)
	s.didNot(file)
	s.byPolicy(protocol.OutcomeDenied)
	s.works()
}

// policyReads lets the agent read by itself, and asks before a command.
func policyReads(w *world) {
	s := w.create(w.agent.asking, policy(protocol.PolicyAllowReads))
	notes := filepath.Join(s.cwd, string(w.hold)+".notes")
	if w.agent.readsOutside {
		notes = filepath.Join(w.daemon.root, string(w.hold)+".notes")
	}
	if err := os.WriteFile(notes, []byte("a note about herons\n"), 0o644); err != nil {
		w.Fatal(err)
	}
	s.send(w.agent.model.prompt(w, "Read.", use(w.agent.read(notes)), say("Read.")))
	s.turn(protocol.TurnCompleted)
	if d := s.tool(); d.Status != protocol.ToolCompleted || !strings.Contains(d.Output, "a note about herons") {
		s.fail("%+v", d)
	}
	s.byPolicy(protocol.OutcomeAllowed)
	s.idle()
	file, command := w.mark()
	r := s.asksBefore(command)
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	s.turn(protocol.TurnCompleted)
	s.ran(file)
	s.settled()
	s.whole()
}

func asksUser(w *world) {
	s := w.create(w.agent.asking)
	s.send(w.agent.model.prompt(w, "Bake a cake.",
		use(w.agent.ask("Which flavour should the cake have?", "Lemon", "Chocolate")), say("Thank you, noted.")))
	r := s.until("a request", isType(protocol.TypeRequestOpened)).Payload.(*protocol.RequestOpened)
	if r.Kind != protocol.RequestQuestion || len(r.Questions) != 1 || !strings.Contains(r.Questions[0].Text, "Which flavour") ||
		len(r.Questions[0].Options) < 2 {
		s.fail("%+v", r)
	}
	s.until("the wait for an answer", inState(protocol.StateAwaitingInput))
	chosen := r.Questions[0].Options[1]
	if chosen.ID != "Chocolate" && chosen.Label != "Chocolate" {
		s.fail("the options are %+v", r.Questions[0].Options)
	}
	s.resolve(r, resource.RequestAnswer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{chosen.ID}}})
	s.turn(protocol.TurnCompleted)
	s.idle()
	if got := s.answer(); got != "Thank you, noted." {
		s.fail("the answer is %q", got)
	}
	if list := s.ends(protocol.EntryToolCall); len(list) > 0 { // not every agent shows a question as a tool call
		if d := list[0].Data.(*protocol.ToolCallData); d.Status != protocol.ToolCompleted || !strings.Contains(d.Output, "Chocolate") {
			s.fail("the agent did not hear the answer: %+v", d)
		}
	}
	s.settled()
	s.whole()
}
