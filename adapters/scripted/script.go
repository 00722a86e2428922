package scripted

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Script says what the agent does. SCRIPT.md describes its JSON form.
type Script struct {
	Start   []Step   // before the first command is read
	Ignore  []string // "stdin", "term", "abort"
	Turns   []*Turn  // the first that matches a prompt answers it
	Default *Turn    // answers the others; nil: the echo
}

// Turn is the answer to one prompt.
type Turn struct {
	Match *regexp.Regexp // nil: matches every prompt
	Times int            // answers so many prompts; 0: any number
	Steps []Step

	used int
}

// Parse reads a script. It is strict: unknown members are errors, so that a typing error does not silently become a
// scenario that tests nothing.
func Parse(data []byte) (*Script, error) {
	var wire struct {
		Name    string          `json:"name"`
		Start   json.RawMessage `json:"start"`
		Ignore  []string        `json:"ignore"`
		Turns   []wireTurn      `json:"turns"`
		Default *wireTurn       `json:"default"`
	}
	if err := strict(data, &wire); err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	s := &Script{Ignore: wire.Ignore}
	var err error
	if err = checkIgnore(wire.Ignore); err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	if s.Start, err = parseSteps(wire.Start, "start"); err != nil {
		return nil, err
	}
	for _, step := range s.Start {
		if !beforeReady(step) {
			return nil, fmt.Errorf("script: start: %T needs a prompt", step)
		}
	}
	for i, w := range wire.Turns {
		t, err := w.turn(fmt.Sprintf("turns[%d]", i))
		if err != nil {
			return nil, err
		}
		s.Turns = append(s.Turns, t)
	}
	if wire.Default != nil {
		if s.Default, err = wire.Default.turn("default"); err != nil {
			return nil, err
		}
	}
	return s, nil
}

type wireTurn struct {
	Match string          `json:"match"`
	Times int             `json:"times"`
	Steps json.RawMessage `json:"steps"`
}

func (w wireTurn) turn(where string) (*Turn, error) {
	t := &Turn{Times: w.Times}
	var err error
	if w.Match != "" {
		if t.Match, err = regexp.Compile(w.Match); err != nil {
			return nil, fmt.Errorf("script: %s.match: %w", where, err)
		}
	}
	t.Steps, err = parseSteps(w.Steps, where+".steps")
	return t, err
}

// turnFor picks the answer to a prompt; nil: the echo. A message into a running turn is answered by a turn that matches
// it expressly or not at all.
func (s *Script) turnFor(text string, steered bool) *Turn {
	for _, t := range s.Turns {
		if t.Times > 0 && t.used >= t.Times || t.Match == nil && steered {
			continue
		}
		if t.Match == nil || t.Match.MatchString(text) {
			t.used++
			return t
		}
	}
	if steered {
		return nil
	}
	return s.Default
}

const fence = "```"

// inPrompt finds the script that a prompt carries: a block fenced as "script" that holds a list of steps.
func inPrompt(text string) (steps []Step, found bool, err error) {
	_, rest, ok := strings.Cut("\n"+text, "\n"+fence+"script\n")
	if !ok {
		return nil, false, nil
	}
	body, _, ok := strings.Cut("\n"+rest, "\n"+fence)
	if !ok {
		return nil, true, fmt.Errorf("script: the block in the prompt has no end")
	}
	steps, err = parseSteps([]byte(body), "prompt")
	return steps, true, err
}
