package droid

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asks are the requests of the agent that wait for an answer.
type asks struct {
	byKey map[adapters.RequestKey]*ask
	byID  map[string]*ask
}

// ask is one request of the agent. Each tool of a permission is an approval of its own, for people and policies to decide;
// Droid takes one answer for all.
type ask struct {
	id        string
	open      map[adapters.RequestKey]adapters.EntryKey // what is not answered yet, and the calls that it is about
	once      string                                    // values of a permission's options; empty: not offered
	always    string
	never     string
	forOnce   bool       // one of the tools was allowed only this time
	questions []question // of ask_user; nil: a permission
}

type question struct {
	Index    int      `json:"index"` // from 1
	Topic    string   `json:"topic"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Multiple bool     `json:"multiSelect"`
}

type permissionResult struct {
	SelectedOption string `json:"selectedOption"`
	Comment        string `json:"comment,omitempty"`
}

type askResult struct {
	Answers   []collected `json:"answers"`
	Cancelled bool        `json:"cancelled"`
}

type collected struct {
	Index    int    `json:"index"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// maxLabel is how much of an option's label is kept, in bytes: each tool of a permission has all of them.
const maxLabel = 256

// request handles a request of the agent.
func (t *Translator) request(e *envelope, line []byte, out *adapters.Output) {
	if t.asks.byID[e.ID] != nil {
		return
	}
	taken := false
	switch e.Method {
	case methodPermission:
		taken = t.permission(e, out)
	case methodAsk:
		taken = t.question(e, out)
	}
	if !taken {
		native.Keep(e.Method, line, out)
		refuse(out, e.ID, "the client cannot answer "+native.Head(e.Method, maxNoticed))
	}
}

// permission opens an approval per tool; false: nothing in it can be chosen.
func (t *Translator) permission(e *envelope, out *adapters.Output) bool {
	var p struct {
		ToolUses []struct {
			ToolUse          content `json:"toolUse"`
			ConfirmationType string  `json:"confirmationType"`
			Details          details `json:"details"`
		} `json:"toolUses"`
		Options []option `json:"options"`
	}
	_ = native.Decode(e.Params, &p)
	allow, allowAll, deny := pick(p.Options, once), pick(p.Options, always), pick(p.Options, never)
	a := &ask{id: e.ID, open: map[adapters.RequestKey]adapters.EntryKey{}, once: allow.Value, always: allowAll.Value, never: deny.Value}
	var options []protocol.Option
	for _, o := range []struct {
		option
		id string
	}{{allow, protocol.AllowOnce}, {allowAll, protocol.AllowAlways}, {deny, protocol.DenyStop}} {
		if o.Value != "" {
			options = append(options, protocol.Option{ID: o.id, Label: native.Head(o.Label, maxLabel)})
		}
	}
	if len(options) == 0 || len(p.ToolUses) == 0 {
		return false
	}
	for i := range p.ToolUses {
		u := &p.ToolUses[i]
		if u.Details.Type == "" {
			u.Details.Type = u.ConfirmationType
		}
		var in toolInput
		_ = native.DecodeExact(u.ToolUse.Input, &in)
		r := protocol.RequestOpened{
			Kind: protocol.RequestApproval, ToolName: u.ToolUse.Name, ToolKind: kindOf(u.ToolUse.Name, &u.Details),
			Title: titleOf(u.ToolUse.Name, &u.Details), Options: options,
		}
		r.Subject = subjectOf(u.ToolUse.Name, &u.Details, &in)
		if kind, about, own := t.ownTool(&u.ToolUse, &u.Details); own {
			r.ToolKind, r.Subject = kind, about
		}
		r.Subject, _ = native.Cut(r.Subject, t.spec.TextLimit())
		r.Text, _ = native.Cut(textOf(&u.Details, &in, u.ToolUse.Input), t.spec.TextLimit())
		t.openAsk(a, u.ToolUse.ID, r, out)
	}
	return true
}

// question opens the questions of a call to AskUser, as one request.
func (t *Translator) question(e *envelope, out *adapters.Output) bool {
	var p struct {
		ToolCallID string     `json:"toolCallId"`
		Questions  []question `json:"questions"`
	}
	_ = native.Decode(e.Params, &p)
	if len(p.Questions) == 0 {
		return false
	}
	r := protocol.RequestOpened{Kind: protocol.RequestQuestion, Title: native.Head(p.Questions[0].Question, maxNoticed)}
	for _, q := range p.Questions {
		// Droid's own screen takes any words as an answer, beside the options.
		x := protocol.Question{Text: q.Question, Header: q.Topic, Multiple: q.Multiple, FreeText: true}
		for _, o := range q.Options {
			x.Options = append(x.Options, protocol.Option{ID: o, Label: o})
		}
		r.Questions = append(r.Questions, x)
	}
	a := &ask{id: e.ID, open: map[adapters.RequestKey]adapters.EntryKey{}, questions: p.Questions}
	t.openAsk(a, p.ToolCallID, r, out)
	return true
}

// openAsk opens one request about a call.
func (t *Translator) openAsk(a *ask, tool string, r protocol.RequestOpened, out *adapters.Output) {
	t.begin(nil, out)
	t.requests++
	opened := adapters.RequestOpened{Key: t.requests}
	if c := t.tools[tool]; c != nil && !c.closed {
		opened.Entry, r.ToolName = c.key, c.name
	}
	opened.Request = r
	a.open[opened.Key] = opened.Entry
	t.asks.byKey[opened.Key], t.asks.byID[a.id] = a, a
	out.Draft(opened)
}

// answer sends the answer to a request; one that is no longer open needs none. A permission is answered when all of its
// tools are, or one is denied.
func (t *Translator) answer(c adapters.Answer, out *adapters.Output) {
	a := t.asks.byKey[c.Key]
	if a == nil {
		return
	}
	entry := a.open[c.Key]
	delete(a.open, c.Key)
	delete(t.asks.byKey, c.Key)
	switch {
	case a.questions != nil:
		reply(out, a.id, a.collect(c))
	case c.Outcome != protocol.OutcomeAllowed || a.once == "" && a.always == "":
		t.asks.closeAll(a, adapters.RequestClosed{Outcome: protocol.OutcomeCancelled}, out)
		if a.never == "" {
			refuse(out, a.id, "not allowed") // Droid takes an error for a refusal
		} else {
			reply(out, a.id, permissionResult{a.never, c.Message})
		}
	default:
		t.allowed(entry)
		a.forOnce = a.forOnce || c.Option != protocol.AllowAlways
		if len(a.open) > 0 {
			return
		}
		value := a.always
		if a.once != "" && (a.forOnce || value == "") {
			value = a.once
		}
		reply(out, a.id, permissionResult{value, c.Message})
	}
	delete(t.asks.byID, a.id)
}

// allowed notes that the session has set a call to running.
func (t *Translator) allowed(entry adapters.EntryKey) {
	for _, c := range t.tools {
		if c.key == entry {
			c.running = true
		}
	}
}

// collect puts the answers to questions together. Several options are one text, as on Droid's own screen.
func (a *ask) collect(c adapters.Answer) askResult {
	r := askResult{Answers: []collected{}, Cancelled: c.Outcome != protocol.OutcomeAnswered}
	if r.Cancelled {
		return r
	}
	for i, q := range a.questions {
		if i < len(c.Answers) {
			r.Answers = append(r.Answers, collected{q.Index, q.Question, strings.Join(c.Answers[i], ", ")})
		}
	}
	return r
}

// permissionResolved closes a permission that was answered elsewhere or withdrawn.
func (t *Translator) permissionResolved(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		RequestID      string `json:"requestId"`
		SelectedOption string `json:"selectedOption"`
	}
	_ = native.Decode(raw, &n)
	if a := t.asks.byID[n.RequestID]; a != nil {
		t.resolve(a, n.SelectedOption, t.aborting, out)
	}
}

