package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func TestModelsAndModes(t *testing.T) {
	h := newHarness(t)
	id := h.create("choosy")
	var models resource.OfferedModels
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/models", "").into(t, &models)
	if !models.Known || len(models.Models) != 2 || models.Models[0].Label != "One" || models.All || models.Model != "m-1" {
		t.Fatalf("%+v", models)
	}
	var modes resource.OfferedModes
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/modes", "").into(t, &modes)
	if !modes.Known || len(modes.Modes) != 1 || modes.Modes[0].ID != "plan" {
		t.Fatalf("%+v", modes)
	}
	choose := func(path, body string, want session.Applied) {
		t.Helper()
		var c choiceTaken
		h.want(http.StatusOK, "POST", "/sessions/"+id+path, body).into(t, &c)
		if c.Applied != want {
			t.Fatalf("%s: applied %s, want %s", body, c.Applied, want)
		}
	}
	choose("/model", `{"model":"m-2"}`, session.AppliedNow)
	choose("/mode", `{"mode":"plan","when":"idle"}`, session.AppliedNextTurn)
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", "/sessions/"+id+"/mode", `{"mode":"other"}`)
	p := h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", "/sessions/"+id+"/model", `{"model":"m-9"}`)
	if !strings.Contains(p.Detail, "no access") || !strings.Contains(p.Hint, "m-1, m-2") {
		t.Fatalf("%+v", p)
	}
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"work"}`)
	choose("/model", `{"model":"m-1","when":"idle"}`, session.AppliedWhenIdle)
	var d resource.SessionDetail
	h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(t, &d)
	if d.Model != "m-2" || d.PendingModel != "m-1" || d.PendingMode != "plan" {
		t.Fatalf("%+v", d.SessionSummary)
	}
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/interrupt", "")
	st := h.stream(id, "")
	defer st.close()
	st.until(func(e *protocol.Event) bool {
		m, ok := e.Payload.(*protocol.SessionMeta)
		return ok && m.Model != nil && *m.Model == "m-1" && e.Seq > 5
	})

	other := h.create("echo")
	h.refused(http.StatusUnprocessableEntity, protocol.CodeNotSupported, "POST", "/sessions/"+other+"/model", `{"model":"m-2"}`)
	h.want(http.StatusOK, "GET", "/sessions/"+other+"/models", "").into(t, &models)
	if models.Known {
		t.Fatalf("%+v", models)
	}
}

func TestMovePrompt(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	for _, text := range []string{"one", "two", "three", "four"} {
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"`+text+`"}`)
	}
	move := func(prompt, body string, position int, order string) {
		t.Helper()
		var m resource.PromptMoved
		h.want(http.StatusOK, "POST", "/sessions/"+id+"/prompts/"+prompt+"/move", body).into(t, &m)
		var list resource.PromptList
		h.want(http.StatusOK, "GET", "/sessions/"+id+"/prompts", "").into(t, &list)
		var ids []string
		for _, p := range list.Prompts {
			ids = append(ids, p.PromptID)
		}
		if got := strings.Join(ids, " "); got != order || m.Position != position {
			t.Fatalf("%s %s: at %d, queue %s", prompt, body, m.Position, got)
		}
	}
	move("p4", `{"before":"p2"}`, 1, "p4 p2 p3")
	move("p4", `{"before":null}`, 3, "p2 p3 p4")
	move("p3", `{"position":1}`, 1, "p3 p2 p4")
	move("p3", `{"position":99}`, 3, "p2 p4 p3")
	move("p3", `{"before":"p3"}`, 3, "p2 p4 p3")
	h.refused(http.StatusNotFound, protocol.CodePromptNotFound, "POST", "/sessions/"+id+"/prompts/p1/move", `{"before":null}`)
	h.refused(http.StatusNotFound, protocol.CodePromptNotFound, "POST", "/sessions/"+id+"/prompts/p2/move", `{"before":"p9"}`)
	for _, body := range []string{`{}`, `{"before":"p2","position":1}`, `{"before":null,"position":1}`, `{"before":""}`} {
		h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", "/sessions/"+id+"/prompts/p2/move", body)
	}
}

func TestChildAsksAtItsRoot(t *testing.T) {
	h := newHarness(t)
	id := h.create("choosy")
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"delegate"}`)
	child := session.ChildID(id, "sub")
	st := h.stream(id, "")
	defer st.close()
	e := st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
	r := e.Payload.(*protocol.RequestOpened)
	if r.RequestID != "r1@"+child || r.SessionID != child {
		t.Fatalf("%+v", r)
	}
	var done resource.RequestResolution
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/requests/"+r.RequestID, `{"outcome":"denied","clientId":"a"}`).into(t, &done)
	if done.Option != protocol.DenyStop {
		t.Fatalf("%+v", done)
	}
	p := h.refused(http.StatusConflict, protocol.CodeRequestAlreadyResolved, "POST", "/sessions/"+child+"/requests/r1", `{"outcome":"allowed"}`)
	if p.By != "client:a" {
		t.Fatalf("%+v", p)
	}
	st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestResolved); return ok })
	h.refused(http.StatusConflict, protocol.CodeRequestAlreadyResolved, "POST", "/sessions/"+id+"/requests/"+r.RequestID, `{"outcome":"allowed"}`)
	var d resource.SessionDetail
	h.want(http.StatusOK, "GET", "/sessions/"+child, "").into(t, &d)
	if !d.SubAgent || d.ParentSessionID != id || d.Title != "Sub" || d.NativeSessionID != "sub" {
		t.Fatalf("%+v", d.SessionSummary)
	}
}
