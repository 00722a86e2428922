package queue

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Check refuses a prompt without content, and images that are not taken.
func Check(p *resource.NewPrompt) error {
	if p.Text == "" && len(p.Images) == 0 {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "The prompt is empty.", "Send text, images or both.")
	}
	return checkImages(p.Images)
}

// Sum is of what the prompt says, whoever sends it.
func Sum(p resource.NewPrompt) string {
	p.ClientID, p.Notify = "", ""
	return supervisor.BodyOf(p)
}
