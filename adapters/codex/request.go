package codex

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// request is a request of the server that waits for an answer.
type request struct {
	id    []byte // raw JSON
	about string // what it asks: the same again has the same id
	key   adapters.RequestKey
	item  *item // that it is about; nil: none
	reply replier
	said  []byte // the answer, once it was given
}

// replier knows the answers to one request of the server.
type replier interface {
	// result is the answer as the server wants it.
	result(a adapters.Answer) any
	// read is what an answer that somebody else gave means.
	read(result []byte) (o protocol.Outcome, option string, answers [][]string)
}

// asked takes a request of the server. One that is asked again, after a rejoin, is known by its id; its answer may have been
// lost.
func (t *Translator) asked(m *message, line []byte, out *adapters.Output) {
	if t.open[string(m.id)] != nil {
		return
	}
	if r := t.answers[string(m.id)]; r != nil && r.about == about(m) {
		out.Line(r.said)
		return
	}
	switch m.method {
	case "item/commandExecution/requestApproval":
		t.askCommand(m, out)
	case "item/fileChange/requestApproval":
		t.askPatch(m, out)
	case "item/permissions/requestApproval":
		t.askPermissions(m, out)
	case "item/tool/requestUserInput":
		t.askUser(m, out)
	case "mcpServer/elicitation/request":
		t.askElicitation(m, line, out)
	case "item/tool/call":
		t.callTool(m, out)
	default:
		native.Keep(m.method, line, out)
		out.Line(failure(m.id, "not supported here: "+native.Head(m.method, maxTitle)))
	}
}

// callTool answers a call of a tool that a client offers: sessions here offer none. On a server with other clients the tool may
// be theirs.
func (t *Translator) callTool(m *message, out *adapters.Output) {
	if t.spec.Endpoint == nil {
		out.Line(encode(response{bytes.Clone(m.id), toolResult{Items: []textInput{{"inputText", "nobody here has this tool"}}}}))
	}
}

type toolResult struct {
	Items   []textInput `json:"contentItems"`
	Success bool        `json:"success"`
}

// wait opens a request.
func (t *Translator) wait(m *message, it *item, q protocol.RequestOpened, reply replier, within int64, out *adapters.Output) {
	t.requests++
	r := &request{id: bytes.Clone(m.id), about: about(m), key: t.requests, reply: reply}
	open := adapters.RequestOpened{Key: r.key, Request: q, Within: max(0, within)}
	if it != nil && !it.closed && itemEntryType(it.typ) == protocol.EntryToolCall {
		open.Entry = it.key
		if q.Kind != protocol.RequestElicitation { // a server may ask beside its calls: Codex waits for the answer until the turn's end
			r.item = it
		}
		if q.Kind == protocol.RequestApproval {
			it.asking++
		}
	}
	t.open[string(r.id)], t.keys[r.key] = r, r
	out.Draft(open)
}

// forget ends a request.
func (t *Translator) forget(r *request, allowed bool) {
	delete(t.open, string(r.id))
	delete(t.keys, r.key)
	if r.item != nil && r.item.asking > 0 {
		r.item.asking--
		r.item.approved = r.item.approved || allowed
	}
}

// answer sends the answer to a request; one that is no longer open needs none.
func (t *Translator) answer(a adapters.Answer, out *adapters.Output) {
	r := t.keys[a.Key]
	if r == nil {
		return
	}
	t.forget(r, a.Outcome == protocol.OutcomeAllowed)
	r.said = encode(response{r.id, r.reply.result(a)})
	t.answers[string(r.id)] = r
	if !t.link.quiet() { // else it is asked again
		out.Line(r.said)
	}
}

// about is what a request is about, as far as requests of one thread must differ.
func about(m *message) string {
	return m.method + " " + text(m.params, "turnId") + " " + text(m.params, "itemId")
}

// answeredElsewhere takes an answer that somebody else gave.
func (t *Translator) answeredElsewhere(m *message, out *adapters.Output) {
	r := t.open[string(m.id)]
	if r == nil {
		return
	}
	closed := adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled}
	if m.fault == nil {
		closed.Outcome, closed.Option, closed.Answers = r.reply.read(m.result)
	}
	t.forget(r, closed.Outcome == protocol.OutcomeAllowed)
	out.Draft(closed)
}

// resolved takes the server's word that a request is over. After an answer of ours it is known; else another client
// answered, or it was withdrawn, and the server does not say which.
func (t *Translator) resolved(params []byte, out *adapters.Output) {
	delete(t.answers, string(member(params, "requestId")))
	r := t.open[string(member(params, "requestId"))]
	if r == nil {
		return
	}
	t.forget(r, false)
	out.Draft(adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled})
}

// dropRequests closes the requests about an entry that ends.
func (t *Translator) dropRequests(entry adapters.EntryKey, out *adapters.Output) {
	for key := adapters.RequestKey(1); len(t.keys) > 0 && key <= t.requests; key++ {
		if r := t.keys[key]; r != nil && r.item != nil && r.item.key == entry {
			t.forget(r, false)
			out.Draft(adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled})
		}
	}
}

// about is the item that a request names. One whose beginning was not seen is opened, from what the request tells of it.
func (t *Translator) about(turn string, w *wireItem, out *adapters.Output) *item {
	if w.ID == "" {
		return nil
	}
	if it := t.find([]byte(turn), []byte(w.ID)); it != nil {
		return it
	}
	if !t.locate(turn, out) {
		return nil
	}
	w.Status = "inProgress"
	return t.openItem(turn, w, gapMark, out)
}
