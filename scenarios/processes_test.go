package scenarios

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestNothingLeft ends the daemon in order, and then a daemon whose predecessor was killed, in the middle of a turn whose
// agent has left a stubborn process behind: nothing of the agents is left each time.
// Proves: I2/term, I2/left
func TestNothingLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			p := newBuilt(t, t.TempDir())
			if err := p.start(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			id := createSession(ctx, t, p)
			prompt(ctx, t, p, id, `[{"spawn": {"for": "10m", "stubborn": true, "hold": true}}, {"say": {"text": "left behind"}}, {"stall": {}}]`, "")
			await(ctx, t, p, id, func(s *protocol.SessionState) bool { return stateOf(s) == protocol.StateResponding })
			if n := len(marked(p.instance)); n < 2 {
				t.Fatalf("%d processes carry the marker, want the agent and what it left behind", n)
			}
			if sig == syscall.SIGKILL {
				if err := p.kill(false, 0); err != nil {
					t.Fatal(err)
				}
				if err := p.start(); err != nil {
					t.Fatal(err)
				}
				await(ctx, t, p, id, func(s *protocol.SessionState) bool {
					return stateOf(s) == protocol.StateIdle && len(s.Turns) == 1 && openTurns(s) == 0
				})
			}
			if err := p.drain(); err != nil {
				t.Fatal(err)
			}
			for _, problem := range p.problems(false) {
				t.Error(problem)
			}
		})
	}
}

// TestSecondDaemon starts a second daemon on a folder that one works on: it is told so, with a hint, and the first one goes
// on.
// Proves: I2/second
func TestSecondDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	p := newBuilt(t, t.TempDir())
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	second := &built{t: t, path: p.path, data: p.data, root: p.root}
	err := second.start()
	if err == nil {
		second.kill(false, 0)
		t.Fatal("a second daemon runs on the same folder")
	}
	for _, want := range []string{"Another daemon, process ", " works on the data folder", "ringmaster down", "--data"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q", err, want)
		}
	}
	createSession(t.Context(), t, p)
	if err := p.drain(); err != nil {
		t.Error(err)
	}
	for _, problem := range p.problems(false) {
		t.Error(problem)
	}
}

func openTurns(s *protocol.SessionState) (n int) {
	for _, turn := range s.Turns {
		if turn.Status == "" {
			n++
		}
	}
	return n
}
