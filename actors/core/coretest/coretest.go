// Package coretest is the suite that every core.Core must pass. A Core brings a Place: itself, and what can befall it.
package coretest

import (
	"strings"
	"testing"
)

// Run holds a Core against its contract. each makes an empty place.
func Run(t *testing.T, each func(t *testing.T) *Place) {
	for _, c := range []struct {
		name string
		run  func(s *suite)
	}{
		{"lives of a node have growing numbers", lives},
		{"a session is registered", registered},
		{"a trimmed log is registered", trimmed},
		{"sessions are taken again", again},
		{"what Core has forgotten is told again", reclaimed},
		{"an earlier life takes nothing", earlierLife},
		{"what cannot be a session is not taken", noSessions},
		{"held sessions are found", held},
		{"a session is removed", removed},
		{"batches are taken one behind the other", appended},
		{"each batch is judged by itself", judged},
		{"epochs begin with batches", epochs},
		{"a cut puts events aside", cuts},
		{"a cut that cannot be is not taken", wrongCuts},
		{"notes are kept", notes},
		{"any bytes are kept", anyBytes},
		{"what is handed over is copied", copies},
		{"ranges begin and end at any event", ranges},
		{"what has changed is found", changed},
		{"a large log is read", large},
		{"a reading does not mix logs", overtaken},
		{"what was put aside is found in order", superseded},
		{"a node is seen when it has beaten", beats},
		{"what a node is said to have is what it has taken", holdings},
		{"who is silent is declared dead", declared},
		{"who may declare", mayDeclare},
		{"who is not declared", notDeclared},
		{"behind an outage nobody is dead", outage},
		{"a clock that jumps kills nobody", jumps},
		{"a clock that goes back is lived with", goesBack},
		{"nodes drain and leave", departures},
		{"a node is forgotten", forgotten},
		{"a session is released", released},
		{"what is not released", notReleased},
		{"a lost session is claimed", lost},
		{"an epoch that a claim began for nothing is taken back", takenBack},
		{"a session that a later life does not take is lost", untaken},
		{"why a session is not claimed", refusals},
		{"who cannot claim", unable},
		{"families are claimed whole", families},
		{"many claim at once", claimants},
		{"what a claim wants", wants},
		{"a session is revived by hand", revived},
		{"a log works behind what is told", works},
		{"failover is told", failover},
		{"a node that was paused", paused},
		{"a call ends with its context", contexts},
		{"a closed way says so", closed},
		{"anything in any order", walk},
		{"owners fight", fight},
		{"nodes come and go in any order", walkPlaced},
		{"nodes fight", fightPlaced},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := &suite{TB: t, Place: each(t), ctx: t.Context()}
			s.core = s.way()
			c.run(s)
		})
	}
}
