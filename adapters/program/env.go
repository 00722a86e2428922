package program

import (
	"slices"
	"strings"
)

// WithDefaults adds each NAME=value to an environment that has no NAME. It leaves env itself alone.
func WithDefaults(env []string, settings ...string) []string {
	env = slices.Clip(env)
	for _, s := range settings {
		name, _, _ := strings.Cut(s, "=")
		if !slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
			env = append(env, s)
		}
	}
	return env
}
