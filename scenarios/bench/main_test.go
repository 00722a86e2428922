package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command"
	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

var (
	program = flag.String("program", "", "the built daemon; empty: nothing is measured")
	repeats = flag.Int("repeats", 5, "how often each ratio is measured: the median counts")
	profile = flag.String("profile", "", "folder for CPU profiles: the daemon is then this test binary, and its figures are not recorded")
)

// TestMain is also the agent and the reference program, by the name under which it is started.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "pi":
		generate()
	case "choir":
		sing(os.Args[1])
	case "reference":
		serveReference()
	case "bridge":
		serveBridge()
	case "ringmaster":
		os.Exit(profiled())
	default:
		flag.Parse()
		code := invariant.Code(m.Run(), os.Stderr)
		if *profile == "" {
			code = max(code, record())
		}
		os.Exit(code)
	}
}

// lanes are those of tests that are also run by themselves, each with its command. A test is of the lane with whose name its own begins.
var lanes = map[string]struct{ lane, command string }{
	"TestFed":   {"fed", "task fed"},
	"TestPeers": {"peers", "task bench:peers"},
	"Test":      {"bench", "task bench:system"},
}

func laneOf(test string) string {
	prefix := "Test"
	for p := range lanes {
		if strings.HasPrefix(test, p) && len(p) > len(prefix) {
			prefix = p
		}
	}
	return prefix
}

func record() (code int) {
	for prefix, list := range found {
		l := lanes[prefix]
		if err := figures.Record(l.lane, l.command, list...); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}

// profiled is the daemon with a CPU profile of its whole life.
func profiled() int {
	f, err := os.Create(os.Getenv(profileEnv))
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer f.Close()
	defer pprof.StopCPUProfile()
	return command.Main()
}

const profileEnv = "RINGMASTER_CPUPROFILE"

// found are the figures of each lane.
var found = map[string][]figures.Figure{}

// figure notes a figure, and whether it reaches its goal.
func figure(t *testing.T, f figures.Figure) {
	t.Helper()
	miss := ""
	if f.Missed {
		miss = "   MISSED"
	}
	t.Logf("%-60s %12.4g %-12s goal %s%s", f.Name, f.Value, f.Unit, f.Goal, miss)
	lane := laneOf(t.Name())
	found[lane] = append(found[lane], f)
}

// atMost and atLeast hold a value against a goal.
func atMost(t *testing.T, name string, value, goal float64, unit string) {
	t.Helper()
	figure(t, figures.Figure{Name: name, Value: round(value), Unit: unit, Goal: fmt.Sprintf("≤ %g", goal), Missed: value > goal})
}

func atLeast(t *testing.T, name string, value, goal float64, unit string) {
	t.Helper()
	figure(t, figures.Figure{Name: name, Value: round(value), Unit: unit, Goal: fmt.Sprintf("≥ %g", goal), Missed: value < goal})
}

// aside notes a value that has no goal.
func aside(t *testing.T, name string, value float64, unit string) {
	t.Helper()
	figure(t, figures.Figure{Name: name, Value: round(value), Unit: unit, Goal: "none"})
}

func round(v float64) float64 {
	var r float64
	_, _ = fmt.Sscanf(fmt.Sprintf("%.3g", v), "%g", &r)
	return r
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}

// medians repeats a measurement that gives several values, and gives the median of each.
func medians(t *testing.T, names []string, measure func() []float64) map[string]float64 {
	t.Helper()
	lists := make([][]float64, len(names))
	for range *repeats {
		for i, v := range measure() {
			lists[i] = append(lists[i], v)
		}
	}
	out := map[string]float64{}
	for i, name := range names {
		out[name] = median(lists[i])
	}
	return out
}
