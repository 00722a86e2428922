package house

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

const (
	agentsBegin = "<!-- agents table, written by: go test -run TestAgentsTable ./house -update -->\n"
	agentsEnd   = "<!-- end of the agents table -->\n"
)

// The README names each agent of this build, and adapters/README.md says what its Capabilities say.
func TestAgentsTable(t *testing.T) {
	named, text := string(read(t, "README.md")), string(read(t, "adapters/README.md"))
	before, rest, begins := strings.Cut(text, agentsBegin)
	_, after, ends := strings.Cut(rest, agentsEnd)
	if !begins || !ends {
		t.Fatalf("adapters/README.md: no place for the agents table, between %q and %q", agentsBegin, agentsEnd)
	}
	head, line := "| |", "|---|"
	var rows []string
	for _, a := range daemon.Agents(datafolder.Folder{Path: "/data"}, "") {
		if !strings.Contains(named, "\n| `"+a.Name()+"` |") {
			t.Errorf("README.md: the table of agents has no row for %s", a.Name())
		}
		head += " `" + a.Name() + "` |"
		line += "---|"
		c := a.Capabilities()
		for i, can := range c.Abilities() {
			if i == len(rows) {
				rows = append(rows, "| "+can.Name+": "+can.Says+" |")
			}
			rows[i] += " " + cmp.Or(can.Can, "–") + " |"
		}
	}
	table := head + "\n" + line + "\n" + strings.Join(rows, "\n") + "\n"
	want := before + agentsBegin + table + agentsEnd + after
	if text == want {
		return
	}
	if !*update {
		t.Fatal("adapters/README.md: the agents table is not the one of the code; write it with -update")
	}
	if err := os.WriteFile("adapters/README.md", []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Tests of packages that may not know the program have lists of agents of their own, and the real agents' table has a file for each.
func TestAgentsAreListed(t *testing.T) {
	for _, a := range daemon.Agents(datafolder.Folder{Path: "/data"}, "") {
		name := a.Name()
		if name == "scripted" {
			continue
		}
		for file, says := range map[string]string{
			"supervisor/archive/whole_test.go":          name + ".Agent{}",
			"scenarios/live/agent_" + name + "_test.go": `"` + name + `"`,
		} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
			} else if !strings.Contains(string(text), says) {
				t.Errorf("%s has no %s", file, says)
			}
		}
	}
}
