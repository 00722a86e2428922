package scripted

import (
	"encoding/json"
	"strings"
)

// fill puts the prompt and the last answer of the user into a text of the script.
func (a *agent) fill(text string) string {
	if a.run == nil || !strings.Contains(text, "{{") {
		return text
	}
	return strings.NewReplacer("{{prompt}}", a.run.prompt, "{{answer}}", a.run.reply.value).Replace(text)
}

// fillJSON does the same inside the strings of a JSON value.
func (a *agent) fillJSON(raw json.RawMessage) json.RawMessage {
	if a.run == nil || !strings.Contains(string(raw), "{{") {
		return raw
	}
	inner := func(s string) string { q := encode(s); return string(q[1 : len(q)-1]) }
	return json.RawMessage(strings.NewReplacer("{{prompt}}", inner(a.run.prompt), "{{answer}}", inner(a.run.reply.value)).Replace(string(raw)))
}
