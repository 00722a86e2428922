package opencode

import (
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests are those of the agent that wait for an answer.
type requests struct {
	keys  native.Counter[adapters.RequestKey]
	limit int    // of one text, in bytes
	cwd   string // the session's folder
	own   ownServer
	open  map[string]*request // by the agent's id
	ids   map[adapters.RequestKey]string
	// early are those about a call that was not heard of: 1.1 often asks before it says what it asks about. They wait for the
	// call, but not long.
	early []earlyRequest
}

// request is one of them.
type request struct {
	key      adapters.RequestKey
	entry    adapters.EntryKey // the tool call that it is about; 0: none
	question bool
	next     bool // of the newer surface, which answers elsewhere
	message  bool // a refusal by somebody else had words for the agent, which then goes on
	answered bool // by us: the agent's word on it is no news
}

// add opens a request.
func (r *requests) add(id string, q *request, asked protocol.RequestOpened, out *adapters.Output) {
	q.key = r.keys.Next()
	r.open[id] = q
	r.ids[q.key] = id
	out.Draft(adapters.RequestOpened{Key: q.key, Entry: q.entry, Request: asked})
}

// answer makes the call that answers a request; ok is false for one that is no longer open, which needs none. stops says that the agent
// will stop. base is the path of the session on the newer surface.
func (r *requests) answer(a adapters.Answer, base string) (c call, stops, ok bool) {
	id, ok := r.ids[a.Key]
	if !ok || r.open[id].answered {
		return call{}, false, false
	}
	q := r.open[id]
	q.answered = true
	c = call{kind: askReply, method: "POST", request: id}
	if !q.next {
		base = ""
	}
	switch {
	case q.question && a.Outcome == protocol.OutcomeAnswered:
		c.path = base + "/question/" + id + "/reply"
		c.body = body(struct {
			Answers [][]string `json:"answers"`
		}{a.Answers})
	case q.question:
		stops = true
		c.path = base + "/question/" + id + "/reject"
	default:
		var reply replyIn
		reply, stops = replyTo(a)
		c.path = base + "/permission/" + id + "/reply"
		c.body = body(reply)
	}
	return c, stops, true
}

// entryOf is the entry of the call that an open request is about; 0: none.
func (r *requests) entryOf(id string) adapters.EntryKey {
	if q := r.open[id]; q != nil {
		return q.entry
	}
	return 0
}

// close closes a request, and says so unless we have answered it.
func (r *requests) close(id string, closed adapters.RequestClosed, out *adapters.Output) {
	q := r.open[id]
	delete(r.ids, q.key)
	delete(r.open, id)
	if !q.answered {
		out.Draft(closed)
	}
}

// about says that a request about a call waits for its answer.
func (r *requests) about(entry adapters.EntryKey) bool {
	for _, q := range r.open {
		if q.entry == entry && !q.answered {
			return true
		}
	}
	return false
}

// dropAbout closes the requests about a call that has ended. OpenCode says nothing of requests that an abort has killed.
func (r *requests) dropAbout(entry adapters.EntryKey, out *adapters.Output) {
	r.drop(func(_ string, q *request) bool { return q.entry == entry }, out)
}

// dropAll closes all.
func (r *requests) dropAll(out *adapters.Output) {
	r.drop(func(string, *request) bool { return true }, out)
}

func (r *requests) drop(which func(id string, q *request) bool, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(r.ids)) {
		if id := r.ids[key]; which(id, r.open[id]) {
			r.close(id, adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled}, out)
		}
	}
}

// replySent notes a refusal with words that somebody else sends: the agent's own word on it does not tell.
func (r *requests) replySent(path string, sent []byte) {
	for id, q := range r.open {
		if strings.HasSuffix(path, "/permission/"+id+"/reply") {
			var b struct {
				Message string `json:"message"`
			}
			_ = native.Decode(sent, &b)
			q.message = b.Message != ""
		}
	}
}
