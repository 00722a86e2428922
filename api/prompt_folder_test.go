package api

import (
	"net/http"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestPromptLooksAtTheFolder: where the session's folder may not be worked in any more, a prompt is refused and does not come into the log.
func TestPromptLooksAtTheFolder(t *testing.T) {
	tr := newTree(t)
	h := serveTree(t, tr, func(*Config) {})
	id := h.create("echo")
	path := "/sessions/" + id + "/prompts"
	tr.folder = protocol.NewProblem(protocol.CodeCwdNotAllowed, "it is a link", "put it back")
	var p protocol.Problem
	h.want(http.StatusForbidden, "POST", path, `{"text":"Hello."}`).into(t, &p)
	if p.Code != protocol.CodeCwdNotAllowed {
		t.Errorf("%+v", p)
	}
	tr.folder = nil
	h.want(http.StatusAccepted, "POST", path, `{"text":"Hello."}`)
}
