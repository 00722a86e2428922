package claude

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests are those of the agent that wait for an answer.
type requests struct {
	limit int                 // bytes of a text
	cwd   string              // of the session
	mcp   *adapters.MCPServer // nil: the session has none
	last  native.Counter[adapters.RequestKey]
	open  map[string]*request // by the agent's id
	ids   map[adapters.RequestKey]string
}

// request is one of them.
type request struct {
	key    adapters.RequestKey
	id     string
	entry  adapters.EntryKey // of the call that it is about; 0: of none
	kind   protocol.RequestKind
	input  json.RawMessage   // of the tool: an allowance gives it back
	always []json.RawMessage // the rules that make it the last request of its kind
	texts  []string          // of the questions
	form   *form             // of an elicitation
}

// controlRequest is a control_request of the agent.
type controlRequest struct {
	RequestID string `json:"request_id"`
	Request   struct {
		Subtype string `json:"subtype"`
		asksTool
		elicitation
	} `json:"request"`
}

// asked takes a request of the agent. Whatever is not for a person is answered at once: nothing may hang. about is the call that it names; nil:
// there is none.
func (q *requests) asked(c *controlRequest, about *tool, line []byte, out *adapters.Output) {
	if c.RequestID == "" || q.open[c.RequestID] != nil {
		return
	}
	switch c.Request.Subtype {
	case "can_use_tool":
		q.tool(c.RequestID, &c.Request.asksTool, about, out)
	case "elicitation":
		form, opened := c.Request.elicitation.ask(q.limit)
		q.add(&request{id: c.RequestID, form: form}, opened, out)
	case "hook_callback":
		answer(out, c.RequestID, struct{}{})
	default:
		refuse(out, c.RequestID, "unsupported request: "+native.Head(c.Request.Subtype, maxTitle))
		native.Keep("control_request."+c.Request.Subtype, line, out)
	}
}

// add notes a request and reports it.
func (q *requests) add(r *request, opened protocol.RequestOpened, out *adapters.Output) {
	r.key, r.kind = q.last.Next(), opened.Kind
	q.open[r.id] = r
	q.ids[r.key] = r.id
	out.Draft(adapters.RequestOpened{Key: r.key, Entry: r.entry, Request: opened})
}

// tool makes a request of a tool that wants to run: a question, a plan or an approval.
func (q *requests) tool(id string, a *asksTool, about *tool, out *adapters.Output) {
	r := &request{id: id, input: slices.Clone(a.Input)}
	planned := ""
	if about != nil {
		if !about.closed {
			r.entry = about.key
		}
		planned = readInput([]byte(about.final)).Plan
	}
	if a.ToolName == questionTool {
		var list []protocol.Question
		if list, r.texts = readQuestions(a.Input, q.limit); len(list) > 0 {
			q.add(r, protocol.RequestOpened{Kind: protocol.RequestQuestion, ToolName: a.ToolName, Title: list[0].Text, Questions: list}, out)
			return
		}
	}
	var opened protocol.RequestOpened
	opened, r.always = a.approval(planned, q.cwd, q.mcp, q.limit)
	q.add(r, opened, out)
}

func (q *requests) forget(r *request) {
	delete(q.ids, r.key)
	delete(q.open, r.id)
}

// sorted lists the open requests in the order of asking.
func (q *requests) sorted() []*request {
	list := make([]*request, 0, len(q.open))
	for _, key := range slices.Sorted(maps.Keys(q.ids)) {
		list = append(list, q.open[q.ids[key]])
	}
	return list
}

// answer sends the answer to a request; one that is no longer open needs none.
func (q *requests) answer(c adapters.Answer, out *adapters.Output) {
	r := q.open[q.ids[c.Key]]
	if r == nil {
		return
	}
	q.forget(r)
	switch {
	case r.form != nil:
		answer(out, r.id, r.form.answer(c))
	case c.Outcome == protocol.OutcomeAllowed && r.kind == protocol.RequestApproval:
		p := permission{Behavior: "allow", Input: r.given()}
		if c.Option == protocol.AllowAlways {
			p.Permissions = r.always
		}
		answer(out, r.id, p)
	case c.Outcome == protocol.OutcomeAnswered && r.kind == protocol.RequestQuestion:
		answer(out, r.id, permission{Behavior: "allow", Input: withAnswers(r.given(), r.texts, c.Answers)})
	case r.kind == protocol.RequestQuestion:
		r.deny(cmp.Or(c.Message, "The user gave no answer."), false, out)
	default:
		r.deny(cmp.Or(c.Message, "The user refused this."), c.Option == protocol.DenyStop, out)
	}
}

// given is the input of the tool as the agent wants it back.
func (r *request) given() json.RawMessage {
	if len(r.input) == 0 || r.input[0] != '{' {
		return json.RawMessage("{}")
	}
	return r.input
}

func (r *request) deny(message string, stop bool, out *adapters.Output) {
	if r.form != nil {
		answer(out, r.id, elicited{Action: "cancel"})
		return
	}
	answer(out, r.id, permission{Behavior: "deny", Message: message, Interrupt: stop})
}

// answered reports that somebody else answered.
func (q *requests) answered(a *reply, out *adapters.Output) {
	r := q.open[a.RequestID]
	if r == nil {
		return
	}
	q.forget(r)
	closed := adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled}
	var p permission
	_ = native.Decode(a.Response, &p)
	switch {
	case a.Subtype == "error":
	case r.form != nil:
		closed.Outcome, closed.Answers = r.form.answered(a.Response)
	case r.kind == protocol.RequestQuestion:
		if p.Behavior == "allow" {
			closed.Outcome, closed.Answers = protocol.OutcomeAnswered, answersIn(p.Input, r.texts)
		}
	default:
		closed.Outcome, closed.Option = p.answered()
	}
	out.Draft(closed)
}

// cancelled takes the news that the agent no longer waits.
func (q *requests) cancelled(line []byte, out *adapters.Output) {
	var e struct {
		RequestID string `json:"request_id"`
	}
	_ = native.Decode(line, &e)
	if r := q.open[e.RequestID]; r != nil {
		q.drop(r, out)
	}
}

// drop closes a request that the agent does not wait for.
func (q *requests) drop(r *request, out *adapters.Output) {
	q.forget(r)
	out.Draft(adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled})
}

// dropAbout closes the requests about a call that has ended.
func (q *requests) dropAbout(entry adapters.EntryKey, out *adapters.Output) {
	for _, r := range q.sorted() {
		if r.entry == entry {
			q.drop(r, out)
		}
	}
}

// refuseAll refuses, towards the agent, what is still open at the end of a turn. The session closes it by itself.
func (q *requests) refuseAll(out *adapters.Output) {
	for _, r := range q.sorted() {
		q.forget(r)
		r.deny("The turn has ended.", false, out)
	}
}
