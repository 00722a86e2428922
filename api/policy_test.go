package api

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func TestPolicyOfASession(t *testing.T) {
	h := newHarness(t)
	r := h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"asking","cwd":"/work","policy":{"mode":"allow_reads",`+
		`"rules":[{"tool":"execute","pattern":"go test *","action":"allow"}],"deadline":60000,"default":"deny_stop"}}`)
	var s resource.SessionDetail
	r.into(t, &s)
	want := &protocol.Policy{
		Mode:  protocol.PolicyAllowReads,
		Rules: []protocol.PolicyRule{{Tool: "execute", Pattern: "go test *", Action: protocol.PolicyAllow}}, Deadline: 60000, Default: protocol.PolicyDenyStop,
	}
	if !reflect.DeepEqual(s.Policy, want) {
		t.Fatalf("created with %+v", s.Policy)
	}
	// A merge patch: what it does not name stays, and a null takes a member away.
	for _, c := range []struct {
		patch string
		want  *protocol.Policy
	}{
		{`{"mode":"deny_all"}`, &protocol.Policy{Mode: protocol.PolicyDenyAll, Rules: want.Rules, Deadline: 60000, Default: protocol.PolicyDenyStop}},
		{`{"default":null,"rules":[{"action":"ask"}]}`, &protocol.Policy{
			Mode: protocol.PolicyDenyAll, Rules: []protocol.PolicyRule{{Action: protocol.PolicyLeave}}, Deadline: 60000,
		}},
		{`{"rules":null,"deadline":null}`, &protocol.Policy{Mode: protocol.PolicyDenyAll}},
		{`{}`, &protocol.Policy{Mode: protocol.PolicyDenyAll}},
		{`null`, &protocol.Policy{}},
	} {
		var patched, read resource.SessionDetail
		h.want(http.StatusOK, "PATCH", "/sessions/"+s.ID, `{"policy":`+c.patch+`}`, "Content-Type", "application/merge-patch+json").into(t, &patched)
		h.want(http.StatusOK, "GET", "/sessions/"+s.ID, "").into(t, &read)
		if !reflect.DeepEqual(patched.Policy, c.want) || !reflect.DeepEqual(read.Policy, c.want) {
			t.Errorf("%s: %+v, read back %+v", c.patch, patched.Policy, read.Policy)
		}
	}
	for _, patch := range []string{
		`{"default":"allow"}`, `{"mode":"yolo"}`, `{"deadline":5}`, `{"rules":[{"action":"maybe"}]}`, `{"rules":[{}]}`, `{"colour":"red"}`,
		`{"rules":[{"tool":"exectue","action":"deny"}]}`, `{"rules":[{"tool":"execute","patern":"rm *","action":"allow"}]}`, `{"rules":[{"Pattern":"rm *","action":"allow"}]}`, `7`,
	} {
		r := h.do("PATCH", "/sessions/"+s.ID, `{"policy":`+patch+`}`, "Content-Type", "application/merge-patch+json")
		if p := r.problem(t); p.Code != protocol.CodeInvalidRequest {
			t.Errorf("%s: %+v", patch, p)
		}
	}
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", "/sessions", `{"agent":"echo","cwd":"/work","policy":{"default":"deny"}}`)
}

func TestPolicyAnswers(t *testing.T) {
	h := newHarness(t)
	var s resource.CreatedSession
	h.want(http.StatusCreated, "POST", "/sessions",
		`{"agent":"asking","cwd":"/work","prompt":"go vet ./...","policy":{"rules":[{"tool":"execute","pattern":"go *","action":"allow"}]}}`).into(t, &s)
	st := h.stream(s.ID, s.Prompt.Cursor)
	defer st.close()
	e := st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestResolved); return ok })
	p := e.Payload.(*protocol.RequestResolved)
	if p.By != "policy" || p.Outcome != protocol.OutcomeAllowed || p.Option != protocol.AllowOnce {
		t.Fatalf("%+v", p)
	}
	h.refused(http.StatusConflict, protocol.CodeRequestAlreadyResolved, "POST", "/sessions/"+s.ID+"/requests/r1", `{"outcome":"denied"}`)
}

func TestFourAnswers(t *testing.T) {
	h := newHarness(t)
	id := h.create("asking")
	ask := func() {
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"ls"}`)
		st := h.stream(id, "")
		st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
		st.close()
	}
	ask()
	for _, body := range []string{
		`{}`, `{"message":"hm"}`, `{"option":"allow_always"}`, `{"outcome":"answered"}`, `{"outcome":"denied","option":"allow_once"}`,
		`{"outcome":"cancelled","option":"deny"}`,
	} {
		h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", "/sessions/"+id+"/requests/r1", body)
	}
	var done resource.RequestResolution
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/requests/r1", `{"option":"deny","clientId":"a"}`).into(t, &done)
	if done.Outcome != protocol.OutcomeDenied || done.Option != protocol.DenyContinue || done.By != "client:a" {
		t.Fatalf("%+v", done)
	}
}
