package journal_test

import (
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// thorough says that the whole proof is asked for (tools/disk.sh) and not its short form.
var thorough = os.Getenv("RINGMASTER_DISK") == "full"

// step takes every n-th case only, where the whole proof is not asked for.
func step(n int) int {
	if thorough {
		return 1
	}
	return n
}

// tally is what this run counted.
var tally figures.Tally

func TestMain(m *testing.M) {
	if !thorough {
		leaks.Main(m)
	}
	os.Exit(tally.Main(leaks.Checked(m), "disk", "task disk"))
}
