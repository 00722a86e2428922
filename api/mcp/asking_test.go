package mcp

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// unread is a daemon whose sessions can be looked at, and not read.
type unread struct{ hollow }

func (unread) Look(_ context.Context, id string) (session.Summary, error) {
	return session.Summary{ID: id}, nil
}

// TestFormsGoWithTheirSession: a form of a session that is not there any more is taken away, and its place is free for another one.
func TestFormsGoWithTheirSession(t *testing.T) {
	h := newHostOf(t, Config{Backend: unread{}})
	x := h.asked()
	x.Forms.Show(x.Life, "s1", protocol.Cursor{Epoch: 1, Seq: 1}, []protocol.RequestOpened{{RequestID: "r1", Kind: protocol.RequestApproval}})
	if !x.Forms.Any("s1") {
		t.Fatal("no form is shown")
	}
	over := x.Forms.Next()
	h.s.pushes.Asks(x, "s1") // there is nothing to read
	select {
	case <-over.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the form is still shown")
	}
	if x.Forms.Any("s1") {
		t.Error("its place is taken")
	}
}

// asked is a client of the old era whose user can be asked.
func (h *host) asked() *client.Client {
	h.t.Helper()
	res, _ := h.do("POST", "", strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
	return h.s.clients.Find(res.Header.Get("Mcp-Session-Id"))
}
