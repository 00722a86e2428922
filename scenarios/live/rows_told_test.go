package live

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// victim is a session whose agent is killed at one moment of a turn, and everybody who wants to know what became of it.
type victim struct {
	*session
	moment string
	text   string // of the prompt
	part   int    // bytes of text that its turn has written, at least
	prompt string // id
	task   string // id
	hosts  []*host
	calls  []*pending // begun before the kill
}

// pending is a call that waits.
type pending struct {
	name string
	done chan struct{} // closed when it is answered
	result
	err error
}

// lossTold kills the agents of three sessions: one writes, one runs a tool, one waits for an approval. Every channel of both eras says the
// same of their turns: that they have failed. The sessions go on, and every channel says that their next turns are completed.
func lossTold(w *world) {
	const length = 250
	long := words(length)
	_, command := w.mark()
	text := w.victim("in text", w.agent.near())
	tool := w.victim("in a tool", w.agent.near())
	asks := w.victim("waiting for an approval", w.agent.asking)
	victims := []*victim{text, tool, asks}
	tool.learns()
	asks.begin(use(w.agent.asked(command)), say("That is dealt with."))
	tool.begin(use(w.agent.run(w.hold.pair())), say("It has run."))
	text.begin(halfway(length))
	asks.approvalOf(command)
	tool.until("a running tool", inState(protocol.StateRunningTool))
	w.hold.await(w, 2)
	text.halfWritten(long)
	text.part = len(long) / 2

	family := w.daemon.family(w)
	w.daemon.killAgents(w.T)
	answers := 0
	for _, v := range victims {
		v.lostTurn()
		v.idle()
		answers += v.hears()
	}
	wantNone(w, family, w.hold)
	const answer = "Still here."
	answers += text.goesOn(w.agent.model.prompt(w, "Still there?", say(answer)), answer)
	answers += tool.goesOn(w.agent.model.recall(w), recalled)
	answers += asks.goesOn(w.agent.model.prompt(w, "Still there?", say(answer)), answer)
	w.Logf("%d answers, and %d hosts that were told", answers, len(text.hosts)*len(victims))
}

// victim makes a session and connects its hosts.
func (w *world) victim(moment string, set setting) *victim {
	w.Helper()
	s := w.create(set)
	return &victim{session: s, moment: moment, hosts: s.hosts()}
}

// key is that of a prompt: who sends it again waits for the same one.
func (v *victim) key(text string) string { return v.id + " " + text[:min(len(text), 20)] }

// begin sends a prompt as a host does, and has everybody wait for it.
func (v *victim) begin(replies ...reply) {
	v.Helper()
	v.asked, v.text = len(v.events), v.agent.model.prompt(v, "Work.", replies...)
	v.waits("session_message that sends it", func() (result, error) { return v.hosts[0].message(v.text, v.key(v.text)) })
	for v.prompt == "" {
		if turn := v.until("the turn", isType(protocol.TypeTurnStart)).Payload.(*protocol.TurnStart); turn.Prompt != nil {
			v.prompt = turn.Prompt.PromptID
		}
	}
	for name, ask := range v.questions(v.text, v.prompt) {
		v.waits(name, ask)
	}
	k, err := v.beginTask(v.text, v.key(v.text))
	if err != nil || k.Status != "working" || k.TaskID != v.id+"."+v.prompt {
		v.fail("%s: the task is %+v: %v", v.moment, k, err)
	}
	v.task = k.TaskID
}

func (v *victim) waits(name string, ask func() (result, error)) {
	c := &pending{name: name + ", before", done: make(chan struct{})}
	v.calls = append(v.calls, c)
	go func() { // ends with the row
		defer close(c.done)
		c.result, c.err = ask()
	}()
}

// questions are all calls of both eras that wait for the newest turn.
func (v *victim) questions(text, prompt string) map[string]func() (result, error) {
	all := map[string]func() (result, error){}
	for _, h := range v.hosts {
		all["session_message of "+h.revision] = func() (result, error) { return h.message(text, v.key(text)) }
		all["session_join of the prompt of "+h.revision] = func() (result, error) { return h.join(prompt) }
		all["session_join of "+h.revision] = func() (result, error) { return h.join("") }
	}
	return all
}

// hears checks what everybody is told of the lost turn, and says how many answers that were.
func (v *victim) hears() (answers int) {
	v.Helper()
	o := v.newest()
	if o.Want != protocol.ItemFailed || o.Cause != protocol.CauseLost || o.PromptID != v.prompt {
		v.fail("%s: the turn came to %+v", v.moment, o)
	}
	for _, c := range v.calls {
		<-c.done
		if c.err == nil && c.Outcome == "waiting" && v.hasAsked() {
			continue // it was told of the request
		}
		v.says(o, c.name, c.result, c.err, "")
		answers++
	}
	return answers + v.askAll(o, v.text, v.task, "")
}

