package adapter

import "github.com/ringmaster-agents/ringmaster/adapters"

// maxTold bounds the memory of told. A session's new actor sends again only commands that wait or were just decided, which are far fewer.
const maxTold = 4096

// told remembers the newest prompts, answers and settings that were passed on: a session's new actor sends the last ones again, since it cannot
// know which its predecessor has sent, and the agent must get each once.
type told struct {
	known map[any]struct{} // prompt ids (string), request keys and ids of settings
	order []any            // oldest first
}

// setting is the id of a SetModel or SetMode, which is no prompt's.
type setting string

// first says whether a command was not passed on before.
func (t *told) first(c adapters.Command) bool {
	var key any
	switch c := c.(type) {
	case adapters.Prompt:
		key = c.ID
	case adapters.Answer:
		key = c.Key
	case adapters.SetModel:
		key = setting(c.ID)
	case adapters.SetMode:
		key = setting(c.ID)
	case adapters.Interrupt:
		return true
	}
	if _, known := t.known[key]; known {
		return false
	}
	if t.known == nil {
		t.known = map[any]struct{}{}
	}
	if t.known[key] = struct{}{}; len(t.known) > maxTold {
		delete(t.known, t.order[0])
		t.order = t.order[1:]
	}
	t.order = append(t.order, key)
	return true
}
