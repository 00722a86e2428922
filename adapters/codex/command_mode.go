package codex

import "github.com/ringmaster-agents/ringmaster/adapters"

// mode is one way to work: what may be done without asking. Codex has no word for it; these are its own presets, and its
// planning mode, which leaves them as they are.
type mode struct {
	id, label string
	policy    string // type of the sandbox policy
	start     string // the same in thread/start
	approval  string
}

const planMode = "plan"

var modes = []mode{
	{"read-only", "Read only: asks before it writes or runs anything that could", "readOnly", "read-only", "on-request"},
	{"workspace-write", "Works in its folder, asks before it goes beyond", "workspaceWrite", "workspace-write", "on-request"},
	{"full-access", "Does everything without asking", "dangerFullAccess", "danger-full-access", "never"},
	{planMode, "Plans only", "", "", ""},
}

func modeByID(id string) *mode {
	for i := range modes {
		if modes[i].id == id {
			return &modes[i]
		}
	}
	return nil
}

// modeOf is the mode of a thread with a type of sandbox policy; empty: not known, or none of those.
func modeOf(sandbox string, planning bool) string {
	if planning {
		return planMode
	}
	for _, m := range modes {
		if m.policy == sandbox && m.policy != "" {
			return m.id
		}
	}
	return ""
}

// offer is what can be chosen: the models come in pages, the modes are ours.
type offer struct {
	models []adapters.Choice // told so far, while more pages come
	asked  int               // pages that are under way
	again  bool              // one was lost with the connection
}

// maxModelPages bounds how many pages of models are asked for.
const maxModelPages = 10

// ask begins with the first page.
func (o *offer) ask(l *link, out *adapters.Output) {
	o.models = nil
	o.page(0, "", l, out)
}

func (o *offer) page(n int, cursor string, l *link, out *adapters.Output) {
	o.asked++
	l.ask(&asking{method: "model/list", page: n}, modelList{Cursor: cursor}, out)
}

// listed takes a page of models, and says all of them after the last.
func (o *offer) listed(a *asking, page modelPage, l *link, out *adapters.Output) {
	if a.mine {
		o.asked--
	}
	for _, m := range page.Data {
		if m.Model == "" {
			m.Model = m.ID
		}
		if m.Model != "" && !m.Hidden && !offers(o.models, m.Model) {
			o.models = append(o.models, adapters.Choice{ID: m.Model, Label: m.Name})
		}
	}
	if page.Next != "" && a.mine && a.page+1 < maxModelPages {
		o.page(a.page+1, page.Next, l, out)
		return
	}
	all := adapters.Offered{Models: o.models}
	for _, m := range modes {
		all.Modes = append(all.Modes, adapters.Choice{ID: m.id, Label: m.label})
	}
	o.models = nil
	out.Draft(all)
}

// lose notes that what was asked for does not come any more.
func (o *offer) lose() { o.again, o.asked = o.again || o.asked > 0, 0 }

func offers(list []adapters.Choice, id string) bool {
	for _, c := range list {
		if c.ID == id {
			return true
		}
	}
	return false
}
