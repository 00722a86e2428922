package cored

import (
	"os/exec"
	"strings"
	"testing"
)

// TestVerifyBesideWork: comparing says of sessions at work what it says of those at rest: no event differs, whatever is written and sent meanwhile.
//
// Proves: I16.4/real
func TestVerifyBesideWork(t *testing.T) {
	w := begin(t)
	for range 4 {
		w.create()
	}
	w.play("[" + strings.Repeat(`{"flood":{"lines":800,"size":120}},{"say":{"text":"Next."}},`, 40) + `{"say":{"text":"Done."}}]`)
	for range 20 {
		if out, err := exec.Command(w.program, "core", "verify", "--data", w.data, "--core", w.core).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	w.caughtUp()
}
