package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// threadStart are the parameters of thread/start. Policy and sandbox are the operator's, unless a mode asks.
type threadStart struct {
	Cwd      string `json:"cwd,omitempty"`
	Model    string `json:"model,omitempty"`
	Sandbox  string `json:"sandbox,omitempty"`
	Approval string `json:"approvalPolicy,omitempty"`
}

// threadResume are those of thread/resume. It gives the newest turns with it, so that nothing is lost in between.
type threadResume struct {
	ThreadID     string       `json:"threadId"`
	ExcludeTurns bool         `json:"excludeTurns"`
	FirstPage    turnsRequest `json:"initialTurnsPage"`
}

// Start starts the thread, or goes on with it. A sub-agent's thread is there already.
func (t *Translator) Start(out *adapters.Output) {
	switch {
	case t.spec.Child:
		t.ready(out)
	case t.spec.Resume && t.spec.NativeSessionID != "":
		t.history.joining, t.history.busy = true, true
		t.resume(t.spec.NativeSessionID, out)
	default:
		t.start(out)
	}
}

func (t *Translator) resume(thread string, out *adapters.Output) {
	t.ask(&asking{method: "thread/resume"}, threadResume{
		ThreadID: thread, ExcludeTurns: true, FirstPage: turnsRequest{Limit: pageTurns, View: "full", Direction: "desc"},
	}, out)
}

func (t *Translator) start(out *adapters.Output) {
	p, mode := threadStart{Cwd: t.spec.Cwd, Model: t.spec.Model}, t.spec.Mode
	if t.link.rejoining {
		p.Model, mode = t.told.model, t.told.mode
	}
	if m := modeByID(mode); m != nil {
		p.Sandbox, p.Approval = m.start, m.approval
	}
	t.ask(&asking{method: "thread/start"}, p, out)
}

// threadStarted takes the answer to thread/start.
func (t *Translator) threadStarted(a *asking, result []byte, problem string, out *adapters.Output) {
	if problem != "" {
		t.notStarted(a, "thread_start_failed", problem, out)
		return
	}
	t.history.joining = false
	t.opened(result, out)
	t.usage.known = true
	t.ready(out)
	if t.spec.Mode == planMode && !t.told.planning && a.mine { // a thread cannot be started in it
		t.setMode(adapters.SetMode{Mode: planMode}, out)
	}
	if t.link.rejoining { // in the place of a thread that never had a turn, or was lost
		thread := t.thread
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{NativeSessionID: &thread}})
		t.settle(out)
	} else {
		t.askModels(out)
	}
	t.unheld(out)
}

// opened takes what the results about a thread have in common.
func (t *Translator) opened(result []byte, out *adapters.Output) {
	var r threadResult
	_ = native.Decode(result, &r)
	if id := text(r.Thread, "id"); id != "" {
		t.thread = id
	}
	t.threadInfo(r.Thread, out)
	t.set(settings{Model: r.Model, Effort: r.Effort, Policy: r.Sandbox, Collaboration: r.Collaboration}, out)
}

func (t *Translator) notStarted(a *asking, kind, problem string, out *adapters.Output) {
	if a.mine {
		out.Draft(adapters.Notice{Level: "error", Kind: kind, Text: problem})
	}
}

// threadResumed takes the answer to thread/resume. A thread that never had a turn cannot be resumed, and has nothing to lose.
func (t *Translator) threadResumed(a *asking, result []byte, problem string, out *adapters.Output) {
	if t.link.rejoining {
		t.rejoined(a, result, problem, out)
		return
	}
	if problem != "" {
		if !a.mine || !strings.Contains(problem, "no rollout found") {
			t.notStarted(a, "resume_failed", problem, out)
			return
		}
		if len(t.spec.Known) > 0 {
			out.Draft(adapters.Notice{Level: "warning", Kind: "resume_failed", Text: "The agent has lost the thread, and begins a new one: " + problem})
		}
		t.start(out)
		return
	}
	if t.told.ready { // once more on this connection: nothing was missed
		t.opened(result, out)
		t.usage.repeats = true
		return
	}
	t.history.joining = true
	t.opened(result, out)
	t.join(a, result, out)
}

// threadForked takes the answer to somebody's thread/fork: this thread begins as a copy.
func (t *Translator) threadForked(result []byte, problem string, out *adapters.Output) {
	if problem != "" || text(result, "thread", "id") != t.thread {
		return
	}
	t.opened(result, out)
	t.usage.repeats = true
	t.ready(out)
}

// spawned tells of the sub-agents that an item starts.
func (t *Translator) spawned(it *item, w *wireItem, out *adapters.Output) {
	switch {
	case w.Type == "subAgentActivity" && w.Kind == "started":
		t.child(w.AgentThread, 0, w.AgentPath, out)
	case w.Type == "collabAgentToolCall" && startsAgent(w.Tool):
		title, _, _ := strings.Cut(strings.TrimSpace(w.Prompt), "\n")
		for _, id := range w.Receivers {
			if w.Tool == "resumeAgent" && w.Status == "inProgress" {
				delete(t.children, id)
			}
			t.child(id, it.key, title, out)
		}
	}
}
