package queue

import (
	"github.com/ringmaster-agents/ringmaster/api/operation"
)

// Register serves prompts, their places in queues, and their images.
func (q *Prompts) Register(t *operation.Table) {
	q.registerPrompts(t)
	q.registerMove(t)
	q.registerImages(t)
}
