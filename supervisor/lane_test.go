package supervisor_test

import (
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// thorough says that the whole proof is asked for (tools/disk.sh) and not its short form.
var thorough = os.Getenv("RINGMASTER_DISK") == "full"

// tally is what this run counted.
var tally figures.Tally

func TestMain(m *testing.M) {
	if !thorough {
		leaks.Main(m)
	}
	os.Exit(tally.Main(leaks.Checked(m), "disk-daemon", "task disk"))
}
