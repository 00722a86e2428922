package session

import (
	"fmt"
	"maps"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// MaxLabels is how many labels a session may have.
const MaxLabels = 64

func (s *State) change(in *Change) {
	if s.end != nil { // nothing follows session_end
		s.answer(in, func() { in.Fail(errEnded()) })
		return
	}
	labels := mergeLabels(s.meta.Labels, in.Labels)
	if len(labels) > MaxLabels {
		s.answer(in, func() {
			in.Fail(&protocol.Problem{
				Code: protocol.CodeInvalidRequest, Detail: "There would be too many labels.", Hint: fmt.Sprintf("At most %d.", MaxLabels),
			})
		})
		return
	}
	if maps.Equal(labels, s.meta.Labels) {
		labels = nil
	}
	s.metaChanged(protocol.SessionMeta{Title: in.Title, Labels: labels})
	s.answer(in, func() { in.Send(Done{}) })
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
