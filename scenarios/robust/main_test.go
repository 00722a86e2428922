package robust

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// settings are what the environment asks for.
type settings struct {
	perPoint, random int
	seed             uint64
	arenas           int
	restarts, stops  int
}

var (
	built  string // the built daemon, with fault points
	wanted settings
	began  = time.Now()
	found  []figures.Figure // by the tests, one after the other
	again  []figures.Figure // by TestRestarts: a lane of its own, as its times want an idle machine
)

func TestMain(m *testing.M) {
	text, on := os.LookupEnv("RINGMASTER_ROBUST")
	if !on {
		os.Exit(m.Run()) // every test skips
	}
	if err := read(text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	dir, err := makeTemp("ringmaster-robust-")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "ringmaster")
	out, err := exec.Command("go", "build", "-tags", "failpoint", "-o", built, "../../cmd/ringmaster").CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := invariant.Code(m.Run(), os.Stderr)
	if code == 0 && len(found) > 0 {
		code = record("robust", "task robust", found)
	}
	if code == 0 && len(again) > 0 {
		code = record("restarts", "task robust -- --restarts", again)
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func record(lane, command string, list []figures.Figure) (code int) {
	if err := figures.Record(lane, command, list...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func read(text string) error {
	if _, err := fmt.Sscan(text, &wanted.perPoint, &wanted.random); err != nil {
		return fmt.Errorf("RINGMASTER_ROBUST=%q: want two numbers: %w", text, err)
	}
	wanted.seed, wanted.arenas = uint64(began.UnixNano()), 3
	for name, set := range map[string]func(int){
		"SEED":     func(n int) { wanted.seed = uint64(n) },
		"ARENAS":   func(n int) { wanted.arenas = n },
		"RESTARTS": func(n int) { wanted.restarts = n },
		"STOPS":    func(n int) { wanted.stops = n },
	} {
		text := os.Getenv("RINGMASTER_ROBUST_" + name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("RINGMASTER_ROBUST_%s=%q: want a number", name, text)
		}
		set(n)
	}
	return nil
}

// keep makes a folder that is left for whoever looks into a failure.
func keep(t *testing.T, name string) string {
	t.Helper()
	dir, err := makeTemp("ringmaster-" + name + "-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("everything is kept in %s", dir)
		} else if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func makeTemp(pattern string) (string, error) { return os.MkdirTemp("", pattern) }

// sinceBegan is the clock of all histories.
func sinceBegan() time.Duration { return time.Since(began) }

// run says how to repeat what this run does, at a point.
func run(point string, files []string) audit.Run {
	only := ""
	if p := os.Getenv("RINGMASTER_ROBUST_POINT"); p != "" {
		only = " RINGMASTER_ROBUST_POINT=" + p
	}
	return audit.Run{
		Seed: wanted.seed, Point: point, Files: files,
		Command: fmt.Sprintf("RINGMASTER_ROBUST_SEED=%d%s tools/robust.sh %d %d %d %d",
			wanted.seed, only, wanted.perPoint, wanted.random, wanted.restarts, wanted.stops),
	}
}
