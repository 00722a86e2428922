package join

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSessionOnItsWay: it may be away for ten seconds from when it is missed, however long its wait has lasted by then. Any other error is told at once.
func TestSessionOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := protocol.NewProblem(protocol.CodeUnavailable, "It is on its way.", "")
		var a Absence
		time.Sleep(time.Hour)
		if a.IsOver(away) {
			t.Error("it is given up at once")
		}
		time.Sleep(onItsWay - time.Millisecond)
		if a.IsOver(away) {
			t.Error("it is given up early")
		}
		time.Sleep(time.Millisecond)
		if !a.IsOver(away) {
			t.Error("it is looked for without end")
		}
		if a = (Absence{}); !a.IsOver(protocol.NewProblem(protocol.CodeForbidden, "", "")) {
			t.Error("what is refused is looked for")
		}
	})
}
