package scenarios

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/fake"
)

// folderOf is where an agent's own scenarios lie. Those of pi are about the session: its protocol is the scripted agent's.
func folderOf(agent string) string {
	if agent == "pi" {
		return "pi_wire"
	}
	return agent
}

// shown are the scenarios that an agent needs which can do what it says.
func shown(c adapters.Capabilities) []string {
	names := []string{
		"lost_in_text", "lost_in_a_tool", "lost_by_an_end", "lost_by_a_status", "lost_while_it_asks", "lost_without_a_word",
		"stopped_by_a_user", "stopped_in_a_tool", "stopped_by_a_restart", "stopped_by_its_parent", "failed_by_its_provider", "session_fails",
	}
	answers := map[string]string{
		protocol.AllowOnce: "approval_allowed", protocol.AllowAlways: "approval_always",
		protocol.DenyContinue: "approval_denied", protocol.DenyStop: "approval_denied_and_stopped",
	}
	for _, option := range c.Approvals {
		names = append(names, answers[option])
	}
	for name, can := range map[string]bool{
		"question": c.Questions, "resume": c.Resume, "sub_agent": c.SubAgents, "lost_with_a_sub_agent": c.SubAgents,
		"cut_and_back": c.Attach, "lost_with_its_server": c.Attach, "lost_for_good": c.Attach,
	} {
		if can {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestAgentsAreShown: what an agent says that it can do, and each way in which it can be lost or stopped, is a scenario of its own lines.
//
// Proves: I10.4/approvals, I10.4/lost
func TestAgentsAreShown(t *testing.T) {
	for name := range programVariables {
		agent, err := playing(&fake.Stage{}, name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, scenario := range shown(agent.Capabilities()) {
			text, err := os.ReadFile(folderOf(name) + "/" + scenario + ".txtar")
			if err != nil {
				t.Errorf("%s has no scenario %s", name, scenario)
			} else if !strings.Contains(string(text), " for "+name+"\n") {
				t.Errorf("%s/%s plays no script for %s", folderOf(name), scenario, name)
			}
		}
	}
}
