package desk

import "github.com/ringmaster-agents/ringmaster/protocol/resource"

// Setting is what can be chosen for a session.
type Setting string

// The settings.
const (
	Model  Setting = "model"
	Mode   Setting = "mode"
	Policy Setting = "policy" // the mode of the policy, whose rules stay
)

// ListChoices wants to know which models or modes a session can have.
type ListChoices struct {
	Session string
	What    Setting
}

// Choose chooses one.
type Choose struct {
	Session string
	What    Setting
	Value   string
}

// Choices are the models or modes that a session can have.
type Choices struct {
	Session          string
	What             Setting
	List             []resource.OfferedChoice
	Current, Pending string
	Others           bool   // the agent takes others as well
	Err              string // why they could not be read; empty: they could
}

func (ListChoices) wish() {}
func (Choose) wish()      {}
func (Choices) news()     {}
