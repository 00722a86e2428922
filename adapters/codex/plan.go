package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxSteps bounds the steps of a plan.
const maxSteps = 200

// planUpdated takes the agent's list of steps, which is whole each time: one entry per turn.
func (t *Translator) planUpdated(params []byte, out *adapters.Output) {
	var p struct {
		TurnID      string `json:"turnId"`
		Explanation string `json:"explanation"`
		Plan        []struct {
			Step   string `json:"step"`
			Status string `json:"status"`
		} `json:"plan"`
	}
	_ = native.Decode(params, &p)
	if !t.locate(p.TurnID, out) {
		return
	}
	t.atWork(out)
	var b strings.Builder
	if p.Explanation != "" {
		b.WriteString(p.Explanation + "\n\n")
	}
	d := &protocol.PlanData{}
	left := t.limit
	for _, s := range p.Plan[:min(len(p.Plan), maxSteps)] {
		status, mark := "pending", "[ ]"
		switch s.Status {
		case "completed":
			status, mark = s.Status, "[x]"
		case "inProgress", "in_progress":
			status, mark = "in_progress", "[~]"
		}
		b.WriteString(mark + " " + s.Step + "\n")
		step := native.Head(s.Step, left)
		left -= len(step)
		d.Steps = append(d.Steps, protocol.PlanStep{Text: step, Status: status})
	}
	d.Text = native.CutMember(b.String(), "text", t.limit, &d.Extra)
	it := t.turn.plan
	if it == nil {
		it = &item{key: t.entry()}
		t.turn.plan = it
		out.Draft(adapters.EntryOpened{Key: it.key, Type: protocol.EntryPlan, Data: d})
	} else if d.Text != it.plan.Text {
		out.Draft(adapters.EntryChanged{Key: it.key, Delta: &protocol.TextSet{Text: d.Text}})
	}
	it.plan = d
}

// closePlan ends the turn's plan with what it was last.
func (t *Translator) closePlan(out *adapters.Output) {
	if it := t.turn.plan; it != nil {
		t.turn.plan = nil
		out.Draft(adapters.EntryClosed{Key: it.key, Data: it.plan})
	}
}
