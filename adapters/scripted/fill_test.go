package scripted

import "testing"

// A value stands in a text as text, and in place of a whole string of JSON as itself. What it says itself is not filled in.
func TestFill(t *testing.T) {
	values := texts{}
	values.keep("made", []byte(`{"id":"a\"b","count":3}`))
	values.begin(`say "{{made.id}}"`)
	for text, want := range map[string]string{
		"plain":                      "plain",
		"{{made.id}} {{made.count}}": `a"b 3`,
		"{{prompt}}{{answer}}":       `say "{{made.id}}"`,
		"{{other}}":                  "{{other}}",
	} {
		if got := values.fill(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		`{"n":"{{made.count}}","all":"{{made}}"}`: `{"n":3,"all":{"id":"a\"b","count":3}}`,
		`{"s":"n {{made.count}} {{made.id}}"}`:    `{"s":"n 3 a\"b"}`,
		`{"s":"{{prompt}}"}`:                      `{"s":"say \"{{made.id}}\""}`,
	} {
		if got := string(values.fillJSON([]byte(text))); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	values.answered("yes")
	values.begin("next")
	if got := values.fill("{{prompt}}, {{answer}}, {{made.count}}"); got != "next, , 3" {
		t.Errorf("in the next run: %s", got)
	}
	if got := (texts{}).fill("{{prompt}}"); got != "{{prompt}}" {
		t.Errorf("before the first prompt: %s", got)
	}
}
