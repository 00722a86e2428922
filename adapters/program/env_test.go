package program

import (
	"slices"
	"testing"
)

func TestWithDefaults(t *testing.T) {
	env := make([]string, 2, 8)
	copy(env, []string{"A=1", "LONG_B=2"})
	got := WithDefaults(env, "A=9", "B=3", "EMPTY=", "B=4")
	if want := []string{"A=1", "LONG_B=2", "B=3", "EMPTY="}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if rest := env[:3]; rest[2] != "" {
		t.Errorf("the environment that was given has changed: %q", rest)
	}
}
