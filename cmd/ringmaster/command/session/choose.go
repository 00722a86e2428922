package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// choose puts options and texts into an answer.
func choose(asked *protocol.RequestOpened, options, texts []string, a *resource.RequestAnswer) (err error) {
	if asked != nil && asked.Kind == protocol.RequestApproval {
		if len(options) != 1 || len(texts) > 0 {
			return exit.Usagef("an approval takes one --option")
		}
		a.Option, err = pick(asked.Options, options[0])
		return err
	}
	a.Outcome = protocol.OutcomeAnswered
	if asked != nil && asked.Kind == protocol.RequestCallerTool {
		if len(options) > 0 || len(texts) != 1 {
			return exit.Usagef("a caller's tool gives one --text")
		}
		a.Result, err = json.Marshal(texts[0])
		return err
	}
	for i, o := range options {
		var known []protocol.Option
		if asked != nil && i < len(asked.Questions) {
			known = asked.Questions[i].Options
		}
		choices, err := pickSome(known, o)
		if err != nil {
			return err
		}
		a.Answers = append(a.Answers, choices)
	}
	for _, text := range texts {
		a.Answers = append(a.Answers, []string{text})
	}
	return nil
}

// pickSome finds the ids of one option or, separated by commas, of several. A label may have commas of its own, so the whole goes first.
func pickSome(known []protocol.Option, names string) ([]string, error) {
	if one, err := pick(known, names); err == nil && len(known) > 0 {
		return []string{one}, nil
	}
	var list []string
	for _, name := range strings.Split(names, ",") {
		one, err := pick(known, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, one) {
			return nil, exit.Usagef("%q names the option %q twice", names, one)
		}
		list = append(list, one)
	}
	return list, nil
}

// pick finds the id of an option by the id itself, the label in any case of letters, or the number from 1. Of a request
// that is not open any more nothing is known: the daemon will say who answered it.
func pick(known []protocol.Option, name string) (string, error) {
	if len(known) == 0 {
		return name, nil
	}
	ids := make([]string, 0, len(known))
	for _, o := range known {
		if o.ID == name {
			return o.ID, nil
		}
	}
	for _, o := range known {
		if strings.EqualFold(o.Label, name) {
			return o.ID, nil
		}
		ids = append(ids, o.ID)
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(known) {
		return known[n-1].ID, nil
	}
	return "", exit.Usagef("there is no option %q; there are: %s, or their numbers 1 to %d", name, strings.Join(ids, ", "), len(known))
}
