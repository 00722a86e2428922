package opencode

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

// asked are the requests of the agent that wait for an answer.
type asked struct {
	open map[string]*request // by the agent's id
	keys map[adapters.RequestKey]string
	// early are those about a call that was not heard of: 1.1 often asks before it says what it asks about. They wait for the
	// call, but not long.
	early []earlyRequest
	late  bool // they are opened now, whatever is known of their calls
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

// permissionWire is a request for permission, with the words of both surfaces.
type permissionWire struct {
	ID         string   `json:"id"`
	Permission string   `json:"permission"`
	Patterns   []string `json:"patterns"`
	Always     []string `json:"always"`
	Metadata   struct {
		Command  string     `json:"command"`
		FilePath string     `json:"filepath"`
		Files    []fileWire `json:"files"`
		URL      string     `json:"url"`
		Diff     string     `json:"diff"`
	} `json:"metadata"`
	Tool callWire `json:"tool"`
	// the newer surface
	Action    string   `json:"action"`
	Resources []string `json:"resources"`
	Save      []string `json:"save"`
	Source    callWire `json:"source"`
}

// callWire names a tool call.
type callWire struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

func (t *Translator) permissionAsked(e event, out *adapters.Output) {
	var p permissionWire
	_ = native.Decode(e.properties, &p)
	t.permission(&p, strings.Contains(e.kind, ".v2."), out)
}

// permission opens an approval.
func (t *Translator) permission(p *permissionWire, next bool, out *adapters.Output) {
	if p.ID == "" || t.asked.open[p.ID] != nil {
		return
	}
	if next && p.Action != "" {
		p.Permission, p.Patterns, p.Always, p.Tool = p.Action, p.Resources, p.Save, p.Source
	}
	r := &request{next: next}
	q := protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolName: p.Permission,
	}
	x := t.call(p.Tool.MessageID, p.Tool.CallID)
	if (x == nil || p.lacks(x)) && t.awaits(earlyRequest{about: p.Tool, permission: p, next: next}) {
		return
	}
	q.ToolKind = p.kind(x)
	q.Subject, q.Cwd = t.subject(p, x)
	q.Cwd = native.Head(q.Cwd, maxNoticed)
	if x != nil {
		r.entry, q.ToolName = x.key, x.tool.name
		if kind, about, own := t.ownTool(p.Permission, x.tool); own {
			q.ToolKind, q.Subject = kind, about
		}
	}
	if q.ToolKind == protocol.ToolRead && strings.HasPrefix(strings.Join(p.Patterns, "\n"), "mcp:") && q.ToolName != "read" {
		q.ToolKind, q.Subject = protocol.ToolOther, strings.Join(p.Patterns, "\n") // a resource of a server's, which may do anything
	}
	q.Subject, _ = native.Cut(q.Subject, t.spec.TextLimit())
	q.Title = "Allow " + native.Head(q.ToolName, maxWord) + "?"
	if q.ToolName != p.Permission {
		q.Title = "Allow " + native.Head(q.ToolName, maxWord) + " (" + native.Head(p.Permission, maxWord) + ")?"
	}
	q.Text, _ = native.Cut(p.shown(), t.spec.TextLimit())
	if p.Metadata.Diff != "" {
		changed := cmp.Or(diff.Rewrite(p.Metadata.Diff, t.spec.Cwd), p.Metadata.Diff)
		if len(p.Metadata.Files) > 0 {
			changed = p.changes() + "\n" + changed
		}
		q.Text, _ = native.Cut(changed, t.spec.TextLimit())
	}
	q.Options = []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow once"}}
	if len(p.Always) > 0 {
		q.Options = append(q.Options, protocol.Option{
			ID: protocol.AllowAlways, Label: "Allow always", Description: native.Head(strings.Join(p.Always, ", "), maxNoticed),
		})
	}
	q.Options = append(q.Options,
		protocol.Option{ID: protocol.DenyContinue, Label: "Deny", Description: "The agent is told and goes on."},
		protocol.Option{ID: protocol.DenyStop, Label: "Deny and stop", Description: "Everything else that it asked is refused too."})
	t.request(p.ID, r, q, out)
}

// request opens a request.
func (t *Translator) request(id string, r *request, q protocol.RequestOpened, out *adapters.Output) {
	r.key = t.requests.Next()
	t.asked.open[id] = r
	t.asked.keys[r.key] = id
	out.Draft(adapters.RequestOpened{Key: r.key, Entry: r.entry, Request: q})
}

// kind is what the agent would do: leaving the folder is what its tool does there.
func (p *permissionWire) kind(x *part) protocol.ToolKind {
	if p.Permission == "external_directory" && x != nil {
		return toolKind(x.tool.name)
	}
	return toolKind(p.Permission)
}

// toolKind says what a tool does whose permission has this name.
func toolKind(permission string) protocol.ToolKind {
	switch permission {
	case "bash":
		return protocol.ToolExecute
	case "edit", "write", "patch", "multiedit", "apply_patch":
		return protocol.ToolEdit
	case "read":
		return protocol.ToolRead
	case "glob", "grep", "list", "lsp":
		return protocol.ToolSearch
	case "webfetch", "websearch", "codesearch":
		return protocol.ToolFetch
	}
	return protocol.ToolOther
}

