package command

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/selftest"
)

// A short self-test against the program itself: every promise holds, something was shown and killed, nothing is left.
func TestSelftest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	b := newBench(t)
	got := b.run([]string{"selftest", "--minutes", "0.02", "--dir", b.root, "--json"})
	var res selftest.Result
	if err := json.Unmarshal([]byte(got.out), &res); err != nil || got.code != exit.OK {
		t.Fatalf("exit %d, %v\n%s\n%s", got.code, err, got.out, got.err)
	}
	if !res.Held() || len(res.Promises) != 9 || res.Kills == 0 || res.Shown == 0 || res.Leftover != 0 || res.Prompts == 0 ||
		res.Sync.Count == 0 || res.SyncBatch.Count == 0 || res.Recovery.Count != res.Kills {
		t.Errorf("got %+v", res)
	}
	if left, err := os.ReadDir(b.root); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v (%v)", left, err)
	}
}

func TestSelftestForPeople(t *testing.T) {
	b := newBench(t)
	var out strings.Builder
	showSelftest(&console.Console{Out: &out, Err: &strings.Builder{}}, &selftest.Result{
		Kills: 3, Delivery: selftest.Histogram{Count: 4, P50: 1, Buckets: []selftest.Bucket{{UpTo: 1, Count: 3}, {Count: 1}}},
		Promises: []selftest.Promise{{Name: "ordered", Says: "in order"}, {Name: "unique", Says: "once", Broken: "seen twice\nat line 3"}},
	})
	for _, want := range []string{"✓ ordered", "✗ unique", "    at line 3", "kill -9", "≤ 1 ms", "longer", "not measured"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	for _, args := range [][]string{
		{"--minutes", "0"}, {"--minutes", "2000"}, {"--durability", "sometimes"}, {"--dir", "/does/not/exist"}, {"more"},
	} {
		if got := b.run(append([]string{"selftest"}, args...)); got.code != exit.Usage {
			t.Errorf("%q: exit %d, %s", args, got.code, got.err)
		}
	}
}
