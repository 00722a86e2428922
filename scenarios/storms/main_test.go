package storms

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// fullEnv makes the storms full size; its value is how long the storm of reconnects lasts.
const fullEnv = "RINGMASTER_STORMS"

// programEnv names a program to look at, such as a released one, instead of that of this tree.
const programEnv = "RINGMASTER_STORMS_PROGRAM"

// scale is how hard the storms blow.
type scale struct {
	full     bool
	storm    time.Duration // of reconnects
	clients  int           // that reconnect
	working  int           // sessions meanwhile
	stalled  int           // readers that stop reading
	trickles int           // connections that hardly say anything
	crowd    int           // sessions beside those that crash
	crashing int           // sessions whose agent dies again and again
	flood    time.Duration
	giant    int64 // bytes of one line
	probes   int   // latencies that a percentile is made of
	cycles   int   // of joining and leaving, in process
}

var (
	brief = scale{
		storm: 2 * time.Second, clients: 200, working: 4, stalled: 60, trickles: 150, crowd: 12, crashing: 1,
		flood: time.Second, giant: 200 << 20, probes: 40, cycles: 20_000,
	}
	size = brief
)

// program is the built binary.
var program string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if text := os.Getenv(fullEnv); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return fail(fmt.Errorf("%s=%q is no duration", fullEnv, text))
		}
		size = scale{
			full: true, storm: d, clients: 2000, working: 20, stalled: 1000, trickles: 4000, crowd: 495, crashing: 5,
			flood: 10 * time.Second, giant: 10_000_000_000, probes: 300, cycles: 1_000_000,
		}
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil { // they wait most of the time
		return fail(err)
	}
	dir, err := os.MkdirTemp("", "storms-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	if program = os.Getenv(programEnv); program == "" {
		program = filepath.Join(dir, "ringmaster")
	}
	code := leaks.Checked(m).Run()
	if code == 0 && size.full {
		if err := record(); err != nil {
			return fail(err)
		}
	}
	return code
}

// build builds the program, once and only where a test needs it.
var build = sync.OnceValue(func() error {
	if os.Getenv(programEnv) != "" {
		return nil
	}
	out, err := exec.Command("go", "build", "-o", program, "../../cmd/ringmaster").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
})

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// needProcess skips where the daemon cannot be started and looked at.
func needProcess(t *testing.T) {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("-short: starts processes")
	case runtime.GOOS != "linux":
		t.Skip("the daemon is looked at through /proc")
	case raceEnabled:
		t.Skip("-race: the daemon is a process of its own, built without the detector, and slow clients would measure themselves")
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
}

var errNever = errors.New("it did not come about")
