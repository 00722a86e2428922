package api

import (
	"bytes"
	"context"
	"net/http"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// noting is a tree that notes what it is asked for.
type noting struct {
	*tree
	created *supervisor.NewSession
	listed  *supervisor.Query
}

func (n noting) Create(ctx context.Context, s supervisor.NewSession) (supervisor.Created, error) {
	*n.created = s
	return n.tree.Create(ctx, s)
}

func (n noting) List(ctx context.Context, q supervisor.Query) (supervisor.Page, error) {
	*n.listed = q
	return n.tree.List(ctx, q)
}

// TestAttachedSessions: where an agent runs and which of its sessions is meant is passed on, and no answer shows the password.
func TestAttachedSessions(t *testing.T) {
	n := noting{newTree(t), new(supervisor.NewSession), new(supervisor.Query)}
	h := serveTree(t, n.tree, func(c *Config) { c.Supervisor = n })
	var s resource.SessionDetail
	r := h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"echo","cwd":"/work/x","nativeSessionId":"n1",
		"endpoint":{"url":"http://127.0.0.1:4096","username":"me","password":"hunter2"}}`)
	r.into(t, &s)
	want := supervisor.Endpoint{URL: "http://127.0.0.1:4096", Username: "me", Password: "hunter2"}
	if n.created.NativeSessionID != "n1" || n.created.Endpoint == nil || *n.created.Endpoint != want {
		t.Errorf("asked for %+v", n.created)
	}
	for _, path := range []string{"/sessions", "/sessions/" + s.ID, "/sessions/" + s.ID + "/log"} {
		if body := h.want(http.StatusOK, "GET", path, "").body; bytes.Contains(body, []byte("hunter2")) {
			t.Errorf("%s shows the password: %s", path, body)
		}
	}
	if bytes.Contains(r.body, []byte("hunter2")) {
		t.Errorf("the answer shows the password: %s", r.body)
	}
	h.create("echo")
	if n.created.Endpoint != nil || n.created.NativeSessionID != "" {
		t.Errorf("asked for %+v", n.created)
	}
	for _, bad := range []string{`{}`, `{"url":""}`, `{"url":"http://127.0.0.1","token":"x"}`, `"http://127.0.0.1"`} {
		if r := h.do("POST", "/sessions", `{"agent":"echo","cwd":"/work/x","endpoint":`+bad+`}`); r.StatusCode/100 != 4 {
			t.Errorf("%s: %d", bad, r.StatusCode)
		}
	}
}

// TestListByParent: the filter is passed on, and views name the parent.
func TestListByParent(t *testing.T) {
	n := noting{newTree(t), new(supervisor.NewSession), new(supervisor.Query)}
	h := serveTree(t, n.tree, func(c *Config) { c.Supervisor = n })
	parent := h.create("echo")
	var s resource.SessionDetail
	h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"echo","cwd":"/work/x","parentSessionId":"`+parent+`"}`).into(t, &s)
	if s.ParentSessionID != parent || s.SubAgent {
		t.Errorf("session %+v", s.SessionSummary)
	}
	h.want(http.StatusOK, "GET", "/sessions?parent="+parent, "")
	if n.listed.Parent != parent {
		t.Errorf("query %+v", n.listed)
	}
}
