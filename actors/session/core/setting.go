package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Setting is what can be chosen while a session runs.
type Setting string

// The settings. Their names are those of the API.
const (
	SettingModel Setting = "model"
	SettingMode  Setting = "mode"
)

// When says when a choice is to take effect. The empty value means now.
type When string

// The times of a choice.
const (
	WhenNow  When = "now"
	WhenIdle When = "idle" // when no turn runs
)

// Applied says when a choice takes effect.
type Applied string

// The times at which a choice takes effect.
const (
	AppliedNow      Applied = "now"       // from the next model request on
	AppliedNextTurn Applied = "next_turn" // the agent's word: from the next turn on
	AppliedWhenIdle Applied = "when_idle" // the agent is told when its turn has ended
	AppliedAtStart  Applied = "at_start"  // no agent is ready: it is told when it is
)

// Chosen answers Choose.
type Chosen struct{ Applied Applied }

// Choice is a model or a mode, in the agent's own words.
type Choice = adapters.Choice

// Offers answers Choices. They are kept in memory only.
type Offers struct {
	KnownModels, KnownModes bool // false: no agent runs, or it has not said
	Models, Modes           []adapters.Choice
	// AllModels says that there are no models but these. Of modes there are never others.
	AllModels                 bool
	Model, Mode               string // in force; empty: not known
	PendingModel, PendingMode string // chosen, and not in force yet
}

// SettingGrace is how long an agent's answer to a setting is waited for.
const SettingGrace = 10 * time.Second