// resolve closes a permission with the value of an option.
func (t *Translator) resolve(a *ask, value string, withdrawn bool, out *adapters.Output) {
	c := adapters.RequestClosed{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways}
	switch {
	case value == a.once && value != "":
		c.Option = protocol.AllowOnce
	case strings.HasPrefix(value, "proceed"):
	case withdrawn:
		c = adapters.RequestClosed{Outcome: protocol.OutcomeCancelled}
	default:
		c = adapters.RequestClosed{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop}
	}
	if c.Outcome == protocol.OutcomeAllowed {
		for _, entry := range a.open {
			t.allowed(entry)
		}
	}
	t.asks.closeAll(a, c, out)
	delete(t.asks.byID, a.id)
}

// answeredElsewhere takes an answer that somebody else sent.
func (t *Translator) answeredElsewhere(e *envelope, out *adapters.Output) {
	a := t.asks.byID[e.ID]
	if a == nil {
		return
	}
	if a.questions == nil {
		var r permissionResult
		_ = native.Decode(e.Result, &r)
		t.resolve(a, r.SelectedOption, false, out)
		return
	}
	var r askResult
	_ = native.Decode(e.Result, &r)
	c := adapters.RequestClosed{Outcome: protocol.OutcomeCancelled}
	if !r.Cancelled && e.Error == nil {
		c.Outcome, c.Answers = protocol.OutcomeAnswered, make([][]string, len(a.questions))
		for i, q := range a.questions {
			c.Answers[i] = []string{}
			for _, x := range r.Answers {
				if x.Index == q.Index {
					c.Answers[i] = append(c.Answers[i], x.Answer)
				}
			}
		}
	}
	t.asks.closeAll(a, c, out)
	delete(t.asks.byID, a.id)
}

// closeAll closes what is open of a request, in the order of asking.
func (s *asks) closeAll(a *ask, c adapters.RequestClosed, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(a.open)) {
		delete(a.open, key)
		delete(s.byKey, key)
		c.Key = key
		out.Draft(c)
	}
}

// dropOf closes the requests about a call that has ended: the agent no longer waits for them.
func (s *asks) dropOf(entry adapters.EntryKey, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(s.byKey)) {
		a := s.byKey[key]
		if a.open[key] != entry {
			continue
		}
		delete(a.open, key)
		delete(s.byKey, key)
		if len(a.open) == 0 {
			delete(s.byID, a.id)
		}
		out.Draft(adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled})
	}
}

// clear forgets the requests of a turn that has ended: the session closes them.
func (s *asks) clear() {
	clear(s.byKey)
	clear(s.byID)
}
