package pi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// dialogs are the questions of extensions that wait for an answer. Pi itself asks nothing: an extension that wants tool
// calls approved shows a confirm whose title is "approve:" and the call's id.
type dialogs struct {
	open map[string]*dialog // by native id
	keys map[adapters.RequestKey]string
}

type dialog struct {
	key    adapters.RequestKey
	entry  adapters.EntryKey
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

func (t *Translator) dialogRequest(line []byte, out *adapters.Output) {
	var r uiRequest
	_ = native.Decode(line, &r)
	switch r.Method {
	case "confirm", "select", "input", "editor":
	case "notify":
		level := r.NotifyType
		if level != "warning" && level != "error" {
			level = "info"
		}
		out.Draft(adapters.Notice{Level: level, Kind: "notify", Text: native.Head(r.Message, maxNoticed)})
		return
	case "setStatus", "setWidget", "setTitle", "set_editor_text":
		return // about a terminal that is not there
	default:
		native.Keep("extension_ui_request."+r.Method, line, out)
		return
	}
	if t.dialogs.open[r.ID] != nil {
		return
	}
	if t.run.aborting {
		// The abort waits for this one, too.
		send(out, command{ID: r.ID, Type: "extension_ui_response", Cancelled: true})
		return
	}
	t.requests++
	d := &dialog{key: t.requests, method: r.Method, timed: r.Timeout > 0}
	req := adapters.RequestOpened{Key: d.key, Within: max(0, r.Timeout)}
	if r.Method == "confirm" {
		req.Request = t.approval(&r, d)
	} else {
		req.Request = t.question(&r, d)
	}
	req.Entry = d.entry
	t.dialogs.open[r.ID] = d
	t.dialogs.keys[d.key] = r.ID
	out.Draft(req)
}

// approval reads a confirm. One about a tool call carries the call as JSON in its message.
func (t *Translator) approval(r *uiRequest, d *dialog) protocol.RequestOpened {
	q := protocol.RequestOpened{
		Kind: protocol.RequestApproval, Title: r.Title, ToolKind: protocol.ToolOther,
		Options: []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow"}, {ID: protocol.DenyContinue, Label: "Deny"}},
	}
	q.Text, _ = native.Cut(r.Message, t.spec.TextLimit())
	id, ok := strings.CutPrefix(r.Title, approveTitle)
	if !ok {
		return q
	}
	var call struct {
		ToolName string          `json:"toolName"`
		Input    json.RawMessage `json:"input"`
	}
	if native.Decode([]byte(r.Message), &call) == nil && call.ToolName != "" {
		q.ToolName = call.ToolName
	}
	if c := t.tools[id]; c != nil && !c.closed {
		d.entry = c.key
		q.ToolName = c.name
	}
	if q.ToolName != "" {
		q.ToolKind = toolKind(q.ToolName)
		q.Title = "Allow " + q.ToolName + "?"
	}
	if len(call.Input) > 0 {
		q.Subject = subject(q.ToolKind, call.Input)
		q.Text, _ = native.Cut(summary(q.ToolKind, call.Input), t.spec.TextLimit())
		s := t.spec.MCP
		if kind, about, own := s.Asked(s.Tool(q.ToolName, "mcp__", "__"), call.Input); own {
			q.ToolKind, q.Subject = kind, cut(about)
		}
	}
	return q
}

// summary is the input of a call for people: its command where it runs one.
func summary(kind protocol.ToolKind, input json.RawMessage) string {
	if command := subject(kind, input); kind == protocol.ToolExecute && command != "" {
		return command
	}
	return native.Compact(input)
}

// question reads a select, input or editor. It belongs to the tool call that runs, if only one does.
func (t *Translator) question(r *uiRequest, d *dialog) protocol.RequestOpened {
	q := protocol.Question{Text: r.Title}
	for _, o := range r.Options {
		q.Options = append(q.Options, protocol.Option{ID: o, Label: o})
	}
	q.FreeText = r.Method != "select"
	q.Prefill, _ = native.Cut(r.Prefill, t.spec.TextLimit())
	req := protocol.RequestOpened{
		Kind: protocol.RequestQuestion, Title: r.Title, Text: r.Placeholder, Questions: []protocol.Question{q},
	}
	var running []*tool
	for _, c := range t.openTools() {
		if c.running {
			running = append(running, c)
		}
	}
	if len(running) == 1 {
		d.entry, req.ToolName = running[0].key, running[0].name
	}
	return req
}

// answer sends the answer to a dialog; one that is no longer open needs none.
func (t *Translator) answer(a adapters.Answer, out *adapters.Output) {
	id, ok := t.dialogs.keys[a.Key]
	if !ok {
		return
	}
	d := t.dialogs.open[id]
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
	t.dialogs.forget(id)
	send(out, c)
}

// answered reports that somebody else answered.
func (d *dialogs) answered(c *command, out *adapters.Output) {
	open := d.open[c.ID]
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
	d.forget(c.ID)
	out.Draft(closed)
}

func (d *dialogs) forget(id string) {
	delete(d.keys, d.open[id].key)
	delete(d.open, id)
}

// dropOf closes the dialogs about a call that has ended: Pi no longer waits for them.
func (d *dialogs) dropOf(entry adapters.EntryKey, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(d.keys)) {
		id := d.keys[key]
		if open := d.open[id]; open.entry == entry {
			outcome := protocol.OutcomeCancelled
			if open.timed {
				outcome = protocol.OutcomeExpired
			}
			d.forget(id)
			out.Draft(adapters.RequestClosed{Key: key, Outcome: outcome})
		}
	}
}

// dropAll cancels what is open, towards Pi as well: it would wait for ever.
func (d *dialogs) dropAll(out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(d.keys)) {
		id := d.keys[key]
		send(out, command{ID: id, Type: "extension_ui_response", Cancelled: true})
		d.forget(id)
		out.Draft(adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled})
	}
}
