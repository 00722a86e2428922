//go:build failpoint

package failpoint_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// TestMain lets the test's own program be the process that dies: it writes a line for every hit that it survives.
func TestMain(m *testing.M) {
	switch os.Getenv("FAILPOINT_TEST") {
	case "hit":
		for range 5 {
			failpoint.Hit("journal/beforeSync")
			_, _ = io.WriteString(os.Stdout, "survived\n")
		}
		_, _ = os.Stdout.Write([]byte{'0' + byte(failpoint.Size("x", 1)), '0' + byte(failpoint.Size("y", 2))})
		os.Exit(0)
	case "torn":
		failpoint.Torn("journal/midWrite", os.Stdout, bytes.Repeat([]byte("x"), 1000))
		os.Exit(0)
	}
	leaks.Main(m)
}

func run(t *testing.T, what string, env ...string) (out string, killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "FAILPOINT_TEST="+what)...)
	b, err := cmd.Output()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	killed = ok && status.Signaled() && status.Signal() == syscall.SIGKILL
	if err != nil && !killed {
		t.Fatal(err)
	}
	return string(b), killed
}

func TestHit(t *testing.T) {
	counters := filepath.Join(t.TempDir(), "hits")
	if out, killed := run(t, "hit", "RINGMASTER_FAILPOINT=journal/beforeSync#3@0s", "RINGMASTER_FAILPOINT_HITS="+counters); !killed || out != "survived\nsurvived\n" {
		t.Errorf("third hit: killed %v, said %q", killed, out)
	}
	if out, killed := run(t, "hit", "RINGMASTER_FAILPOINT=journal/afterSync#1@0s", "RINGMASTER_FAILPOINT_HITS="+counters); killed || strings.Count(out, "survived") != 5 {
		t.Errorf("another point: killed %v, said %q", killed, out)
	}
	b, err := os.ReadFile(counters)
	if err != nil || len(b) != 8*(len(failpoint.Points())+1) {
		t.Fatalf("%d bytes of counters, %v", len(b), err)
	}
	if n := binary.NativeEndian.Uint64(b[8*slices.Index(failpoint.Points(), "journal/beforeSync"):]); n != 3+5 {
		t.Errorf("%d hits counted", n)
	}
	armed := []string{"RINGMASTER_FAILPOINT=journal/beforeSync#+2@0s", "RINGMASTER_FAILPOINT_HITS=" + counters}
	if out, killed := run(t, "hit", armed...); killed || strings.Count(out, "survived") != 5 {
		t.Errorf("not yet: killed %v, said %q", killed, out)
	}
	b[len(b)-8] = 1
	if err := os.WriteFile(counters, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, killed := run(t, "hit", armed...); !killed || out != "survived\n" {
		t.Errorf("now: killed %v, said %q", killed, out)
	}
}

func TestTorn(t *testing.T) {
	if out, killed := run(t, "torn", "RINGMASTER_FAILPOINT=journal/midWrite#1@3ms"); !killed || strings.Trim(out, "x") != "" || len(out) > 1000 {
		t.Errorf("killed %v, wrote %d bytes", killed, len(out))
	}
	if out, killed := run(t, "torn"); killed || out != "" {
		t.Errorf("not armed: killed %v, wrote %q", killed, out)
	}
}

func TestSize(t *testing.T) {
	if out, _ := run(t, "hit", "RINGMASTER_FAILPOINT_SIZES=x=7,z=9"); !strings.HasSuffix(out, "72") {
		t.Errorf("sizes: %q", out)
	}
}
