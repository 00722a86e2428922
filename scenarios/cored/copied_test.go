package cored

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTwoFoldersWithOneIdentity: a data folder is copied, and both are in use. The daemon that was started later has what it can explain, and of the rest sends
// nothing; the first one goes on with what it has still, and sends nothing of what the later one has. Both say so. Nothing of what Core has is overwritten, and
// once the copy is gone the first one sends all that it has.
//
// Proves: I16.F/copied
func TestTwoFoldersWithOneIdentity(t *testing.T) {
	w := begin(t)
	for range 2 {
		w.create()
	}
	w.work()
	w.caughtUp()
	w.daemon.Stop(patience)
	other := w.beside()
	other.root = w.root
	if out, err := exec.Command("cp", "-Rp", w.data, other.data).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.start()
	const steps = `[{"flood":{"lines":400,"size":60}},{"say":{"text":"Done."}}]`
	ahead, equal := w.ids[0], w.ids[1]
	if err := w.tryToPlay(t.Context(), ahead, steps); err != nil { // which the copy does not have
		t.Fatal(err)
	}
	w.caughtUp()
	other.launch()
	stuck := func(of *world) {
		t.Helper()
		of.until("it is told that of a session nothing can be sent", func() bool { return of.coreState().Stuck == 1 })
	}
	stuck(other)
	had, _ := w.inCore(equal)
	w.work()
	w.rest()
	stuck(w)
	if said := strings.Join(w.daemon.Problems(), "\n"); !strings.Contains(said, "identity of this data folder") {
		t.Errorf("the first daemon says\n%s", said)
	}
	if has, _ := w.inCore(equal); has.Head != had.Head || has.Owner.Incarnation <= 1 {
		t.Errorf("of a session that the later daemon has Core had %+v, and has %+v", had, has)
	}
	other.daemon.Kill()
	w.daemon.Kill()
	w.start()
	w.caughtUp()
}
