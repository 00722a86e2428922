package conformance

import (
	"bytes"
	"encoding/base64"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// claims compares what the agent says it can with what its recordings show: what is claimed was seen, or is done when a
// session asks for it at a fitting place of a recording; what was seen is claimed.
func (s *Suite) claims(t testing.TB, names []string) {
	w := witness{suite: s, options: map[string]place{}}
	for _, file := range names {
		w.watch(t, file)
	}
	c := s.Agent.Capabilities()
	for _, x := range []struct {
		what          string
		claimed, seen bool
	}{
		{"Questions: a request that is no approval", c.Questions, w.questions},
		{"SubAgents: a sub-agent", c.SubAgents, w.children},
		{"Usage: tokens", c.Usage, w.usage},
		{"Cost: a cost", c.Cost, w.cost},
	} {
		switch {
		case x.claimed && !x.seen:
			t.Errorf("%s: claimed, and no recording shows it", x.what)
		case x.seen && !x.claimed:
			t.Errorf("%s: shown by a recording, and not claimed", x.what)
		}
	}
	if c.Resume && !w.resumed {
		t.Error("Resume: claimed, and in no recording a later connection of a session gets ready")
	}
	w.connections(t, &c)
	w.approvals(t, &c)
	w.commands(t, &c)
	w.given(t, &c)
	w.own(t, &c)
	w.edits(t)
}

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

// connections compares what is said of the agent's connections with the interfaces that it has.
func (w *witness) connections(t testing.TB, c *adapters.Capabilities) {
	splits, _ := w.suite.Agent.(adapters.Splitting)
	shares := splits != nil && splits.Connection(adapters.Spec{Program: "agent", Cwd: "/"}) != ""
	if c.Shared != shares {
		t.Errorf("Shared: claimed %t, and Connection says %t", c.Shared, shares)
	}
	if _, connects := w.suite.Agent.(adapters.Connector); c.Attach && !connects {
		t.Error("Attach: claimed, and the agent is no Connector")
	}
	if c.SubAgents && splits == nil {
		t.Error("SubAgents: claimed, and nothing splits their lines off")
	}
}

// approvals answers a recorded approval with each answer that it offers: the agent must be told, and of each answer something else.
func (w *witness) approvals(t testing.TB, c *adapters.Capabilities) {
	for id := range w.options {
		if !slices.Contains(c.Approvals, id) {
			t.Errorf("Approvals: %s is offered in %s, and not claimed", id, w.options[id].file)
		}
	}
	for _, id := range c.Approvals {
		at, shown := w.options[id]
		if !shown {
			t.Errorf("Approvals: %s is claimed, and no recorded approval offers it", id)
			continue
		}
		outcome := protocol.OutcomeAllowed
		if id == protocol.DenyContinue || id == protocol.DenyStop {
			outcome = protocol.OutcomeDenied
		}
		told := w.tell(t, at, adapters.Answer{Key: at.request, Outcome: outcome, Option: id})
		if len(told.Lines) == 0 {
			t.Errorf("Approvals: %s: nothing is said to the agent", id)
		}
		opposite := protocol.OutcomeAllowed
		if outcome == opposite {
			opposite = protocol.OutcomeDenied
		}
		if other := w.tell(t, at, adapters.Answer{Key: at.request, Outcome: opposite}); equalLines(told.Lines, other.Lines) {
			t.Errorf("Approvals: %s says the same to the agent as its opposite: %q", id, told.Lines)
		}
	}
}

func equalLines(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// commands gives what a session would give.
func (w *witness) commands(t testing.TB, c *adapters.Capabilities) {
	const text = "the text of a prompt"
	if c.Steer {
		if out := w.tell(t, w.turn, adapters.Prompt{ID: "p1", Text: text, Steer: true}); !says(out.Lines, text) {
			t.Errorf("Steer: the agent is not told: %q", out.Lines)
		}
	}
	if c.Images {
		picture := bytes.Repeat([]byte("picture"), 30)
		out := w.tell(t, w.idle, adapters.Prompt{ID: "p1", Text: text, Images: []adapters.Image{{MediaType: "image/png", Data: picture}}})
		if !says(out.Lines, base64.StdEncoding.EncodeToString(picture)) {
			t.Errorf("Images: the agent does not get the image: %.300q", out.Lines)
		}
	}
	if c.Models {
		w.setting(t, "Models", adapters.SetModel{ID: "s1", Model: choice(w.offered.Models)}, "s1")
	}
	if c.Modes {
		w.setting(t, "Modes", adapters.SetMode{ID: "s1", Mode: choice(w.offered.Modes)}, "s1")
	}
}

// choice is the last one that was offered, which is least likely the one in force.
func choice(offered []adapters.Choice) string {
	if len(offered) == 0 {
		return "another"
	}
	return offered[len(offered)-1].ID
}

// setting checks that a setting reaches the agent, or is answered at once.
func (w *witness) setting(t testing.TB, what string, c adapters.Command, id string) {
	out := w.tell(t, w.idle, c)
	for _, d := range out.Drafts {
		if a, ok := d.(adapters.SettingAnswered); ok && a.ID == id {
			if a.Result == adapters.SettingRefused {
				t.Errorf("%s: claimed, and refused: %s", what, a.Error)
			}
			return
		}
	}
	if len(out.Lines) == 0 {
		t.Errorf("%s: claimed, and neither is the agent told nor the session answered", what)
	}
}

func says(lines [][]byte, text string) bool {
	return slices.ContainsFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(text)) })
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
