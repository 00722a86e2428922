package doctor

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// The doctor says of every agent but the scripted one whether it is set up.
func TestSetups(t *testing.T) {
	for _, a := range daemon.Agents(datafolder.Folder{}, "") {
		if _, is := a.(scripted.Agent); is {
			continue
		}
		if s, known := setups[a.Name()]; !known || s.login == "" || len(s.files)+len(s.keys) == 0 {
			t.Errorf("setups does not say where the login of %s is, and what makes it", a.Name())
		}
	}
}
