package droid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Modes join two settings of Droid, what it works on and what it may do without asking:
//
//	normal       carries out; asks before everything but reading
//	auto-low     edits files and runs what only reads without asking
//	auto-medium  also what can be undone
//	auto-high    everything
//	spec         reads and plans; the plan is an approval
//
// These are the words of Droid's own autonomyMode, which its protocol calls obsolete.
const (
	modeNormal = "normal"
	modeAuto   = "auto-" // and an autonomy level
	modeSpec   = "spec"

	interactionAuto = "auto"
	interactionSpec = "spec"
	levelOff        = "off"
)

// settingsParams are what a session is to be set to. The pointers leave out of a request what stays as it is.
type settingsParams struct {
	ModelID         *string `json:"modelId,omitempty"`
	InteractionMode *string `json:"interactionMode,omitempty"`
	AutonomyLevel   *string `json:"autonomyLevel,omitempty"`
}

// knownLevels are the autonomy levels that have a word above.
var knownLevels = []string{levelOff, "low", "medium", "high"}

// setMode puts a mode into settings; false: it is none.
func (s *settingsParams) setMode(mode string) bool {
	interaction, level := interactionAuto, levelOff
	switch after, isAuto := strings.CutPrefix(mode, modeAuto); {
	case mode == modeSpec:
		interaction = interactionSpec
		s.InteractionMode = &interaction // the level stays: it counts once the plan is approved
		return true
	case mode == modeNormal:
	case isAuto && after != levelOff && slices.Contains(knownLevels, after):
		level = after
	default:
		return false
	}
	s.InteractionMode, s.AutonomyLevel = &interaction, &level
	return true
}

// mode is the mode of a session with these settings; empty: not known.
func (s *settingsWire) mode() string { return modeOf(s.InteractionMode, s.AutonomyLevel) }

func modeOf(interaction, level string) string {
	switch {
	case interaction != "" && interaction != interactionAuto:
		return interaction
	case level == levelOff:
		return modeNormal
	case level != "":
		return modeAuto + level
	}
	return ""
}

// modes are what one may choose, where the organisation allows these levels.
func modes(levels []string) []adapters.Choice {
	if levels == nil {
		levels = knownLevels
	}
	list := []adapters.Choice{}
	for _, level := range knownLevels {
		if !slices.Contains(levels, level) {
			continue
		}
		c := adapters.Choice{ID: modeOf(interactionAuto, level)}
		switch level {
		case levelOff:
			c.Label = "Normal: ask before everything but reading"
		case "low":
			c.Label = "Auto (low): edit files and run read-only commands"
		case "medium":
			c.Label = "Auto (medium): run reversible commands"
		case "high":
			c.Label = "Auto (high): run everything"
		}
		list = append(list, c)
	}
	return append(list, adapters.Choice{ID: modeSpec, Label: "Spec: read and plan"})
}

func unknownMode(mode string) string {
	var ids []string
	for _, c := range modes(nil) {
		ids = append(ids, c.ID)
	}
	return fmt.Sprintf("Droid has no mode %q, but %s", mode, strings.Join(ids, ", "))
}
