package core

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// MaxLabels is how many labels a session may have.
const MaxLabels = 64

func (s *work) change(in *Change) {
	if s.end != nil { // nothing follows session_end
		refuse(&s.writer, in.Ticket, errEnded())
		return
	}
	labels := mergeLabels(s.meta.Labels, in.Labels)
	if len(labels) > MaxLabels {
		refuse(&s.writer, in.Ticket, &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "There would be too many labels.", Hint: fmt.Sprintf("At most %d.", MaxLabels),
		})
		return
	}
	if maps.Equal(labels, s.meta.Labels) {
		labels = nil
	}
	policy, err := in.Policy.applyTo(s.policy)
	if err != nil {
		refuse(&s.writer, in.Ticket, err)
		return
	}
	s.metaChanged(protocol.SessionMeta{Title: in.Title, TitleGiven: in.Title != nil && *in.Title != "", Labels: labels, Policy: policy})
	answer(&s.writer, in.Ticket, Done{})
}

// PolicyPatch changes members of a policy. nil leaves a member as it is, the zero value takes it away.
type PolicyPatch struct {
	Clear    bool // all of it, first
	Mode     *protocol.PolicyMode
	Rules    *[]protocol.PolicyRule
	Deadline *int64
	Default  *protocol.PolicyAction
}

// applyTo gives the policy after the patch, checked; nil: it is what it was.
func (p *PolicyPatch) applyTo(have *protocol.Policy) (*protocol.Policy, error) {
	if p == nil {
		return nil, nil
	}
	var now protocol.Policy
	if have != nil && !p.Clear {
		now = *have
	}
	set(&now.Mode, p.Mode)
	set(&now.Rules, p.Rules)
	set(&now.Deadline, p.Deadline)
	set(&now.Default, p.Default)
	if have == nil {
		have = &protocol.Policy{}
	}
	if reflect.DeepEqual(&now, have) {
		return nil, nil
	}
	return &now, now.Check()
}

// mergeLabels applies a patch here and not at the edge, so that of two patches at once neither is lost.
func mergeLabels(have map[string]string, patch map[string]*string) map[string]string {
	merged := make(map[string]string, len(have)+len(patch))
	maps.Copy(merged, have)
	for k, v := range patch {
		if v == nil {
			delete(merged, k)
		} else {
			merged[k] = *v
		}
	}
	return merged
}
