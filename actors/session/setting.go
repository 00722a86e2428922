package session

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

// settingGrace is how long an agent's answer to a setting is waited for.
const settingGrace = 10 * time.Second

// settings is what the running agent offers, and what it was told of models and modes.
type settings struct {
	offered adapters.Offered
	asked   map[string]*Choose // by the command's id: clients wait
	pending map[string]Setting // likewise: choices that waited, and nobody waits for the answer
	told    map[Setting]string // of those: what this agent was told, at its start or since
	count   int                // of commands
}

// noSettings is what a link without settings has; nobody writes to it.
var noSettings settings

// choices is what there is to read of the settings; most sessions have nothing.
func (l *link) choices() *settings {
	if l.settings == nil {
		return &noSettings
	}
	return l.settings
}

// chosen is where to note something of the settings.
func (l *link) chosen() *settings {
	if l.settings == nil {
		l.settings = &settings{asked: map[string]*Choose{}, pending: map[string]Setting{}, told: map[Setting]string{}}
	}
	return l.settings
}

// startedWith notes what the agent is started with.
func (l *link) startedWith(model, mode string) {
	l.settings = nil
	if model != "" {
		l.chosen().told[SettingModel] = model
	}
	if mode != "" {
		l.chosen().told[SettingMode] = mode
	}
}
