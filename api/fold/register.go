package fold

import (
	"github.com/ringmaster-agents/ringmaster/api/operation"
)

// Register serves both.
func (s *States) Register(t *operation.Table) {
	s.registerState(t)
	s.registerText(t)
}
