package stream

import (
	"github.com/ringmaster-agents/ringmaster/api/operation"
)

// Register serves the log in its three forms.
func (l *Logs) Register(t *operation.Table) {
	l.registerLog(t)
	l.registerEvents(t)
	l.registerStream(t)
}
