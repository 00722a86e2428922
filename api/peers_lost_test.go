package api

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// deaf is a connection whose answers are lost: what is written to it arrives, and what would be read is not.
type deaf struct {
	net.Conn
	lose *atomic.Int32 // so many connections more
	then func()        // is called with each loss; nil: nothing is
	lost bool
}

func (d *deaf) Read(p []byte) (int, error) {
	n, err := d.Conn.Read(p)
	if n > 0 && bytes.Contains(p[:n], []byte("HTTP/1.1 2")) && d.lose.Add(-1) >= 0 {
		if d.lost = true; d.then != nil {
			d.then()
		}
	}
	if d.lost {
		_ = d.Close()
		return 0, errors.New("the connection was lost")
	}
	return n, err
}

// TestLostAnswersOfPeers: a change of which the answer is lost between two nodes is not made again, unless its key sees to it that it is made once; what only
// reads is answered by the node that was asked.
//
// Proves: I16.7/lost-answers
func TestLostAnswersOfPeers(t *testing.T) {
	p := newPeered(t)
	lose := new(atomic.Int32)
	p.wrap = func(c net.Conn) net.Conn { return &deaf{Conn: c, lose: lose} }
	id := p.own.owned("", "")
	path := "/sessions/" + id + "/prompts"
	turns := func() int {
		t.Helper()
		return strings.Count(string(p.own.log(id, "")), `"type":"prompt_queued"`)
	}
	p.front.want(http.StatusAccepted, "POST", path, `{"text":"fine"}`)
	if n := turns(); n != 1 {
		t.Fatalf("%d prompts", n)
	}

	lose.Store(1)
	r := p.front.refused(http.StatusConflict, protocol.CodeUncertain, "POST", path, `{"text":"no key"}`)
	if n := turns(); n != 2 || r.LookAt != "/sessions/"+id {
		t.Errorf("%d prompts, %+v", n, r)
	}

	lose.Store(1)
	again := p.front.want(http.StatusAccepted, "POST", path, `{"text":"a key"}`, "Idempotency-Key", "k1")
	if n := turns(); n != 3 || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d prompts, %v", n, again.Header)
	}

	lose.Store(100)
	r = p.front.refused(http.StatusServiceUnavailable, protocol.CodeUnavailable, "POST", path, `{"text":"no way"}`, "Idempotency-Key", "k2")
	if !strings.Contains(r.Hint, "same key") {
		t.Errorf("%+v", r)
	}
	if got := p.front.do("GET", "/sessions/"+id+"/log", ""); got.code() != protocol.CodeSessionNotFound { // front's own word, which has nothing of it
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	lose.Store(0)
	p.front.want(http.StatusAccepted, "POST", path, `{"text":"no way"}`, "Idempotency-Key", "k2")
	if n := turns(); n != 4 {
		t.Errorf("%d prompts", n)
	}
}

