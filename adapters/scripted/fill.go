package scripted

import (
	"encoding/json"
	"strings"
)

// fill puts the prompt, the last answer of the user and the results of MCP tools into a text of the script.
func (a *agent) fill(text string) string {
	if a.run == nil || !strings.Contains(text, "{{") {
		return text
	}
	pairs := []string{"{{prompt}}", a.run.prompt, "{{answer}}", a.run.reply.value}
	for placeholder, value := range a.results {
		pairs = append(pairs, placeholder, textOf(value))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// fillJSON does the same inside the strings of a JSON value. A string that is a result and nothing else becomes the result itself.
func (a *agent) fillJSON(raw json.RawMessage) json.RawMessage {
	if a.run == nil || !strings.Contains(string(raw), "{{") {
		return raw
	}
	inner := func(s string) string { q := encode(s); return string(q[1 : len(q)-1]) }
	pairs := []string{"{{prompt}}", inner(a.run.prompt), "{{answer}}", inner(a.run.reply.value)}
	for placeholder, value := range a.results {
		pairs = append(pairs, `"`+placeholder+`"`, string(value), placeholder, inner(textOf(value)))
	}
	return json.RawMessage(strings.NewReplacer(pairs...).Replace(string(raw)))
}

// textOf is a JSON value in a text: a string without its quotes.
func textOf(value json.RawMessage) (text string) {
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// keep makes a result known to later texts and arguments: {{name}}, and {{name.member}} for each member.
func (a *agent) keep(name string, result json.RawMessage) {
	if name == "" {
		return
	}
	a.results["{{"+name+"}}"] = result
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) == nil {
		for member, value := range members {
			a.results["{{"+name+"."+member+"}}"] = value
		}
	}
}
