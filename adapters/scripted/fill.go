package scripted

import (
	"encoding/json"
	"strings"
)

// texts has what is put into texts of the script: values by their placeholders. Before the first prompt there are none.
type texts map[string]json.RawMessage

// begin takes the prompt of a run.
func (t texts) begin(prompt string) {
	t["{{prompt}}"] = encode(prompt)
	t.answered("")
}

// answered takes the last answer of the user.
func (t texts) answered(value string) { t["{{answer}}"] = encode(value) }

// keep makes a result known to later texts and arguments: {{name}}, and {{name.member}} for each member.
func (t texts) keep(name string, result json.RawMessage) {
	if name == "" {
		return
	}
	t["{{"+name+"}}"] = result
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) == nil {
		for member, value := range members {
			t["{{"+name+"."+member+"}}"] = value
		}
	}
}

// fill puts the values into a text of the script.
func (t texts) fill(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var pairs []string
	for placeholder, value := range t {
		pairs = append(pairs, placeholder, textOf(value))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// fillJSON does the same inside the strings of a JSON value. A string that is a placeholder and nothing else becomes the value itself.
func (t texts) fillJSON(raw json.RawMessage) json.RawMessage {
	if !strings.Contains(string(raw), "{{") {
		return raw
	}
	var pairs []string
	for placeholder, value := range t {
		text := encode(textOf(value))
		pairs = append(pairs, `"`+placeholder+`"`, string(value), placeholder, string(text[1:len(text)-1]))
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
