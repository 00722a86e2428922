package daemon

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// TestGroupLimit: the least of a group and those above it counts, in both versions; a group that is not there, and the word max, say nothing.
func TestGroupLimit(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"memory.max": "max\n", "a/memory.max": "1073741824\n", "a/b/memory.max": "2147483648\n", "a/b/c/memory.max": "max\n",
		"memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/x/memory.limit_in_bytes": "536870912\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for own, want := range map[string]int64{
		"0::/a/b/c\n":                          1 << 30,
		"0::/a\n":                              1 << 30,
		"0::/elsewhere\n":                      math.MaxInt64,
		"0::/\n":                               math.MaxInt64,
		"5:cpu,memory:/x/y\n0::/a\n":           1 << 29,
		"5:memory:/\n4:cpuset:/x\n":            math.MaxInt64,
		"7:pids:/a\nnonsense\n":                math.MaxInt64,
		"0::/a/b/../../../../etc\n0::/a/b/c\n": 1 << 30,
	} {
		if got := groupLimit(own, root); got != want {
			t.Errorf("%q: %d, want %d", own, got, want)
		}
	}
}

// TestPace: a heap that is large grows by a seventh between two collections, one that is small doubles, and what was large becomes small.
func TestPace(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 300 MB")
	}
	for live, want := range map[uint64]int{0: 100, roomy: 100, 2 * roomy: 50, 3 * roomy: 30, 100 * roomy: leastPercent} {
		if got := percentOf(live); got != want {
			t.Errorf("%d MiB: %d %%, want %d", live>>20, got, want)
		}
	}
	t.Cleanup(func() { debug.SetGCPercent(100) })
	paceCollector()
	percent := func() int {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64())
	}
	until := func(want int) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); percent() != want; runtime.GC() { // a finalizer runs some time after the collection
			if time.Now().After(deadline) {
				t.Fatalf("it is %d %%, want %d", percent(), want)
			}
		}
	}
	large := make([]byte, 7*roomy)
	until(leastPercent)
	runtime.KeepAlive(large)
	until(100)
}
