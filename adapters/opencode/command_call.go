package opencode

import (
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// calls are those of a session to the server that are not answered.
type calls struct {
	session string // empty until it is created
	folder  string // see folder
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
	askSettled // the messages, when the turn should long have ended
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
func (c *calls) ask(one call, out *adapters.Output) {
	c.last++
	c.pending[c.last] = one
	line := httpline.Call{N: c.last, AfterMs: one.afterMs, Method: one.method, Path: one.path + query(c.folder, one.query), Body: one.body}
	out.Line(line.Append(nil))
}

// create makes the session.
func (c *calls) create(out *adapters.Output) {
	c.ask(call{kind: askCreate, method: "POST", path: "/session", body: []byte("{}")}, out)
}

// choices asks what there is to choose from.
func (c *calls) choices(out *adapters.Output) {
	c.ask(call{kind: askModels, method: "GET", path: "/config/providers"}, out)
	c.ask(call{kind: askModes, method: "GET", path: "/agent"}, out)
}

// messages asks for the newest messages, some time from now.
func (c *calls) messages(kind asking, query string, afterMs int64, out *adapters.Output) {
	c.ask(call{kind: kind, method: "GET", path: c.about("/message"), query: query, afterMs: afterMs}, out)
}

// about is a path below that of the session.
func (c *calls) about(rest string) string { return "/session/" + c.session + rest }

// again makes a call once more that got no answer; false: it was made often enough.
func (c *calls) again(a *httpline.Answer, one call, out *adapters.Output) bool {
	if a.Error == "" || one.foreign || one.tries+1 >= maxTries {
		return false
	}
	one.tries++
	one.afterMs = retryAfterMs
	c.ask(one, out)
	return true
}

// heard notes a call of somebody else's.
func (c *calls) heard(n uint64, one call) {
	if one.foreign = true; len(c.pending) < maxPending {
		c.pending[n] = one
	}
}

// take gives the call that an answer is to, once.
func (c *calls) take(a *httpline.Answer) (one call, ok bool) {
	one, ok = c.pending[a.N]
	delete(c.pending, a.N)
	return one, ok
}

// folder is the folder that calls about a session have to name; empty: none. A server that runs already has one of its own; one that was
// started for the session has that of the session.
func folder(spec *adapters.Spec) string {
	if spec.Endpoint == nil {
		return ""
	}
	return spec.Cwd
}

// query is the query of a call.
func query(folder, more string) string {
	switch {
	case folder != "" && more != "":
		return "?directory=" + url.QueryEscape(folder) + "&" + more
	case folder != "":
		return "?directory=" + url.QueryEscape(folder)
	case more != "":
		return "?" + more
	}
	return ""
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
		return "HTTP status " + strconv.Itoa(a.Status)
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
