package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxSteps bounds the steps of a plan.
const maxSteps = 200

// plan is the agent's list of steps of the turn that runs: one entry per turn.
type plan struct {
	key  adapters.EntryKey
	last *protocol.PlanData // as last told; nil: nothing yet
}

// planUpdate are the parameters of turn/plan/updated: the list is whole each time.
type planUpdate struct {
	TurnID      string     `json:"turnId"`
	Explanation string     `json:"explanation"`
	Plan        []planStep `json:"plan"`
}

type planStep struct {
	Step   string `json:"step"`
	Status string `json:"status"`
}

// data is the plan's entry, its texts cut to limit bytes.
func (u *planUpdate) data(limit int) *protocol.PlanData {
	var b strings.Builder
	if u.Explanation != "" {
		b.WriteString(u.Explanation + "\n\n")
	}
	d := &protocol.PlanData{}
	left := limit
	for _, s := range u.Plan[:min(len(u.Plan), maxSteps)] {
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
	d.Text = native.CutMember(b.String(), "text", limit, &d.Extra)
	return d
}

// update says what the plan is now.
func (p *plan) update(d *protocol.PlanData, k *native.Counter[adapters.EntryKey], out *adapters.Output) {
	if p.last == nil {
		p.key = k.Next()
		out.Draft(adapters.EntryOpened{Key: p.key, Type: protocol.EntryPlan, Data: d})
	} else if d.Text != p.last.Text {
		out.Draft(adapters.EntryChanged{Key: p.key, Delta: &protocol.TextSet{Text: d.Text}})
	}
	p.last = d
}

// close ends the turn's plan with what it was last.
func (p *plan) close(out *adapters.Output) {
	if p.last != nil {
		out.Draft(adapters.EntryClosed{Key: p.key, Data: p.last})
		p.last = nil
	}
}
