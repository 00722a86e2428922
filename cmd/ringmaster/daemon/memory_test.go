package daemon

import (
	"math"
	"os"
	"path/filepath"
	"testing"
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
