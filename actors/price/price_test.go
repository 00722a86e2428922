package price

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const file = `{
  "m-1": {"input": 1.25, "cachedInput": 0.125, "output": 10, "reasoningOutput": 20},
  "*": {"input": 1, "output": 2},
  "m-*": {"input": 3, "output": 4},
  "*/m-2*fast": {"input": 5, "output": 6},
  "m-2*": {"input": 7, "output": 8}
}`

func parsed(t *testing.T, text string) *Table {
	t.Helper()
	table, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestOf: a name comes before patterns, and of patterns the one that says the most.
//
// Proves: I13.11/prices
func TestOf(t *testing.T) {
	table := parsed(t, file)
	for model, want := range map[string]float64{
		"m-1": 1.25, "m-3": 3, "m-2": 7, "m-22": 7, "other": 1, "p/m-2-fast": 5, "p/q/m-2fast": 5, "p/m-2-slow": 1, "m-": 3, "m": 1, "M-1": 1,
	} {
		if r, is := table.Of(model); !is || r.Input != want {
			t.Errorf("%s: %v, want %v", model, r.Input, want)
		}
	}
	if _, is := table.Of(""); is {
		t.Error("nobody knows the model, and it has a price")
	}
	if _, is := parsed(t, `{"aba*aba": {"input": 1, "output": 1}}`).Of("ababa"); is {
		t.Error("the two ends of a pattern share letters of the name")
	}
	if _, is := (*Table)(nil).Of("m-1"); is {
		t.Error("there is a price without a file")
	}
	var b *Book
	if b.Now() != nil {
		t.Error("there is a table without a book")
	}
}

// TestCost: each kind of token has its own price, and what an agent says that cannot be makes no cost below zero.
//
// Proves: I13.11/prices
func TestCost(t *testing.T) {
	table := parsed(t, file)
	for _, c := range []struct {
		model, usage, want string
	}{
		{
			"m-1", `{"inputTokens":1200,"cachedInputTokens":800,"outputTokens":40,"reasoningOutputTokens":10,"totalTokens":1240}`,
			`{"input":0.0005,"output":0.0005,"cacheRead":0.0001,"total":0.0011,"estimated":true}`,
		},
		{"m-3", `{"inputTokens":1200,"cachedInputTokens":800,"outputTokens":40,"reasoningOutputTokens":10}`, `{"input":0.0012,"output":0.00016,"cacheRead":0.0024,"total":0.00376,"estimated":true}`},
		{"m-3", `{"inputTokens":1,"outputTokens":0}`, `{"input":3e-06,"output":0,"cacheRead":0,"total":3e-06,"estimated":true}`},
		{"m-3", `{"inputTokens":10,"cachedInputTokens":20,"outputTokens":-5,"reasoningOutputTokens":7}`, `{"input":0,"output":0,"cacheRead":3e-05,"total":3e-05,"estimated":true}`},
		{"m-3", `{"inputTokens":-10,"cachedInputTokens":-20}`, `{"input":0,"output":0,"cacheRead":0,"total":0,"estimated":true}`},
	} {
		var u protocol.Usage
		if err := json.Unmarshal([]byte(c.usage), &u); err != nil {
			t.Fatal(err)
		}
		r, _ := table.Of(c.model)
		e := protocol.Event{Seq: 1, Payload: &protocol.TokenUsage{Cost: r.Cost(&u)}}
		line := string(protocol.Append(nil, &e))
		if _, got, _ := strings.Cut(line, `"cost":`); got != c.want+"}\n" && got != c.want+"}" {
			t.Errorf("%s %s: %s, want %s", c.model, c.usage, got, c.want)
		}
	}
}

// TestFaults: a fault has the line on which it stands.
//
// Proves: I13.11/prices
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		``:                              `line 1: the file is no object`,
		`[]`:                            `line 1: the file is no object`,
		"{\n\"m\": 1}":                  `line 2: "m" is no object`,
		"{\n\"m\": {\n\"input\": \"1\"": `line 3: input of "m" is no number from 0 to 1000000`,
		`{"m": {"input": -1}}`:          `line 1: input of "m" is no number from 0 to 1000000`,
		`{"m": {"input": 1e300}}`:       `line 1: input of "m" is no number from 0 to 1000000`,
		`{"m": {"input": 1}}`:           `line 1: "m" needs input and output`,
		"{\"m\": {\"input\": 1,\n\"outptu\": 2}}":            `line 2: "m" has the unknown member "outptu": want input, output, cachedInput and reasoningOutput`,
		`{"m": {"input": 1, "input": 2}}`:                    `line 1: "m" has input twice`,
		"{\"m\": {\"input\": 1, \"output\": 1},\n\"m\": {}}": `line 2: "m" is there twice`,
		`{"": {"input": 1, "output": 1}}`:                    `line 1: the name of a model has 1 to 256 bytes`,
		`{"m": {"input": 1, "output": 1}`:                    `line 1: the file does not end`,
		`{"m": {"input": 1, "output": 1}} {`:                 `line 1: there is something behind the end of the object`,
		"{\n\n\"m\": {\"input\": 1 \"output\": 1}}":          `line 3: invalid character '"' after object key:value pair`,
		`{"` + strings.Repeat("m", 300) + `": {}}`:           `line 1: the name of a model has 1 to 256 bytes`,
	} {
		_, err := Parse([]byte(text))
		var f *FileError
		if !errors.As(err, &f) || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

// FuzzParse: whatever the file is, it is a table or a fault, and a pattern fits or does not.
func FuzzParse(f *testing.F) {
	f.Add(file, "m-1")
	f.Add(`{"*a**b*": {"input": 1, "output": 1}}`, "ab")
	f.Fuzz(func(t *testing.T, text, model string) {
		table, err := Parse([]byte(text))
		var fault *FileError
		if err != nil && (!errors.As(err, &fault) || fault.Line < 1) {
			t.Errorf("%v is no fault with a line", err)
		}
		table.Of(model)
	})
}
