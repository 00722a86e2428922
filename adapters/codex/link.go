package codex

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// link follows an attached connection that is lost and comes back (adapters/remote), while the server and the turn go on. Then
// the thread is joined again: see catchUp.
type link struct {
	away      bool // lost
	rejoining bool // open again, and the thread is not joined yet
	foreign   bool // somebody else makes the requests: a recording
	offer     bool // the list of models was under way
	late      []adapters.Command
}

// quiet says that nothing is sent: no answer would come.
func (l *link) quiet() bool { return l.away || l.rejoining }

// stream takes a line of the connection itself.
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
	t.link.away, t.link.rejoining = true, false
	var settings []adapters.Command
	for _, id := range slices.SortedFunc(maps.Keys(t.calls), byAge) {
		switch a := t.calls[id]; {
		case a.prompt != nil:
			t.prompts.unsure = append(t.prompts.unsure, a)
		case a.setting != nil:
			settings = append(settings, a.setting)
		case a.method == "model/list":
			t.link.offer = true
		}
	}
	for _, p := range t.prompts.doubtful {
		t.prompts.unsure = append(t.prompts.unsure, &asking{method: "turn/steer", prompt: p})
	}
	t.prompts.doubtful = nil
	t.link.late = append(settings, t.link.late...)
	clear(t.calls)
	clear(t.sent)
	t.history = history{joining: t.history.joining && !t.told.ready}
	t.turn.stopping = false
	for _, it := range t.items {
		for ; it != nil; it = it.older {
			it.gap = it.gap || !it.closed
		}
	}
	if t.turn.on {
		t.turn.phase = protocol.StateRetrying
		out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying})
	}
	if why = native.Head(why, maxNoticed); why != "" {
		why = ": " + why
	}
	out.Draft(adapters.Notice{Level: "warning", Kind: "connection_lost", Text: "The connection to the agent was lost, and is opened again" + why})
}

// byAge orders the ids of our own requests.
func byAge(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// reopened joins the thread again, or begins again what had not begun.
func (t *Translator) reopened(out *adapters.Output) {
	t.link.away = false
	switch {
	case !t.told.ready && !t.link.foreign:
		t.Start(out)
	case t.told.ready:
		t.link.rejoining = true
		if !t.link.foreign {
			t.history.busy = true
			t.resume(t.thread, out)
		}
	}
}

// rejoined takes the answer to thread/resume after the connection was lost.
func (t *Translator) rejoined(a *asking, result []byte, problem string, out *adapters.Output) {
	switch {
	case problem == "":
		t.opened(result, out)
		t.usage.missed, t.usage.repeats = true, !t.usage.known
		t.join(a, result, out)
	case !a.mine:
	case strings.Contains(problem, "no rollout found") && !t.spec.Child:
		if t.turn.on || len(t.ended.ids[0]) > 0 {
			out.Draft(adapters.Notice{Level: "warning", Kind: "resume_failed", Text: "The agent has lost the thread, and begins a new one: " + problem})
		}
		t.end(protocol.TurnInterrupted, "the agent has lost the thread", "", out)
		t.start(out)
	default:
		out.Draft(adapters.Notice{Level: "error", Kind: "resume_failed", Text: problem})
		t.end(protocol.TurnInterrupted, "the thread could not be joined again: "+problem, "", out)
		for _, u := range t.prompts.unsure {
			t.refused(u.prompt.ID, "the thread could not be joined again: "+problem, out)
		}
		t.prompts.unsure = nil
		t.settle(out)
		t.unheld(out)
	}
}
