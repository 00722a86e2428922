package mcp

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestFormsGoWithTheirSession: a form of a session that is not there any more is taken away, and its place is free for another one.
func TestFormsGoWithTheirSession(t *testing.T) {
	h := newHost(t, Config{})
	res, _ := h.do("POST", "", strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
	x := h.s.clients.find(res.Header.Get("Mcp-Session-Id"))
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