// permissionReplied takes somebody's answer; our own is known.
func (t *Translator) permissionReplied(properties []byte, out *adapters.Output) {
	var p struct {
		RequestID string `json:"requestID"`
		Reply     string `json:"reply"`
	}
	_ = native.Decode(properties, &p)
	t.openEarly(func(e *earlyRequest) bool { return e.id() == p.RequestID }, out)
	r := t.asked.open[p.RequestID]
	if r == nil {
		return
	}
	closed := adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}
	switch p.Reply {
	case "once":
	case "always":
		closed.Option = protocol.AllowAlways
	default:
		t.run.denied = t.run.on
		closed.Outcome, closed.Option = protocol.OutcomeDenied, protocol.DenyStop
		if r.message {
			closed.Option = protocol.DenyContinue
		}
	}
	t.asked.close(p.RequestID, closed, out)
}

// questionWire is a request for answers.
type questionWire struct {
	ID        string `json:"id"`
	Questions []struct {
		Question string `json:"question"`
		Header   string `json:"header"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
		Multiple bool  `json:"multiple"`
		Custom   *bool `json:"custom"` // any text is an answer, unless false
	} `json:"questions"`
	Tool   callWire `json:"tool"`
	Source callWire `json:"source"`
}

func (t *Translator) questionAsked(e event, out *adapters.Output) {
	var q questionWire
	_ = native.Decode(e.properties, &q)
	t.question(&q, strings.Contains(e.kind, ".v2."), out)
}

// question opens a question.
func (t *Translator) question(w *questionWire, next bool, out *adapters.Output) {
	if w.ID == "" || len(w.Questions) == 0 || t.asked.open[w.ID] != nil {
		return
	}
	if next && w.Tool.CallID == "" {
		w.Tool = w.Source
	}
	r := &request{question: true, next: next}
	req := protocol.RequestOpened{Kind: protocol.RequestQuestion, ToolName: "question", ToolKind: protocol.ToolOther}
	x := t.call(w.Tool.MessageID, w.Tool.CallID)
	if x == nil && t.awaits(earlyRequest{about: w.Tool, question: w, next: next}) {
		return
	}
	if x != nil {
		r.entry, req.ToolName = x.key, x.tool.name
	}
	for _, q := range w.Questions {
		one := protocol.Question{Header: native.Head(q.Header, maxNoticed), Multiple: q.Multiple, FreeText: q.Custom == nil || *q.Custom}
		one.Text, _ = native.Cut(q.Question, t.spec.TextLimit())
		for _, o := range q.Options {
			one.Options = append(one.Options, protocol.Option{ID: o.Label, Label: o.Label, Description: o.Description})
		}
		req.Questions = append(req.Questions, one)
	}
	if req.Title = req.Questions[0].Header; req.Title == "" {
		req.Title = native.Head(req.Questions[0].Text, maxWord)
	}
	t.request(w.ID, r, req, out)
}

func (t *Translator) questionReplied(properties []byte, out *adapters.Output) {
	var p struct {
		RequestID string      `json:"requestID"`
		Answers   *[][]string `json:"answers"` // nil: refused
	}
	_ = native.Decode(properties, &p)
	t.openEarly(func(e *earlyRequest) bool { return e.id() == p.RequestID }, out)
	r := t.asked.open[p.RequestID]
	if r == nil {
		return
	}
	closed := adapters.RequestClosed{Key: r.key, Outcome: protocol.OutcomeCancelled}
	if p.Answers != nil {
		closed.Outcome, closed.Answers = protocol.OutcomeAnswered, *p.Answers
	} else {
		t.run.denied = t.run.on
	}
	t.asked.close(p.RequestID, closed, out)
}

// close closes a request, and says so unless we have answered it.
func (a *asked) close(id string, closed adapters.RequestClosed, out *adapters.Output) {
	r := a.open[id]
	delete(a.keys, r.key)
	delete(a.open, id)
	if !r.answered {
		out.Draft(closed)
	}
}

// about says that a request about a call waits for its answer.
func (a *asked) about(entry adapters.EntryKey) bool {
	for _, r := range a.open {
		if r.entry == entry && !r.answered {
			return true
		}
	}
	return false
}

// dropAbout closes the requests about a call that has ended. OpenCode says nothing of requests that an abort has killed.
func (a *asked) dropAbout(entry adapters.EntryKey, out *adapters.Output) {
	a.drop(func(_ string, r *request) bool { return r.entry == entry }, out)
}

// dropAll closes all.
func (a *asked) dropAll(out *adapters.Output) {
	a.drop(func(string, *request) bool { return true }, out)
}

func (a *asked) drop(which func(id string, r *request) bool, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(a.keys)) {
		if id := a.keys[key]; which(id, a.open[id]) {
			a.close(id, adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled}, out)
		}
	}
}

// replySent notes a refusal with words that somebody else sends: the agent's own word on it does not tell.
func (t *Translator) replySent(path string, sent []byte) {
	for id, r := range t.asked.open {
		if strings.HasSuffix(path, "/permission/"+id+"/reply") {
			var b struct {
				Message string `json:"message"`
			}
			_ = native.Decode(json.RawMessage(sent), &b)
			r.message = b.Message != ""
		}
	}
}
