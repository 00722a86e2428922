package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Start starts the thread, or goes on with it. A sub-agent's thread is there already.
func (t *Translator) Start(out *adapters.Output) {
	switch {
	case t.spec.Child:
		t.ready(out)
	case t.spec.Resume && t.spec.NativeSessionID != "":
		t.joining = true
		t.history.resume(t.spec.NativeSessionID, &t.link, out)
	default:
		t.start(out)
	}
}

// started takes the answer to thread/start.
func (t *Translator) started(a *asking, result []byte, problem string, out *adapters.Output) {
	if problem != "" {
		notJoined(a, "thread_start_failed", problem, out)
		return
	}
	t.joining = false
	t.opened(result, out)
	t.usage.known = true
	t.ready(out)
	if t.spec.Mode == planMode && !t.settings.planning && a.mine { // a thread cannot be started in it
		t.settings.setMode(adapters.SetMode{Mode: planMode}, &t.link, out)
	}
	if t.link.rejoining { // in the place of a thread that never had a turn, or was lost
		thread := t.link.thread
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{NativeSessionID: &thread}})
		t.settle(out)
	} else {
		t.offer.ask(&t.link, out)
	}
	t.free(out)
}

func notJoined(a *asking, kind, problem string, out *adapters.Output) {
	if a.mine {
		out.Draft(adapters.Notice{Level: "error", Kind: kind, Text: problem})
	}
}

// noRollout is how a refusal begins of a thread that never had a turn: it cannot be resumed, and has nothing to lose.
const noRollout = "no rollout found"

// resumed takes the answer to thread/resume.
func (t *Translator) resumed(a *asking, result []byte, problem string, out *adapters.Output) {
	switch lost := a.mine && strings.Contains(problem, noRollout); {
	case t.link.rejoining:
		t.rejoined(a, result, problem, out)
	case lost:
		if len(t.spec.Known) > 0 {
			beginsAnew(problem, out)
		}
		t.start(out)
	case problem != "":
		notJoined(a, "resume_failed", problem, out)
	case t.settings.said: // once more on this connection: nothing was missed
		t.opened(result, out)
		t.usage.repeats = true
	default:
		t.joining = true
		t.join(a, result, out)
	}
}

func beginsAnew(problem string, out *adapters.Output) {
	out.Draft(adapters.Notice{Level: "warning", Kind: "resume_failed", Text: "The agent has lost the thread, and begins a new one: " + problem})
}

// rejoined takes the answer to thread/resume after the connection was lost.
func (t *Translator) rejoined(a *asking, result []byte, problem string, out *adapters.Output) {
	switch {
	case problem == "":
		t.usage.missed, t.usage.repeats = true, !t.usage.known
		t.join(a, result, out)
	case !a.mine:
	case strings.Contains(problem, noRollout) && !t.spec.Child:
		if t.turn.on || t.ended.next > 0 {
			beginsAnew(problem, out)
		}
		t.end(protocol.TurnInterrupted, "the agent has lost the thread", "", out)
		t.start(out)
	default:
		notJoined(a, "resume_failed", problem, out)
		why := "the thread could not be joined again: " + problem
		t.end(protocol.TurnInterrupted, why, "", out)
		t.prompts.giveUp(why, out)
		t.settle(out)
		t.free(out)
	}
}

// join begins with what the answer to thread/resume tells.
func (t *Translator) join(a *asking, result []byte, out *adapters.Output) {
	t.opened(result, out)
	if t.history.begin(a, result, &t.thread, out) {
		t.joined(a.mine, out)
	}
}

// joined takes what came of the thread's past, and then what has waited for it. wanted says that it is for us.
func (t *Translator) joined(wanted bool, out *adapters.Output) {
	if t.link.rejoining {
		t.history.catchUp(&t.thread, out)
		t.settle(out)
	} else {
		t.joining = true
		t.history.missed(&t.thread, wanted, out)
		t.joining = false
		t.ready(out)
		t.offer.ask(&t.link, out)
	}
	t.free(out)
}

// free takes the lines that have waited: nothing more of the thread's past is to come.
func (t *Translator) free(out *adapters.Output) {
	lines := t.history.lines
	t.history, t.joining = history{}, false
	for _, line := range lines {
		t.Line(line, out)
	}
}

// stream takes a line of the connection itself: it is lost, or open again.
func (t *Translator) stream(line []byte, out *adapters.Output) bool {
	l, _ := httpline.Parse(line)
	s, ok := l.(*httpline.Stream)
	switch {
	case !ok:
		return false
	case s.State == httpline.Lost:
		t.lost(s.Error, out)
	case t.link.away:
		t.reopened(out)
	}
	return true
}

// lost gives up what was under way: nobody answers it any more.
func (t *Translator) lost(why string, out *adapters.Output) {
	if t.link.away {
		return
	}
	t.link.lose()
	t.prompts.lose()
	t.offer.lose()
	t.late = append(t.settings.lose(), t.late...)
	t.history, t.joining = history{}, t.joining && !t.settings.said
	t.entries.lose()
	t.turn.stopping = false
	if t.turn.on {
		t.turn.enter(protocol.StateRetrying, out)
	}
	if why = native.Head(why, maxNoticed); why != "" {
		why = ": " + why
	}
	out.Draft(adapters.Notice{Level: "warning", Kind: "connection_lost", Text: "The connection to the agent was lost, and is opened again" + why})
}

// reopened joins the thread again, or begins again what had not begun.
func (t *Translator) reopened(out *adapters.Output) {
	t.link.away = false
	switch {
	case !t.settings.said && !t.link.foreign:
		t.Start(out)
	case t.settings.said:
		t.link.rejoining = true
		if !t.link.foreign {
			t.history.resume(t.link.thread, &t.link, out)
		}
	}
}

// settle goes on with what waited, once it is known what has become of the thread.
func (t *Translator) settle(out *adapters.Output) {
	t.link.rejoining = false
	t.turn.atWork(out)
	t.prompts.settle(&t.turn, &t.link, out)
	t.known(out)
	if !t.turn.on {
		t.prompts.retrySteers(&t.turn, &t.link, out)
	}
	late := t.late
	t.late = nil
	for _, c := range late {
		t.Command(c, out)
	}
	if t.offer.again {
		t.offer.again = false
		t.offer.ask(&t.link, out)
	}
}
