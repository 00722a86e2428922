package submission

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestDoubtUsesUpAKey: what another node may have done is not carried out again for the same key, as what was refused is.
func TestDoubtUsesUpAKey(t *testing.T) {
	for code, want := range map[protocol.Code]bool{
		protocol.CodeUncertain: false, protocol.CodeUnavailable: false, protocol.CodeInternal: false,
		protocol.CodeConflict: true, protocol.CodeOverloaded: true, protocol.CodeReadOnly: true,
	} {
		if got := Undone(code); got != want {
			t.Errorf("%s: %t", code, got)
		}
	}
}
