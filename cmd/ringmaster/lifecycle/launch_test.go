package lifecycle

import (
	"os"
	"os/exec"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestLaunchYields: of two daemons that are started at once the one that does not answer is ended, however far it has come.
// Proves: I10.2/hosts
func TestLaunchYields(t *testing.T) {
	folder := datafolder.Folder{Path: t.TempDir()}
	slow := exec.CommandContext(t.Context(), "sleep", "600") // one that has not yet looked whose the folder is
	if err := slow.Start(); err != nil {
		t.Fatal(err)
	}
	run := &running{process: slow.Process}
	say := func(pid int) {
		t.Helper()
		if err := folder.WriteAddress(datafolder.Address{PID: pid}); err != nil {
			t.Fatal(err)
		}
	}
	say(slow.Process.Pid)
	if !run.answers(folder) {
		t.Error("it answers for its folder")
	}
	say(os.Getpid())
	if run.answers(folder) {
		t.Error("another one answers")
	}
	if err := slow.Wait(); err == nil || err.Error() != "signal: terminated" {
		t.Errorf("it has ended so: %v", err)
	}
}
