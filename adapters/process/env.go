package process

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// ownPrefix begins the daemon's own variables.
const ownPrefix = "RINGMASTER_"

// EnvPolicy says which of the daemon's variables an agent gets. Patterns are names, or beginnings of names followed by
// an asterisk ("AWS_*"). Deny wins over Allow; an empty Allow allows everything.
type EnvPolicy struct {
	Allow []string
	Deny  []string
}

// Environment makes an agent's environment of the daemon's. An agent is a user's program and needs the user's
// environment (PATH, HOME, proxies, its own keys), but the daemon's own variables never go to it: they may carry its
// token and its address, and an agent that was talked into calling the daemon must not find them (threat T19). marker is
// the value of adapters.MarkerEnv; empty: none.
func Environment(parent []string, policy EnvPolicy, marker string) []string {
	env := make([]string, 0, len(parent)+1)
	for _, v := range parent {
		name, _, ok := strings.Cut(v, "=")
		if !ok || name == "" || strings.HasPrefix(name, ownPrefix) || matches(policy.Deny, name) {
			continue
		}
		if len(policy.Allow) > 0 && !matches(policy.Allow, name) {
			continue
		}
		env = append(env, v)
	}
	if marker != "" {
		env = append(env, adapters.MarkerEnv+"="+marker)
	}
	return env
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if begin, ok := strings.CutSuffix(p, "*"); ok && strings.HasPrefix(name, begin) || p == name {
			return true
		}
	}
	return false
}

// markerIn returns the marker in an environment; the last one counts, as for the program itself.
func markerIn(env []string) string {
	marker := ""
	for _, v := range env {
		if m, ok := strings.CutPrefix(v, adapters.MarkerEnv+"="); ok {
			marker = m
		}
	}
	return marker
}
