package conformance

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// place is a place in a recording: behind its first n records, in one session.
type place struct {
	file    string
	n       int
	session int // its number; 0: no place
	request adapters.RequestKey
}

// witness is what the recordings show.
type witness struct {
	suite *Suite

	questions, children, usage, cost, resumed bool

	options map[string]place // by the id of an approval's option: where one was first offered
	idle    place            // a session that is ready and in no turn
	turn    place            // a session in a turn
	offered adapters.Offered // at turn, or later in its recording
}

// watch goes through one recording.
func (w *witness) watch(t testing.TB, file string) {
	records := w.suite.read(t, file)
	player := w.suite.player()
	ready := map[int]bool{}
	for i, r := range records {
		for _, said := range player.Play(copied(r)) {
			at := place{file: file, n: i + 1, session: said.Session.Number}
			root := said.Session.Parent == nil
			for _, d := range said.Drafts {
				switch d := d.(type) {
				case adapters.Ready:
					ready[at.session] = true
					w.resumed = w.resumed || said.Session.Incarnations > 1
					if w.idle.session == 0 && root {
						w.idle = at
					}
				case adapters.TurnBegan:
					if w.turn.session == 0 && root && ready[at.session] {
						w.turn = at
					}
				case adapters.RequestOpened:
					at.request = d.Key
					w.request(&d.Request, at)
				case adapters.ChildBegan:
					w.children = true
				case adapters.Used:
					w.usage = true
					w.cost = w.cost || d.Usage.Cost != nil
				case adapters.Offered:
					if len(d.Models) > 0 && w.offered.Models == nil {
						w.offered.Models = d.Models
					}
					if len(d.Modes) > 0 && w.offered.Modes == nil {
						w.offered.Modes = d.Modes
					}
				default:
				}
			}
		}
	}
}

func (w *witness) request(r *protocol.RequestOpened, at place) {
	if r.Kind != protocol.RequestApproval {
		w.questions = true
		return
	}
	for _, o := range r.Options {
		if _, known := w.options[o.ID]; !known {
			w.options[o.ID] = at
		}
	}
}

// tell plays a recording up to a place and gives a command there.
func (w *witness) tell(t testing.TB, at place, c adapters.Command) adapters.Output {
	t.Helper()
	if at.session == 0 {
		t.Errorf("%T: no recording has a place for it", c)
		return adapters.Output{}
	}
	player := w.suite.player()
	for _, r := range w.suite.read(t, at.file)[:at.n] {
		player.Play(copied(r))
	}
	out, ok := player.Command(player.Sessions()[at.session-1], c)
	if !ok {
		t.Errorf("%T: the session has gone at its place in %s", c, at.file)
	}
	for _, line := range out.Lines {
		if problem := lineProblem(line); problem != "" {
			t.Errorf("%T: line %q: %s", c, line, problem)
		}
	}
	return out
}

func says(lines [][]byte, text string) bool {
	return slices.ContainsFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(text)) })
}

// choice is the last one that was offered, which is least likely the one in force.
func choice(offered []adapters.Choice) string {
	if len(offered) == 0 {
		return "another"
	}
	return offered[len(offered)-1].ID
}
