package scenarios

import (
	"flag"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

var update = flag.Bool("update", false, "rewrite the goldens of the scenarios by what the bubble shows")

// scenarioFiles finds every scenario: the files in the folders of this one.
func scenarioFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("no scenarios found")
	}
	return paths
}

// TestBubble plays every scenario against a whole daemon in virtual time.
// Proves: 002.3.1, 002.3.3/seq, 002.6.2, 002.7.3/seq, C21, T01, P1/immutable, P5, I4/eras
func TestBubble(t *testing.T) {
	for _, path := range scenarioFiles(t) {
		f, err := readFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(f.name(), func(t *testing.T) {
			t.Parallel()
			defer func() { // a bubble that fails ends this goroutine
				if err := f.save(); err != nil {
					t.Error(err)
				}
			}()
			inEachEra(t, f, playInBubble)
		})
	}
}

// inEachEra plays a scenario as often as it has eras.
func inEachEra(t *testing.T, f *file, play func(t *testing.T, f *file, era string)) {
	t.Helper()
	eras := f.eras()
	if len(eras) == 1 {
		play(t, f, eras[0])
		return
	}
	for _, era := range eras {
		t.Run(era, func(t *testing.T) { play(t, f, era) })
	}
}

func playInBubble(t *testing.T, f *file, era string) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, f, *update)
		w.root, w.patient, w.era = root, 10*time.Minute, era
		b := newBubble(w)
		w.daemon, w.aliases = b, []string{root, "$ROOT", b.dir, "$DATA"}
		w.run()
	})
}