// TestDoubtStays: of a change that may have been made nobody says that it was not, whatever becomes of its node: neither the node that was asked, nor another.
//
// Proves: I16.7/lost-answers
func TestDoubtStays(t *testing.T) {
	p := newPeered(t)
	lose := new(atomic.Int32)
	other, here, gone := "front", "", errors.New("its node has left")
	then := func() {}
	p.wrap = func(c net.Conn) net.Conn { return &deaf{Conn: c, lose: lose, then: func() { then() }} }
	id := p.own.owned("", "")
	prompt, change := []string{"POST", "/sessions/" + id + "/prompts", `{"text":"hi"}`}, []string{"PATCH", "/sessions/" + id, `{"title":"x"}`}
	leaves, moves := func() { p.gone.Store(&gone) }, func() { p.ownAt.Store(&other) }
	for name, c := range map[string]struct {
		what []string
		then func()
		code protocol.Code
	}{
		"a prompt, and its node goes":      {prompt, leaves, protocol.CodeUnavailable},
		"a change, and its node goes":      {change, leaves, protocol.CodeUnavailable},
		"a prompt, and its session moves":  {prompt, moves, protocol.CodeUnavailable}, // its key goes along, in the log
		"a change, and its session moves":  {change, moves, protocol.CodeUncertain},
		"a prompt, and nobody has its key": {prompt, nil, protocol.CodeUncertain},
	} {
		p.gone.Store(nil)
		p.ownAt.Store(nil)
		p.now.Store(&here)
		then = leaves
		headers := []string{}
		if c.then != nil {
			then, headers = c.then, []string{"Idempotency-Key", name}
		}
		lose.Store(1)
		r := p.front.refused(c.code.Status(), c.code, c.what[0], c.what[1], c.what[2], headers...)
		if strings.Contains(r.Detail, "nothing was changed") || strings.Contains(r.Hint, "with the same key") != (c.code == protocol.CodeUnavailable) ||
			(r.LookAt != "") != (c.code == protocol.CodeUncertain) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestLostAnswersOfCalls: a call that is no request of HTTP is made once where its answer is lost, and its caller is not told of a key that it does not have.
//
// Proves: I16.7/lost-answers
func TestLostAnswersOfCalls(t *testing.T) {
	p := newPeered(t)
	lose := new(atomic.Int32)
	p.wrap = func(c net.Conn) net.Conn { return &deaf{Conn: c, lose: lose} }
	id := p.own.owned("", "")
	away, ctx := peer.Away{Forwarder: p.front.api.cfg.Peers}, access.With(t.Context(), access.Root)
	send := func(key string) error {
		_, here, err := away.Send(ctx, id, &resource.NewPrompt{Text: "hi"}, key)
		if here {
			t.Errorf("a call was not passed on")
		}
		return err
	}
	lose.Store(1)
	if err := send(""); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(p.own.log(id, "")), `"type":"prompt_queued"`); n != 1 {
		t.Errorf("%d prompts", n)
	}
	for key, want := range map[string]protocol.Code{"": protocol.CodeUncertain, "k": protocol.CodeUnavailable} {
		lose.Store(100)
		err := send(key)
		var r *protocol.Problem
		if !errors.As(err, &r) || r.Code != want || strings.Contains(r.Hint, "with the same key") != (key != "") || (r.LookAt != "") != (key == "") {
			t.Errorf("key %q: %+v", key, err)
		}
	}
}

// TestWhoLeavesTellsNothing: of a node to which somebody did not wait to be connected nothing is known, and others ask it.
//
// Proves: I16.7/lost-answers
func TestWhoLeavesTellsNothing(t *testing.T) {
	p := newPeered(t)
	id := p.own.owned("", "")
	ctx, leave := context.WithCancel(access.With(t.Context(), access.Root))
	p.dialling = func() error {
		leave()
		return ctx.Err()
	}
	title := "x"
	change := func(ctx context.Context) (bool, error) {
		return peer.Away{Forwarder: p.front.api.cfg.Peers}.Change(ctx, id, control.Change{Title: &title})
	}
	if here, err := change(ctx); here || err == nil {
		t.Errorf("%t, %v", here, err)
	}
	if n := p.dialled.Load(); n != 1 {
		t.Errorf("%d connections for somebody who had left", n)
	}
	p.dialling = nil
	if here, err := change(access.With(t.Context(), access.Root)); here || err != nil {
		t.Errorf("%t, %v", here, err)
	}
}

// TestStreamsThroughPeers: a stream through another node has the bytes of the session's own, ends with the session's, and with either node.
//
// Proves: I16.7/streams
func TestStreamsThroughPeers(t *testing.T) {
	p := newPeered(t)
	id := p.own.create("echo")
	here, there := p.own.stream(id, "0"), p.front.stream(id, "0")
	defer here.close()
	defer there.close()
	p.front.turn(id, "hello")
	ends := func(e *protocol.Event) bool { return e.Payload.Type() == protocol.TypeTurnEnd }
	here.until(ends)
	there.until(ends)
	if got, want := p.front.log(id, ""), p.own.log(id, ""); !bytes.Equal(got, want) || len(got) == 0 {
		t.Errorf("the log through the other node is\n%s\nwant\n%s", got, want)
	}
	gzip := p.front.do("GET", "/sessions/"+id+"/log", "", "Accept-Encoding", "zstd")
	if own := p.own.do("GET", "/sessions/"+id+"/log", "", "Accept-Encoding", "zstd"); gzip.Header.Get("Content-Encoding") != own.Header.Get("Content-Encoding") ||
		gzip.Header.Get("Vary") != own.Header.Get("Vary") || !bytes.Equal(gzip.body, own.body) {
		t.Errorf("%v, want %v", gzip.Header, own.Header)
	}
	p.front.api.close() // as at the end of its daemon
	there.rest()
}
