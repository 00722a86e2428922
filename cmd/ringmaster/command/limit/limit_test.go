package limit

import (
	"encoding/json"
	"testing"
)

// TestParse reads budgets as people write them.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"none":   `{}`,
		"cost=5": `{"tree":{"costMicros":5000000}}`,
		"session.turns=20, tree.work=2h,warn=90%":           `{"session":{"turns":20},"tree":{"workMs":7200000},"warnAt":90}`,
		"tokens=1000,session.calls=3,children=2,action=end": `{"session":{"toolCalls":3},"tree":{"tokens":1000,"children":2},"action":"end"}`,
		"cost=0": "", "tokens=-1": "", "work=5": "", "family.tokens=1": "", "money=1": "", "turns": "", "cost=x": "", "warn=x": "",
	} {
		b, err := Parse(text)
		got := ""
		if err == nil {
			body, _ := json.Marshal(b)
			got = string(body)
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", text, got, want, err)
		}
	}
}
