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
	w.askedEdits(t)
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
