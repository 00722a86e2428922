package opencode

import (
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// Command puts a command into calls.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	w := &t.work
	switch c := cmd.(type) {
	case adapters.Prompt:
		if t.calls.session == "" {
			out.Draft(adapters.PromptAnswered{ID: c.ID, Result: adapters.PromptRefused, Error: "the agent has no session yet"})
			return
		}
		model := w.settings.wanted(w.told.Model, out)
		t.calls.ask(w.prompts.send(c, t.calls.about("/prompt_async"), model, w.settings.mode), out)
	case adapters.Interrupt:
		w.stopped()
		w.requests.dropAll(out) // they die with the turn, silently
		if t.calls.session != "" {
			t.calls.ask(call{kind: askAbort, method: "POST", path: t.calls.about("/abort")}, out)
		}
	case adapters.Answer:
		answer, stops, ok := w.requests.answer(c, "/api"+t.calls.about(""))
		if stops {
			w.turn.refused()
		}
		if ok {
			t.calls.ask(answer, out)
		}
	case adapters.SetModel:
		w.settings.setModel(c, w.told.Model, out)
	case adapters.SetMode:
		w.settings.setMode(c, out)
	}
}

// Sent takes a call that somebody else made: of a recording. Its answer comes, those to our own calls do not.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	l, ok := httpline.Parse(line)
	if !ok {
		return
	}
	sent, ok := l.(*httpline.Call)
	if !ok {
		return
	}
	t.history.foreign = true
	t.release(out)
	c := call{kind: askNothing, method: sent.Method, path: sent.Path}
	path, _, _ := strings.Cut(sent.Path, "?")
	get, post := sent.Method == http.MethodGet, sent.Method == http.MethodPost
	switch {
	case get && path == "/session/status":
		c.kind = askStatus
	case get && path == serversPath:
		c.kind = askServers
	case get && path == t.calls.about("/message"):
		c.kind = askMessages
	case post && (path == t.calls.about("/abort") || path == "/api"+t.calls.about("/interrupt")):
		c.kind = askAbort
		t.work.stopped()
	case post && path == t.calls.about("/prompt_async"):
		t.work.prompts.sentQuiet(sent.Body)
	case post:
		t.work.requests.replySent(path, sent.Body)
	}
	t.calls.heard(sent.N, c)
}
