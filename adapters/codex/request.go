package codex

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests are the requests of the server that wait for answers.
type requests struct {
	keys    native.Counter[adapters.RequestKey]
	open    map[string]*request // by raw id
	byKey   map[adapters.RequestKey]*request
	answers map[string]*request // that were answered and may be asked again, by raw id
}

// request is a request of the server that waits for an answer.
type request struct {
	id    []byte // raw JSON
	about string // what it asks: the same again has the same id
	key   adapters.RequestKey
	item  *item // that it is about; nil: none
	reply replier
	said  []byte // the answer, once it was given
}

// ask is what a request asks for: how it is shown, and how it is answered.
type ask struct {
	shown  protocol.RequestOpened
	reply  replier
	within int64 // milliseconds until the server goes on without an answer; not above 0: it waits
}

// replier knows the answers to one request of the server.
type replier interface {
	// result is the answer as the server wants it.
	result(a adapters.Answer) any
	// read is what an answer that somebody else gave means.
	read(result []byte) (o protocol.Outcome, option string, answers [][]string)
}

func newRequests() requests {
	return requests{open: map[string]*request{}, byKey: map[adapters.RequestKey]*request{}, answers: map[string]*request{}}
}

// again says that a request is known: it is asked again after a rejoin, with the same id. Its answer may have been lost.
func (q *requests) again(m *message, out *adapters.Output) bool {
	if q.open[string(m.id)] != nil {
		return true
	}
	r := q.answers[string(m.id)]
	if r == nil || r.about != about(m) {
		return false
	}
	out.Line(r.said)
	return true
}

// wait opens a request. it is the item that it is about; nil: none.
func (q *requests) wait(m *message, it *item, a ask, out *adapters.Output) {
	r := &request{id: bytes.Clone(m.id), about: about(m), key: q.keys.Next(), reply: a.reply}
	open := adapters.RequestOpened{Key: r.key, Request: a.shown, Within: max(0, a.within)}
	if it != nil && !it.closed && itemEntryType(it.typ) == protocol.EntryToolCall {
		open.Entry = it.key
		if a.shown.Kind != protocol.RequestElicitation { // a server may ask beside its calls: Codex waits for the answer until the turn's end
			r.item = it
		}
		if a.shown.Kind == protocol.RequestApproval {
			it.asking++
		}
	}
	q.open[string(r.id)], q.byKey[r.key] = r, r
	out.Draft(open)
}

// forget ends a request.
func (q *requests) forget(r *request, allowed bool) {
	delete(q.open, string(r.id))
	delete(q.byKey, r.key)
	if r.item != nil && r.item.asking > 0 {
		r.item.asking--
		r.item.approved = r.item.approved || allowed
	}
}

// cancel ends a request that gets no answer of ours.
func (q *requests) cancel(r *request, out *adapters.Output) {
	q.forget(r, false)
	out.Draft(adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled})
}

// answer gives the answer to a request as a line; nil: it is no longer open and needs none.
func (q *requests) answer(a adapters.Answer) []byte {
	r := q.byKey[a.Key]
	if r == nil {
		return nil
	}
	q.forget(r, a.Outcome == protocol.OutcomeAllowed)
	r.said = encode(response{r.id, r.reply.result(a)})
	q.answers[string(r.id)] = r
	return r.said
}

// about is what a request is about, as far as requests of one thread must differ.
func about(m *message) string {
	return m.method + " " + text(m.params, "turnId") + " " + text(m.params, "itemId")
}

// answered takes an answer that somebody else gave.
func (q *requests) answered(m *message, out *adapters.Output) {
	r := q.open[string(m.id)]
	if r == nil {
		return
	}
	closed := adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled}
	if m.fault == nil {
		closed.Outcome, closed.Option, closed.Answers = r.reply.read(m.result)
	}
	q.forget(r, closed.Outcome == protocol.OutcomeAllowed)
	out.Draft(closed)
}

// resolved takes the server's word that a request is over. After an answer of ours it is known; else another client
// answered, or it was withdrawn, and the server does not say which.
func (q *requests) resolved(id []byte, out *adapters.Output) {
	delete(q.answers, string(id))
	if r := q.open[string(id)]; r != nil {
		q.cancel(r, out)
	}
}

// drop closes the requests about an entry that ends.
func (q *requests) drop(entry adapters.EntryKey, out *adapters.Output) {
	for key := adapters.RequestKey(1); len(q.byKey) > 0 && key <= q.keys.Last(); key++ {
		if r := q.byKey[key]; r != nil && r.item != nil && r.item.key == entry {
			q.cancel(r, out)
		}
	}
}

// withdraw closes all requests: nobody waits for them any more.
func (q *requests) withdraw(out *adapters.Output) {
	for key := adapters.RequestKey(1); len(q.byKey) > 0 && key <= q.keys.Last(); key++ {
		if r := q.byKey[key]; r != nil {
			q.cancel(r, out)
		}
	}
}

// endTurn forgets all requests: the session closes them.
func (q *requests) endTurn() {
	clear(q.open)
	clear(q.byKey)
	clear(q.answers)
}

// noTool answers a call of a tool that a client offers: sessions here offer none.
func noTool(id []byte) []byte {
	return encode(response{bytes.Clone(id), toolResult{Items: []textInput{{"inputText", "nobody here has this tool"}}}})
}

type toolResult struct {
	Items   []textInput `json:"contentItems"`
	Success bool        `json:"success"`
}
