package mcp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFormsGoWithTheirSession: a form of a session that is not there any more is taken away, and its place is free for another one.
func TestFormsGoWithTheirSession(t *testing.T) {
	h := newHost(t, Config{})
	x := h.asked()
	shown, cancel := context.WithCancel(t.Context())
	defer cancel()
	x.forms.all[formKey{"s1", "r1"}] = &form{seen: "s1", cancel: cancel}
	h.s.asks(x, "s1") // hollow has no session
	select {
	case <-shown.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the form is still shown")
	}
	x.forms.mu.Lock()
	defer x.forms.mu.Unlock()
	if len(x.forms.all) != 0 {
		t.Error("its place is taken")
	}
}

// asked is a client of the old era whose user can be asked.
func (h *host) asked() *client {
	h.t.Helper()
	res, _ := h.do("POST", "", strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
	return h.s.clients.find(res.Header.Get("Mcp-Session-Id"))
}

// TestFormsBelieveTheNewest: a call and the client's own watch look at one session, and the one that looked first comes last: it takes no form
// away that has opened since, and shows none whose request is over.
// Proves: I10.2/asked
func TestFormsBelieveTheNewest(t *testing.T) {
	h := newHost(t, Config{})
	x := h.asked()
	shown, cancel := context.WithCancel(t.Context())
	defer cancel()
	asks := []protocol.RequestOpened{{RequestID: "r1", Kind: protocol.RequestApproval}}
	x.forms.all[keyOf("s1", &asks[0])] = &form{seen: "s1", cancel: cancel}
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
		for i := 0; look.seq == 6 && i < 2*maxWatched; i++ { // meanwhile other calls look at as many sessions as are kept
			x.forms.show(x.life, fmt.Sprintf("o%d", i), protocol.Cursor{Epoch: 1, Seq: 1}, nil)
		}
		x.forms.show(x.life, "s1", protocol.Cursor{Epoch: look.epoch, Seq: look.seq}, look.open)
		x.forms.mu.Lock()
		if len(x.forms.all) != look.forms || (shown.Err() == nil) != (look.forms == 1) {
			t.Errorf("%+v: %d forms", look, len(x.forms.all))
		}
		x.forms.mu.Unlock()
	}
	for seq, want := range map[uint64]bool{7: true, 8: false} { // the call that looked first waits on: the end of the request is still before it
		if got := x.forms.shows("s1", protocol.Cursor{Epoch: 2, Seq: seq}, &asks[0]); got != want {
			t.Errorf("at %d the form is shown: %t", seq, got)
		}
	}
}
