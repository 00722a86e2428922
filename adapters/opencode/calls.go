package opencode

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// calls are those that are not answered.
type calls struct {
	last    uint64 // number of our last one
	pending map[uint64]call
}

// call is one call to the server.
type call struct {
	kind    asking
	method  string
	path    string // without a query of its own
	query   string
	body    []byte
	afterMs int64
	tries   int                 // made before
	prompt  string              // id of the Prompt command
	request string              // the agent's id of a request
	newest  adapters.RequestKey // the last request that was open when a list of them was asked for
	foreign bool                // somebody else made it: a recording
}

// asking says what a call asks for.
type asking int

const (
	askNothing asking = iota // whatever the answer says, events say it too
	askCreate
	askSession
	askStatus
	askMessages
	askPermissions
	askQuestions
	askModels
	askModes
	askServers
	askPrompt
	askFate // whether something is lost, some time after a prompt was accepted
	askFateMessages
	askSettled // the messages, when the run should long have ended
	askAbort
	askReply
)

// maxTries is how often a call is made that gets no answer at all, and retryAfterMs how long is waited between, in milliseconds.
const (
	maxTries     = 3
	retryAfterMs = 500
)

// maxPending bounds the calls of a recording that are never answered.
const maxPending = 4096

// ask makes a call.
func (t *Translator) ask(out *adapters.Output, c call) {
	c.newest = t.requests.Last()
	t.calls.last++
	t.calls.pending[t.calls.last] = c
	line := httpline.Call{N: t.calls.last, AfterMs: c.afterMs, Method: c.method, Path: t.path(c), Body: c.body}
	out.Line(line.Append(nil))
}

// path is the path of a call. A server that was not started for the session's folder must be told which one it is.
func (t *Translator) path(c call) string { return c.path + query(&t.spec, c.query) }

// again makes a call once more that got no answer; false: it was made often enough.
func (t *Translator) again(a *httpline.Answer, c call, out *adapters.Output) bool {
	if a.Error == "" || c.foreign || c.tries+1 >= maxTries {
		return false
	}
	c.tries++
	c.afterMs = retryAfterMs
	t.ask(out, c)
	return true
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
	t.sync.foreign = true
	t.release(out)
	c := call{kind: askNothing, method: sent.Method, path: sent.Path, foreign: true}
	path, _, _ := strings.Cut(sent.Path, "?")
	switch own := "/session/" + t.session; {
	case sent.Method == http.MethodGet && path == "/session/status":
		c.kind = askStatus
	case sent.Method == http.MethodGet && path == serversPath:
		c.kind = askServers
	case sent.Method == http.MethodGet && path == own+"/message":
		c.kind = askMessages
	case sent.Method == http.MethodPost && (path == own+"/abort" || path == "/api"+own+"/interrupt"):
		c.kind = askAbort
		t.abortSent()
	case sent.Method == http.MethodPost && path == own+"/prompt_async":
		t.noReplySent(sent.Body)
	case sent.Method == http.MethodPost:
		t.replySent(path, sent.Body)
	}
	if len(t.calls.pending) < maxPending {
		t.calls.pending[sent.N] = c
	}
}

// answered takes the answer to a call.
func (t *Translator) answered(a *httpline.Answer, out *adapters.Output) {
	c, ok := t.calls.pending[a.N]
	if !ok {
		return
	}
	delete(t.calls.pending, a.N)
	switch c.kind {
	case askCreate:
		t.created(a, c, out)
	case askSession:
		t.taken(a, c, out)
	case askStatus:
		t.statusAnswered(a, c, out)
	case askMessages:
		t.messagesAnswered(a, c, out)
	case askPermissions, askQuestions:
		t.listed(a, c, out)
	case askModels:
		t.modelsAnswered(a, out)
	case askModes:
		t.modesAnswered(a, out)
	case askServers:
		t.serversAnswered(a, c, out)
	case askPrompt:
		t.promptAnswered(a, c, out)
	case askFate:
		t.fate(a, out)
	case askFateMessages:
		t.fateMessages(a, out)
	case askSettled:
		t.settled(a, out)
	case askAbort:
		t.abortAnswered(a, c, out)
	case askReply:
		t.replyAnswered(a, c, out)
	case askNothing:
	}
}

// created takes the answer to POST /session.
func (t *Translator) created(a *httpline.Answer, c call, out *adapters.Output) {
	var info sessionInfo
	_ = native.Decode(a.Body, &info)
	if !a.OK() || info.ID == "" {
		if t.again(a, c, out) {
			return
		}
		out.Draft(adapters.Notice{Level: "error", Kind: "session_not_created", Text: "The agent made no session: " + problem(a)})
		return
	}
	t.session = info.ID
	t.sessionInfo(&info, out)
	t.askChoices(out)
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
		t.session, t.sync.resume = "", false
		t.release(out)
		t.ask(out, call{kind: askCreate, method: "POST", path: "/session", body: []byte("{}")})
		return
	case !a.OK() && t.again(a, c, out):
		return
	}
	var info sessionInfo
	_ = native.Decode(a.Body, &info)
	if u := info.Tokens; u != nil && info.ID == t.session {
		t.told.total = u.usage()
	}
	if info.ID == t.session && t.told.version == "" {
		t.told.version = info.Version
	}
	t.askChoices(out)
	t.startSync(out)
}

// problem says why a call failed.
func problem(a *httpline.Answer) string {
	if a.Error != "" {
		return native.Head(a.Error, maxNoticed)
	}
	var f failure
	_ = native.Decode(a.Body, &f)
	if f.Data.Message == "" {
		var flat struct {
			Message string `json:"message"`
		}
		_ = native.Decode(a.Body, &flat)
		f.Data.Message = flat.Message
	}
	if f.Data.Message == "" && f.Name == "" {
		return "HTTP status " + itoa(a.Status)
	}
	return f.text()
}

// body writes the body of a call.
func body(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("{}") // strings, numbers and raw JSON that was read before cannot fail
	}
	return b
}
