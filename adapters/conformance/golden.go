package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Golden compares what a translator says about some recordings with files of readable text in folder, one per recording.
// With -update it writes them.
func Golden(t *testing.T, s Suite, folder string, names ...string) {
	for _, file := range s.names(t) {
		name := strings.TrimSuffix(path.Base(file), ".jsonl")
		for _, n := range names {
			if n == name {
				t.Run(name, func(t *testing.T) { s.golden(t, file, filepath.Join(folder, name+".txt")) })
			}
		}
	}
}

func (s *Suite) golden(t *testing.T, file, golden string) {
	var b bytes.Buffer
	for _, said := range s.play(t, s.read(t, file)) {
		fmt.Fprintf(&b, "-- %s --\n", said.place())
		for _, d := range said.Drafts {
			fmt.Fprintln(&b, Describe(d))
		}
		for _, line := range said.Lines {
			fmt.Fprintf(&b, "to the agent: %s\n", line)
		}
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil { //nolint:gosec // test data
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil { //nolint:gosec // test data
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("go test -run TestGolden -update writes it: %v", err)
	}
	got, old := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(old)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s:%d: missing: %s", golden, i+1, old[i])
		case i >= len(old):
			t.Fatalf("%s:%d: one too many: %s", golden, i+1, got[i])
		case got[i] != old[i]:
			t.Fatalf("%s:%d:\ngot  %s\nwant %s", golden, i+1, got[i], old[i])
		}
	}
}
