package form

import (
	"context"
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFormsBelieveTheNewest: a call and the client's own watch look at one session, and the one that looked first comes last: it takes no form
// away that has opened since, and shows none whose request is over.
// Proves: I10.2/asked
func TestFormsBelieveTheNewest(t *testing.T) {
	x := New(t.Context(), nil, access.Root, nil, nil)
	shown, cancel := context.WithCancel(t.Context())
	defer cancel()
	asks := []protocol.RequestOpened{{RequestID: "r1", Kind: protocol.RequestApproval}}
	x.all[KeyOf("s1", &asks[0])] = &form{seen: "s1", cancel: cancel}
	for _, look := range []struct {
		epoch, seq uint64
		open       []protocol.RequestOpened
		forms      int
	}{
		{2, 7, asks, 1},
		{2, 6, nil, 1},
		{1, 9, nil, 1},
		{2, 8, nil, 0},
		{2, 7, asks, 0},
	} {
		for i := 0; look.seq == 6 && i < 2*MaxWatched; i++ { // meanwhile other calls look at as many sessions as are kept
			x.Show(t.Context(), fmt.Sprintf("o%d", i), protocol.Cursor{Epoch: 1, Seq: 1}, nil)
		}
		x.Show(t.Context(), "s1", protocol.Cursor{Epoch: look.epoch, Seq: look.seq}, look.open)
		x.mu.Lock()
		if len(x.all) != look.forms || (shown.Err() == nil) != (look.forms == 1) {
			t.Errorf("%+v: %d forms", look, len(x.all))
		}
		x.mu.Unlock()
	}
	for seq, want := range map[uint64]bool{7: true, 8: false} { // the call that looked first waits on: the end of the request is still before it
		if got := x.Shows("s1", protocol.Cursor{Epoch: 2, Seq: seq}, &asks[0]); got != want {
			t.Errorf("at %d the form is shown: %t", seq, got)
		}
	}
}
