package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// life is how the thread begins on this connection, how it is joined again after the connection was lost, and what waits meanwhile. It knows
// the thread, and not the Translator: what may go on it releases.
type life struct {
	thread
	history  history
	late     late
	offer    offer
	released released
}

// released is what has waited and may go on, in this order: commands, the question for models, lines of the server.
type released struct {
	commands []adapters.Command
	models   bool
	lines    [][]byte
}

// startOrResume starts the thread, or goes on with it. A sub-agent's thread is there already.
func (t *life) startOrResume(out *adapters.Output) {
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
func (t *life) started(a *asking, result []byte, problem string, out *adapters.Output) {
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
		t.released.models = true
	}
	t.free()
}

func notJoined(a *asking, kind, problem string, out *adapters.Output) {
	if a.mine {
		out.Draft(adapters.Notice{Level: "error", Kind: kind, Text: problem})
	}
}

// noRollout is how a refusal begins of a thread that never had a turn: it cannot be resumed, and has nothing to lose.
const noRollout = "no rollout found"

// resumed takes the answer to thread/resume.
func (t *life) resumed(a *asking, result []byte, problem string, out *adapters.Output) {
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
func (t *life) rejoined(a *asking, result []byte, problem string, out *adapters.Output) {
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
		t.free()
	}
}

// join begins with what the answer to thread/resume tells.
func (t *life) join(a *asking, result []byte, out *adapters.Output) {
	t.opened(result, out)
	if t.history.begin(a, result, &t.thread, out) {
		t.joined(a.mine, out)
	}
}

// joined takes what came of the thread's past, and releases what has waited for it. wanted says that it is for us.
func (t *life) joined(wanted bool, out *adapters.Output) {
	if t.link.rejoining {
		t.history.catchUp(&t.thread, out)
		t.settle(out)
	} else {
		t.joining = true
		t.history.missed(&t.thread, wanted, out)
		t.joining = false
		t.ready(out)
		t.released.models = true
	}
	t.free()
}

// free lets go the lines that have waited: nothing more of the thread's past is to come.
func (t *life) free() {
	t.released.lines = t.history.lines
	t.history, t.joining = history{}, false
}

// stream takes a line of the connection itself: it is lost, or open again.
func (t *life) stream(line []byte, out *adapters.Output) bool {
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
func (t *life) lost(why string, out *adapters.Output) {
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
func (t *life) reopened(out *adapters.Output) {
	t.link.away = false
	switch {
	case !t.settings.said && !t.link.foreign:
		t.startOrResume(out)
	case t.settings.said:
		t.link.rejoining = true
		if !t.link.foreign {
			t.history.resume(t.link.thread, &t.link, out)
		}
	}
}

// settle goes on with prompts whose answers were lost, once it is known what has become of the thread, and releases the commands that waited.
func (t *life) settle(out *adapters.Output) {
	t.link.rejoining = false
	t.turn.atWork(out)
	t.prompts.settle(&t.turn, &t.link, out)
	t.turnKnown(out)
	if !t.turn.on {
		t.prompts.retrySteers(&t.turn, &t.link, out)
	}
	t.released.commands, t.late = t.late, nil
	t.released.models, t.offer.again = t.offer.again, false
}

// waits keeps a command for the time when the thread is joined again.
func (t *life) waits(cmd adapters.Command, out *adapters.Output) bool {
	if t.spec.Child || !t.settings.said {
		return false
	}
	switch cmd.(type) {
	case adapters.Interrupt, adapters.Answer:
		return false
	case adapters.Prompt, adapters.SetModel, adapters.SetMode:
	}
	if !t.late.add(cmd) {
		t.refuse(cmd, "the connection to the agent is lost", out)
	}
	return true
}

// refuse answers a command that is not sent.
func (t *life) refuse(cmd adapters.Command, why string, out *adapters.Output) {
	switch c := cmd.(type) {
	case adapters.Prompt:
		t.prompts.refused(c.ID, why, out)
	case adapters.SetModel:
		refuseSetting(c.ID, why, out)
	case adapters.SetMode:
		refuseSetting(c.ID, why, out)
	case adapters.Interrupt, adapters.Answer:
	}
}
