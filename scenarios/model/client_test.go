package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/scenarios/model"
)

// move is something that can be done to one session: to the daemon, and to its model.
type move struct {
	do   func() reply
	then func() model.Answer
}

func draw[T any](w *world, name string, from ...T) T { return rapid.SampledFrom(from).Draw(w.T, name) }

// post makes the move of a client that asks for something and is answered.
func (w *world) post(x *session, method, path string, body any, then func() model.Answer, header ...string) move {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	if body == nil {
		b = nil
	}
	return move{func() reply {
		r := w.daemon.do(w.ctx, method, "/sessions/"+x.id+path, string(b), header...)
		x.dormant = false
		return r
	}, then}
}

func (w *world) sendPrompt(x *session) move {
	p := model.Prompt{Text: draw(w, "text", "a", "b"), Behavior: draw(w, "behavior", "", protocol.FollowUp, protocol.Steer, protocol.Steer)}
	key := draw(w, "key", "", "", "k1", "k2", "k3")
	body := map[string]any{"text": p.Text}
	if p.Behavior != "" {
		body["streamingBehavior"] = p.Behavior
	}
	return w.post(x, "POST", "/prompts", body,
		func() model.Answer { return x.model.Send(p, key) }, "Idempotency-Key", key)
}

// somePrompt is the id of a prompt, mostly of one that waits.
func (w *world) somePrompt(x *session) string {
	ids := []string{"p1", fmt.Sprintf("p%d", len(x.model.Keys)+len(x.model.Items)), "nothing"}
	for _, p := range x.model.Queue {
		ids = append(ids, p.ID, p.ID, p.ID)
	}
	return draw(w, "prompt", ids...)
}

func (w *world) cancel(x *session) move {
	id := w.somePrompt(x)
	return w.post(x, "DELETE", "/prompts/"+id, nil, func() model.Answer { return x.model.Move(id, 0) })
}

func (w *world) movePrompt(x *session) move {
	id, to := w.somePrompt(x), draw(w, "to", 1, 2, 3, 9)
	return w.post(x, "POST", "/prompts/"+id+"/move", map[string]int{"position": to}, func() model.Answer {
		a := x.model.Move(id, to)
		if a.Code == "" {
			a.Prompt = id
		}
		return a
	})
}

func (w *world) interrupt(x *session) move {
	return w.post(x, "POST", "/interrupt", nil, x.model.Interrupt)
}

func (w *world) answer(x *session) move {
	id := "r1"
	if ids := w.requests(x, false); len(ids) > 0 {
		id = draw(w, "request", ids...)
	}
	if ids := w.requests(x, true); len(ids) > 0 && draw(w, "open", true, true, true, false) {
		id = draw(w, "open request", ids...)
	}
	outcome := draw(w, "outcome", "allowed", "denied", "answered", "cancelled", "")
	option := draw(w, "option", "", "", "", protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop)
	if outcome == "" && option == "" || outcome == "answered" {
		option = protocol.AllowAlways
	}
	body := map[string]any{"clientId": "c"}
	if outcome != "" {
		body["outcome"] = outcome
	}
	if option != "" {
		body["option"] = option
	}
	if outcome == "answered" {
		body = map[string]any{"outcome": outcome, "clientId": "c", "answers": [][]string{{"yes"}}}
		option = ""
	}
	return w.post(x, "POST", "/requests/"+id, body, func() model.Answer { return x.model.Answer(id, "client:c", outcome, option) })
}

// requests are the ids of the session's requests: of all, or of those that are open.
func (w *world) requests(x *session, open bool) (ids []string) {
	for _, i := range x.model.Items {
		if i.ID != "" && i.Kind != model.Turn && (!open || i.Status == "") {
			ids = append(ids, i.ID)
		}
	}
	return ids
}

func (w *world) policy(x *session) move {
	p := protocol.Policy{Mode: draw(w, "mode", protocol.PolicyAsk, protocol.PolicyAsk, protocol.PolicyAllowAll, protocol.PolicyDenyAll)}
	if draw(w, "deadline", false, true) {
		p.Deadline, p.Default = 2000, draw(w, "default", "", protocol.PolicyAllow, protocol.PolicyDeny, protocol.PolicyDenyStop)
	}
	body := map[string]any{"mode": p.Mode, "deadline": nil, "default": nil}
	if p.Deadline > 0 {
		body["deadline"] = p.Deadline
	}
	if p.Default != "" {
		body["default"] = p.Default
	}
	return w.post(x, "PATCH", "", map[string]any{"policy": body}, func() model.Answer { return x.model.SetPolicy(p) },
		"Content-Type", "application/merge-patch+json")
}

// end ends a session. It takes more than one write, of which a broken disk may take the first.
func (w *world) end(x *session) {
	m := w.post(x, "POST", "/end", nil, x.model.Finish)
	w.step(x, m.do, m.then)
}

// remove deletes a session: there is none any more.
func (w *world) remove(x *session) {
	m := w.post(x, "DELETE", "", nil, func() model.Answer {
		for _, r := range x.readers {
			r.leave()
		}
		w.sessions = slices.DeleteFunc(w.sessions, func(s *session) bool { return s == x })
		return model.Answer{}
	})
	w.step(x, m.do, m.then)
	r := w.daemon.do(w.ctx, "GET", "/sessions/"+x.id, "")
	w.same("answer after the deletion", r.code(), protocol.CodeSessionNotFound)
}

// create makes a session, whose agent starts as drawn.
func (w *world) create() {
	id, how := w.daemon.nextID(w.daemon.ids+1), draw(w, "start", quick, quick, slow, failed)
	w.daemon.stage.prepare(id, how)
	x := &session{id: id, audit: audit.New()}
	w.step(nil, func() reply {
		body, err := json.Marshal(map[string]string{"agent": "puppet", "cwd": w.daemon.root})
		if err != nil {
			panic(err)
		}
		born := w.now()
		r := w.daemon.do(w.ctx, "POST", "/sessions", string(body))
		x.model = model.New(born)
		w.sessions = append(w.sessions, x)
		if r.status == http.StatusCreated {
			r.body = nil // the session itself is compared below
		}
		return r
	}, func() model.Answer {
		if x.model.End != "" { // it came so far while this was answered
			return model.Answer{Code: protocol.CodeAgentUnavailable}
		}
		return model.Answer{}
	})
}

// join lets a reader follow from some cursor.
func (w *world) join(x *session) {
	w.steps++
	since := uint64(rapid.IntRange(0, len(x.log)+1).Draw(w.T, "since"))
	r := w.daemon.follow(w.ctx, x.id, since)
	r.reset = since > uint64(len(x.log))
	x.readers, x.dormant = append(x.readers, r), false
	w.idle()
}

// leave takes a reader away.
func (w *world) leave(x *session) {
	if len(x.readers) > 0 {
		w.steps++
		x.readers[0].leave()
		x.readers = x.readers[1:]
	}
	w.idle()
}

// patch reads the log from some cursor on.
func (w *world) patch(x *session) {
	w.steps++
	since := rapid.IntRange(0, len(x.log)+1).Draw(w.T, "since")
	r := w.daemon.do(w.ctx, "GET", fmt.Sprintf("/sessions/%s/log?since=%d", x.id, since), "")
	x.dormant = false
	w.idle()
	if since > len(x.log) {
		w.same("answer to a cursor of the future", r.code(), protocol.CodeCursorReset)
		return
	}
	want := append(bytes.Join(x.log[since:], []byte("\n")), '\n')
	if since == len(x.log) {
		want = nil
	}
	w.same("patch", string(r.body), string(want))
}
