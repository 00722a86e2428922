package droid

import (
	"encoding/json"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// calls are the requests to the agent that wait for their answers, ours and those of others.
type calls struct {
	last    int // number of the id that was given last
	waiting map[string]call
}

// call is one of them.
type call struct {
	method  string
	session string // that it names
	start   bool   // it makes or loads the session that is wanted
}

// ownPrefix begins the ids of our own requests.
const ownPrefix = "rm-"

// ask sends a request whose answer is waited for, and gives its id.
func (c *calls) ask(k call, params any, out *adapters.Output) string {
	id := c.send(k.method, params, out)
	c.waiting[id] = k
	return id
}

// send sends a request, and gives its id.
func (c *calls) send(method string, params any, out *adapters.Output) string {
	c.last++
	id := ownPrefix + strconv.Itoa(c.last)
	write(out, &envelope{Type: typeRequest, ID: id, Method: method, Params: encode(params)})
	return id
}

// sent takes a request that somebody else sent.
func (c *calls) sent(e *envelope) {
	var p struct {
		SessionID string `json:"sessionId"`
	}
	_ = native.Decode(e.Params, &p)
	c.waiting[e.ID] = call{method: e.Method, session: p.SessionID}
}

// take gives the request that was answered; known is false where nobody has seen it.
func (c *calls) take(id string) (k call, known bool) {
	k, known = c.waiting[id]
	delete(c.waiting, id)
	return k, known
}

// reply answers a request of the agent.
func reply(out *adapters.Output, id string, result any) {
	write(out, &envelope{Type: typeResponse, ID: id, Result: encode(result)})
}

// refuse answers a request that cannot be answered otherwise: the agent would wait for ever.
func refuse(out *adapters.Output, id, problem string) {
	write(out, &envelope{Type: typeResponse, ID: id, Error: &rpcError{methodNotFound, problem}})
}

func write(out *adapters.Output, e *envelope) {
	e.RPC, e.API = rpcVersion, apiVersion
	out.Line(encode(e))
}

// encode writes what cannot fail: strings, numbers, booleans and lists of them.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return b
}
