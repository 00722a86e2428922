package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// answered takes the answer to a call.
func (t *Translator) answered(a *httpline.Answer, c call, out *adapters.Output) {
	w := &t.work
	switch c.kind {
	case askCreate:
		t.created(a, c, out)
	case askSession:
		t.taken(a, c, out)
	case askStatus:
		t.history.statusAnswered(a, c, &t.calls, out)
	case askMessages:
		if t.history.messagesAnswered(a, c, &t.calls, out) {
			t.caughtUp(a, out)
		}
	case askPermissions, askQuestions:
		t.history.listed(a, c, &t.calls, w, out)
	case askModels:
		w.settings.modelsAnswered(a, out)
	case askModes:
		w.settings.modesAnswered(a, out)
	case askServers:
		if !w.requests.own.answered(a, out) {
			t.calls.again(a, c, out)
		}
	case askPrompt:
		if w.prompts.answered(a, c, &t.calls, out) {
			w.unstopped()
		}
	case askFate:
		if w.prompts.lost(w.turn.on) {
			t.calls.messages(askFateMessages, pageQuery, 0, out)
		}
	case askFateMessages:
		t.history.fate(a, w, out)
	case askSettled:
		t.history.afterIdle(a, w, out)
	case askAbort:
		if !a.OK() && !c.foreign && !t.calls.again(a, c, out) {
			out.Draft(adapters.Notice{Level: "warning", Kind: "interrupt_failed", Text: "The agent was not interrupted: " + problem(a)})
		}
	case askReply:
		t.replied(a, c, out)
	case askNothing:
	}
}

// bind makes this the session with the agent's id.
func (t *Translator) bind(id string) { t.calls.session, t.work.told.Session = id, id }

// created takes the answer to POST /session.
func (t *Translator) created(a *httpline.Answer, c call, out *adapters.Output) {
	var info sessionInfo
	_ = native.Decode(a.Body, &info)
	if !a.OK() || info.ID == "" {
		if t.calls.again(a, c, out) {
			return
		}
		out.Draft(adapters.Notice{Level: "error", Kind: "session_not_created", Text: "The agent made no session: " + problem(a)})
		return
	}
	t.bind(info.ID)
	t.work.session(&info, out)
	t.calls.choices(out)
	t.work.requests.own.ask(&t.calls, out)
}

// taken takes the answer to GET /session/{id}. A session that is gone is begun anew.
func (t *Translator) taken(a *httpline.Answer, c call, out *adapters.Output) {
	switch {
	case a.Status == 404, t.spec.Recall && a.Status >= 400: // an id that is none of OpenCode's is an error of the server's
		if !t.spec.Recall { // else the session fails
			out.Draft(adapters.Notice{
				Level: "warning", Kind: "resume_failed",
				Text: "The agent does not have its earlier session any more; it begins a new one and does not know what was said before.",
			})
		}
		t.bind("")
		t.history.resume = false
		t.release(out)
		t.calls.create(out)
		return
	case !a.OK() && t.calls.again(a, c, out):
		return
	}
	var info sessionInfo
	_ = native.Decode(a.Body, &info)
	t.work.taken(&info)
	t.calls.choices(out)
	t.work.requests.own.ask(&t.calls, out)
	t.history.start(&t.calls, out)
}

// caughtUp takes the messages that fill a gap, and then what was held back.
func (t *Translator) caughtUp(a *httpline.Answer, out *adapters.Output) {
	if idle := t.history.finish(a, &t.calls, &t.work, out); idle {
		t.idle(out)
		t.work.guess(out)
	}
	t.history.on, t.history.wanted = false, false
	t.release(out)
	t.work.told.tellReady(out)
}

// replied takes what became of an answer. A request that is no longer there needed none.
func (t *Translator) replied(a *httpline.Answer, c call, out *adapters.Output) {
	w := &t.work
	switch {
	case a.OK():
		if x := w.entries.callOf(w.requests.entryOf(c.request)); x != nil {
			w.show(x, out)
		}
	case a.Status != 404 && !t.calls.again(a, c, out):
		out.Draft(adapters.Notice{Level: "warning", Kind: "answer_failed", Text: "The agent did not take the answer: " + problem(a)})
	}
}