// hasAsked says that the turn waited for an answer.
func (v *victim) hasAsked() bool {
	return slices.ContainsFunc(v.events[v.asked:], func(e protocol.Event) bool { return e.Payload.Type() == protocol.TypeRequestOpened })
}

// newest is what became of the newest turn.
func (v *victim) newest() audit.Outcome {
	v.Helper()
	all := audit.Outcomes(v.events)
	if len(all) == 0 || !all[len(all)-1].Newest {
		v.fail("%s: the turn has not ended", v.moment)
	}
	return all[len(all)-1]
}

// askAll asks everybody anew what became of the newest turn. Where it is completed, it has this answer.
func (v *victim) askAll(o audit.Outcome, text, id, answer string) (answers int) {
	v.Helper()
	questions := v.questions(text, o.PromptID)
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		r, err := questions[name]()
		v.says(o, name, r, err, answer)
	}
	k, err := v.getTask(id)
	if err == nil {
		err = o.Task(k.Status, k.Result != nil && k.Result.IsError)
	}
	if err != nil || (k.Error != nil) != (k.Status == "failed") || k.Result != nil && k.Result.StructuredContent.Text != answer {
		v.fail("%s: the task is %+v: %v", v.moment, k, err)
	}
	return len(questions) + 1
}

// says checks one answer.
func (v *victim) says(o audit.Outcome, name string, r result, err error, answer string) {
	v.Helper()
	err = cmp.Or(err, o.Result(r.Outcome, r.Error))
	switch {
	case err != nil:
	case answer != "" && r.Text != answer:
		err = fmt.Errorf("the answer is %q", r.Text)
	case o.Cause == protocol.CauseLost && !strings.Contains(r.Error, "killed"):
		err = fmt.Errorf("it does not say why: %q", r.Error)
	}
	if err != nil {
		v.fail("%s: %s: %v", v.moment, name, err)
	}
}

// goesOn sends the next prompt, as a task, asks everybody of it, and holds what the hosts were told from the beginning against the log.
func (v *victim) goesOn(text, answer string) (answers int) {
	v.Helper()
	v.asked = len(v.events)
	k, err := v.beginTask(text, v.key(text))
	if err != nil {
		v.fail("%s: %v", v.moment, err)
	}
	v.turn(protocol.TurnCompleted)
	v.idle()
	v.settled()
	v.whole()
	answers = v.askAll(v.newest(), text, k.TaskID, answer)
	for name, list := range v.told(v.hosts) {
		if v.part > 0 && !slices.ContainsFunc(list, func(it protocol.SessionEvent) bool {
			return it.Type == protocol.ItemMessage && it.PromptID == v.prompt && len(it.Text) >= v.part
		}) {
			v.fail("%s: %s: what was written of it is not there: %+v", v.moment, name, list)
		}
	}
	return answers
}

// told holds everything that hosts were told, pushed and polled, against the log as far as it was read here: of each turn that has ended what
// became of it and nothing else, and for no other reason a completion. It gives the items, by channel.
func (s *session) told(hosts []*host) map[string][]protocol.SessionEvent {
	s.Helper()
	log := append(bytes.Join(s.seen, []byte("\n")), '\n')
	channels := map[string][]protocol.SessionEvent{}
	for _, h := range hosts {
		pushed, answered, lines, err := h.heard(s.lastPush(), len(log))
		if err == nil && !bytes.HasPrefix(lines, log) {
			err = fmt.Errorf("it read another log when it was woken:\n%s", lines)
		}
		polled, broken := h.poll()
		if err = cmp.Or(err, broken); err != nil {
			s.fail("%s: %v", h.revision, err)
		}
		channels["pushed, "+h.revision], channels["polled, "+h.revision] = pushed, polled
		if h.modern() {
			channels["followed, "+h.revision] = answered
		}
	}
	for name, list := range channels {
		completed := 0
		for _, o := range audit.Outcomes(s.events) {
			if err := o.Items(list); err != nil {
				s.fail("%s: %v: %+v", name, err, list)
			}
			if o.Want != protocol.ItemFailed {
				completed++
			}
		}
		for _, it := range list {
			if it.Type == protocol.ItemCompletion {
				completed--
			}
		}
		if completed != 0 {
			s.fail("%s: %d completions are missing: %+v", name, completed, list)
		}
	}
	return channels
}

// lastPush is the seq of the last event that is pushed.
func (s *session) lastPush() (seq uint64) {
	view := protocol.NewPush(s.id)
	for i := range s.events {
		if it, ok := view.Item(&s.events[i]); ok {
			seq = it.Seq
		}
	}
	return seq
}
