package recordings

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// agents are those of this build but the scripted one, which was never recorded.
var agents = slices.DeleteFunc(daemon.Agents(datafolder.Folder{}, ""), func(a adapters.Agent) bool {
	_, is := a.(scripted.Agent)
	return is
})

// recorded is one recording.
type recorded struct {
	agent adapters.Agent
	name  string // agent and name, without folder and ending
	raw   []byte
}

// every reads all recordings of all agents: those of testdata/recordings, and Codex's own session files.
func every(t testing.TB) []recorded {
	t.Helper()
	var all []recorded
	for _, agent := range agents {
		dir := os.DirFS("../../adapters/" + agent.Name() + "/testdata")
		for _, folder := range []string{"recordings", "rollouts"} {
			err := fs.WalkDir(dir, folder, func(name string, _ fs.DirEntry, err error) error {
				if errors.Is(err, fs.ErrNotExist) && name == "rollouts" {
					return nil
				}
				if err != nil || !strings.HasSuffix(name, ".jsonl") {
					return err
				}
				raw, err := fs.ReadFile(dir, name)
				label := agent.Name() + "/"
				if folder == "rollouts" {
					label += "rollout/"
				}
				all = append(all, recorded{agent, label + strings.TrimSuffix(path.Base(name), ".jsonl"), raw})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.SortFunc(all, func(a, b recorded) int { return strings.Compare(a.name, b.name) })
	return all
}

// least is how many recordings of some agents there are at least; of others, one.
var least = map[string]int{"claude": 42, "codex": 58, "droid": 42, "opencode": 48, "pi": 42}

// convert makes the logs of the recording, or of something like it.
func (f *recorded) convert(t testing.TB, raw []byte) []*log {
	t.Helper()
	return convertAs(t, conversion.Options{Agent: f.agent, Start: time.UnixMilli(0)}, bytes.NewReader(raw))
}

// TestEveryRecording: each of every agent gives whole logs.
func TestEveryRecording(t *testing.T) {
	found := map[string]int{}
	for _, f := range every(t) {
		found[f.agent.Name()]++
		t.Run(f.name, func(t *testing.T) {
			if len(f.convert(t, f.raw)) == 0 {
				t.Error("no log")
			}
		})
	}
	for _, a := range agents {
		if n := max(1, least[a.Name()]); found[a.Name()] < n {
			t.Errorf("%d recordings of %s, want %d", found[a.Name()], a.Name(), n)
		}
	}
}
