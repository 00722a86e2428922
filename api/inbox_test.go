package api

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// An inbox of large requests is one that clients can read; it has the longest waiting in any case.
func TestInboxIsBounded(t *testing.T) {
	text := strings.Repeat("+x\n", 100_000)
	list := make([]resource.InboxRequest, 200)
	for i := range list {
		list[i].Request = protocol.RequestOpened{Text: text, Diff: text}
	}
	if n := fitting(list); n < 20 || n*2*len(text) > maxInbox {
		t.Errorf("%d requests of %d bytes", n, 2*len(text))
	}
	list[0].Request.Diff = strings.Repeat(text, 100)
	if n := fitting(list); n != 1 {
		t.Errorf("%d requests, one of which is large", n)
	}
	if n := fitting(nil); n != 0 {
		t.Errorf("%d requests of none", n)
	}
}
