package native_test

import (
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// TestDecodeExact: members of other cases are none, the last of the same name counts, and wrong types stay zero.
func TestDecodeExact(t *testing.T) {
	type inner struct {
		Old string `json:"old"`
	}
	type outer struct {
		Command string  `json:"command,omitempty"`
		Number  int     `json:"number"`
		Edits   []inner `json:"edits"`
		In      inner   `json:"in"`
	}
	for text, want := range map[string]outer{
		`{"command":"a","Command":"b","COMMAND":7,"commanD":"c"}`: {Command: "a"},
		`{"Command":"b"}`:                                            {},
		`{"command":"a","command":"b"}`:                              {Command: "b"},
		`{"command":7,"number":1}`:                                   {Number: 1},
		`{"edits":[{"old":"a","Old":"b"},{"OLD":"c"},7],"Edits":[]}`: {Edits: []inner{{"a"}, {}, {}}},
		`{"in":{"old":"a","oLd":"b"}}`:                               {In: inner{"a"}},
		`{"edits":7,"in":"x"}`:                                       {Edits: []inner{}},
		`7`:                                                          {},
		`{"command":"a\u0000","\u0063ommand":"d"}`:                   {Command: "d"},
	} {
		var got outer
		if err := native.DecodeExact([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if native.DecodeExact([]byte(`{`), &outer{}) == nil {
		t.Error("half an object is read")
	}
}
