//go:build !failpoint

package failpoint_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// TestNothingIsLeft builds the program as it is shipped: no function of this package and no name of a point is in it.
// Proves: I5/points
func TestNothingIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds the program")
	}
	path := filepath.Join(t.TempDir(), "ringmaster")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(symbols, []byte("actors/journal.(*Journal).Append")) {
		t.Fatal("no journal among the symbols: the test looks in the wrong place")
	}
	if bytes.Contains(symbols, []byte("actors/failpoint.")) {
		t.Error("symbols of the package are linked")
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range failpoint.Points() {
		if bytes.Contains(program, []byte(p)) {
			t.Errorf("%s is in the program", p)
		}
	}
}

// sum is work of a nanosecond, with a point in it or without.
func sum(b *testing.B, point func()) {
	n := 0
	for b.Loop() {
		n++
		point()
	}
	if n != b.N {
		b.Error(n)
	}
}

func BenchmarkHit(b *testing.B) {
	b.Run("bare", func(b *testing.B) { sum(b, func() {}) })
	b.Run("hit", func(b *testing.B) { sum(b, func() { failpoint.Hit("journal/beforeSync") }) })
	b.Run("torn", func(b *testing.B) { sum(b, func() { failpoint.Torn("journal/midWrite", io.Discard, nil) }) })
}
