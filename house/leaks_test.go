package house

import (
	"path"
	"strings"
	"testing"
)

// leakers are folders whose tests are not looked at for what they leave, with the reason.
var leakers = map[string]string{
	"scenarios/bench":  "a lane of processes that measure one another",
	"scenarios/live":   "a lane with the real agents, which looks itself for the processes that they leave",
	"scenarios/robust": "a lane that kills processes and keeps its files where it fails",
}

// The tests of a package leave nothing behind: no goroutine, no descriptor, no temporary file. Package leaks looks.
func TestTestsLeaveNothing(t *testing.T) {
	looked := map[string]bool{}
	for _, s := range sources(t) {
		if !s.isTest() {
			continue
		}
		folder := path.Dir(s.path)
		if folder == "house" {
			continue // these rules read files
		}
		text := string(read(t, s.path))
		looks := strings.Contains(text, "func TestMain(") && (strings.Contains(text, "leaks.Main(") || strings.Contains(text, "leaks.Checked(")) ||
			folder == "scenarios/leaks"
		looked[folder] = looked[folder] || looks
	}
	for folder, looks := range looked {
		if leakers[folder] == "" && !looks {
			t.Errorf("%s: nobody looks at what its tests leave: func TestMain(m *testing.M) { leaks.Main(m) }", folder)
		}
		if leakers[folder] != "" && looks {
			t.Errorf("%s: take it off the list", folder)
		}
	}
	for folder := range leakers {
		if _, there := looked[folder]; !there {
			t.Errorf("%s is on the list and has no tests", folder)
		}
	}
}
