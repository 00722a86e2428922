package pi

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests are the dialogs of extensions that wait for an answer. Pi itself asks nothing: an extension that wants tool
// calls approved shows a confirm whose title is "approve:" and the call's id.
type requests struct {
	limit  int                 // bytes of a text
	cwd    string              // of the session
	mcp    *adapters.MCPServer // nil: the session has none
	last   native.Counter[adapters.RequestKey]
	open   map[string]*dialog // by native id
	native map[adapters.RequestKey]string
}

type dialog struct {
	key    adapters.RequestKey
	entry  adapters.EntryKey // of the call that it is about; 0: of none
	method string
	timed  bool // Pi goes on by itself after a while
}

// approveTitle begins the title of a dialog that asks for a tool call.
const approveTitle = "approve:"

// uiRequest is an extension_ui_request.
type uiRequest struct {
	ID          string   `json:"id"`
	Method      string   `json:"method"`
	Title       string   `json:"title"`
	Message     string   `json:"message"`
	Options     []string `json:"options"`
	Placeholder string   `json:"placeholder"`
	Prefill     string   `json:"prefill"`
	NotifyType  string   `json:"notifyType"`
	Timeout     int64    `json:"timeout"` // ms
}

// call is the id of the tool call that a confirm asks for; ok is false where it is about none.
func (r *uiRequest) call() (id string, ok bool) { return strings.CutPrefix(r.Title, approveTitle) }

// read reads a line about the user interface, and says whether it is a dialog that is not open yet. The others are done with.
func (q *requests) read(line []byte, out *adapters.Output) (r uiRequest, asks bool) {
	_ = native.Decode(line, &r)
	switch r.Method {
	case "confirm", "select", "input", "editor":
		return r, q.open[r.ID] == nil
	case "notify":
		level := r.NotifyType
		if level != "warning" && level != "error" {
			level = "info"
		}
		out.Draft(adapters.Notice{Level: level, Kind: "notify", Text: native.Head(r.Message, maxNoticed)})
	case "setStatus", "setWidget", "setTitle", "set_editor_text":
		// About a terminal that is not there.
	default:
		native.Keep("extension_ui_request."+r.Method, line, out)
	}
	return r, false
}

// refuse cancels a dialog that nobody was asked.
func (r *uiRequest) refuse(out *adapters.Output) {
	send(out, command{ID: r.ID, Type: "extension_ui_response", Cancelled: true})
}

// ask opens a dialog. about is the call that it belongs to; nil: to none that is open.
func (q *requests) ask(r *uiRequest, about *tool, out *adapters.Output) {
	d := &dialog{key: q.last.Next(), method: r.Method, timed: r.Timeout > 0}
	req := adapters.RequestOpened{Key: d.key, Within: max(0, r.Timeout)}
	if r.Method == "confirm" {
		req.Request = q.approval(r, about)
	} else {
		req.Request = q.question(r, about)
	}
	if about != nil {
		d.entry = about.key
	}
	req.Entry = d.entry
	q.open[r.ID] = d
	q.native[d.key] = r.ID
	out.Draft(req)
}

// approval reads a confirm. One about a tool call carries the call as JSON in its message.
func (q *requests) approval(r *uiRequest, about *tool) protocol.RequestOpened {
	o := protocol.RequestOpened{
		Kind: protocol.RequestApproval, Title: r.Title, ToolKind: protocol.ToolOther,
		Options: []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow"}, {ID: protocol.DenyContinue, Label: "Deny"}},
	}
	o.Text, _ = native.Cut(r.Message, q.limit)
	if _, ok := r.call(); !ok {
		return o
	}
	var call struct {
		ToolName string          `json:"toolName"`
		Input    json.RawMessage `json:"input"`
	}
	if native.Decode([]byte(r.Message), &call) == nil && call.ToolName != "" {
		o.ToolName = call.ToolName
	}
	if about != nil {
		o.ToolName = about.name
	}
	if o.ToolName != "" {
		o.ToolKind = toolKind(o.ToolName)
		o.Title = "Allow " + o.ToolName + "?"
	}
	if len(call.Input) > 0 {
		o.Subject = subject(o.ToolKind, call.Input)
		change := changed(o.ToolName, call.Input, q.cwd)
		diff.Ask(&o, change, q.limit)
		o.Text, _ = native.Cut(cmp.Or(change, summary(o.ToolKind, call.Input)), q.limit)
		s := q.mcp
		if kind, about, own := s.Asked(s.Tool(o.ToolName, "mcp__", "__"), call.Input); own {
			o.ToolKind, o.Subject = kind, cut(about)
		}
	}
	return o
}

