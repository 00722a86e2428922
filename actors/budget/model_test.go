package budget

import (
	"fmt"
	"slices"
	"testing"
)

// TestNamedModels: however many models agents name, few are told of, and always the same ones.
func TestNamedModels(t *testing.T) {
	seen := Models{}
	if n := len(seen.Named()); n != 0 {
		t.Fatalf("%d of none", n)
	}
	var want []Model
	for i := range 100 {
		m := Model{"pi", fmt.Sprintf("model-%02d", i)}
		seen[m] = struct{}{}
		want = append(want, m)
	}
	first := Model{"codex", ""}
	seen[first] = struct{}{}
	if got := seen.Named(); !slices.Equal(got, append([]Model{first}, want[:maxNamed-1]...)) {
		t.Errorf("%v", got)
	}
}