// summary is the input of a call for people: its command where it runs one.
func summary(kind protocol.ToolKind, input json.RawMessage) string {
	if command := subject(kind, input); kind == protocol.ToolExecute && command != "" {
		return command
	}
	return native.Compact(input)
}

// question reads a select, input or editor.
func (q *requests) question(r *uiRequest, about *tool) protocol.RequestOpened {
	one := protocol.Question{Text: r.Title}
	for _, o := range r.Options {
		one.Options = append(one.Options, protocol.Option{ID: o, Label: o})
	}
	one.FreeText = r.Method != "select"
	one.Prefill, _ = native.Cut(r.Prefill, q.limit)
	req := protocol.RequestOpened{
		Kind: protocol.RequestQuestion, Title: r.Title, Text: r.Placeholder, Questions: []protocol.Question{one},
	}
	if about != nil {
		req.ToolName = about.name
	}
	return req
}

// answer sends the answer to a dialog; one that is no longer open needs none.
func (q *requests) answer(a adapters.Answer, out *adapters.Output) {
	id, ok := q.native[a.Key]
	if !ok {
		return
	}
	d := q.open[id]
	c := command{ID: id, Type: "extension_ui_response"}
	yes, no := true, false
	switch {
	case a.Outcome == protocol.OutcomeAllowed && d.method == "confirm":
		c.Confirmed = &yes
	case a.Outcome == protocol.OutcomeDenied && d.method == "confirm":
		c.Confirmed = &no
	case a.Outcome == protocol.OutcomeAnswered && d.method != "confirm" && len(a.Answers) > 0 && len(a.Answers[0]) > 0:
		c.Value = &a.Answers[0][0]
	default:
		c.Cancelled = true
	}
	q.forget(id)
	send(out, c)
}

// answered reports that somebody else answered.
func (q *requests) answered(c *command, out *adapters.Output) {
	open := q.open[c.ID]
	if open == nil {
		return
	}
	closed := adapters.RequestClosed{Key: open.key, Outcome: protocol.OutcomeCancelled}
	switch {
	case c.Cancelled:
	case c.Confirmed != nil && *c.Confirmed:
		closed.Outcome, closed.Option = protocol.OutcomeAllowed, protocol.AllowOnce
	case c.Confirmed != nil:
		closed.Outcome, closed.Option = protocol.OutcomeDenied, protocol.DenyContinue
	case c.Value != nil:
		closed.Outcome, closed.Answers = protocol.OutcomeAnswered, [][]string{{*c.Value}}
	}
	q.forget(c.ID)
	out.Draft(closed)
}

func (q *requests) forget(id string) {
	delete(q.native, q.open[id].key)
	delete(q.open, id)
}

// dropAbout closes the dialogs about a call that has ended: Pi no longer waits for them.
func (q *requests) dropAbout(entry adapters.EntryKey, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(q.native)) {
		id := q.native[key]
		if open := q.open[id]; open.entry == entry {
			outcome := protocol.OutcomeCancelled
			if open.timed {
				outcome = protocol.OutcomeExpired
			}
			q.forget(id)
			out.Draft(adapters.RequestClosed{Key: key, Outcome: outcome})
		}
	}
}

// dropAll cancels what is open, towards Pi as well: it would wait for ever.
func (q *requests) dropAll(out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(q.native)) {
		id := q.native[key]
		send(out, command{ID: id, Type: "extension_ui_response", Cancelled: true})
		q.forget(id)
		out.Draft(adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled})
	}
}
