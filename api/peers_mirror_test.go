package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// fed collects what a mirror is fed.
type fed struct {
	lines []byte
	at    protocol.Cursor
	told  int
	until uint64 // event with which it is enough; 0: none
}

var errEnough = errors.New("enough")

func (f *fed) take(n *mirror.News) error {
	f.told++
	if n.Count == 0 {
		return nil
	}
	if n.First != f.at.Seq+1 || bytes.Count(n.Lines, []byte("\n")) != n.Count {
		return fmt.Errorf("%d events from %d on, behind %d", n.Count, n.First, f.at.Seq)
	}
	f.lines, f.at = append(f.lines, n.Lines...), protocol.Cursor{Epoch: n.Epoch, Seq: n.First + uint64(n.Count) - 1}
	if f.until > 0 && f.at.Seq >= f.until {
		return errEnough
	}
	return nil
}

// TestNodesFeedMirrors: a node gives another one a session's log as it is, from any cursor, says when it is over, and tells of none that it does not have.
//
// Proves: I16.7/mirror-feeds
func TestNodesFeedMirrors(t *testing.T) {
	p := newPeered(t)
	m := &peer.Mirrors{Forwarder: p.front.api.cfg.Peers}
	id := p.own.owned("ann", "")
	p.own.turn(id, "first")
	whole := p.own.log(id, "")
	events := uint64(bytes.Count(whole, []byte("\n")))
	for _, since := range []uint64{0, 1, events - 1} {
		f := &fed{at: protocol.Cursor{Epoch: 1, Seq: since}, until: events}
		if err := m.Follow(t.Context(), "own", id, f.at, f.take); !errors.Is(err, errEnough) || !bytes.HasSuffix(whole, f.lines) || f.at.Seq != events {
			t.Fatalf("behind %d: %v, up to %v", since, err, f.at)
		}
		rest := bytes.Join(bytes.SplitAfter(whole, []byte("\n"))[since:events-1], nil)
		if lines, err := m.Lines(t.Context(), "own", id, protocol.Cursor{Epoch: 1, Seq: since}, events-1); since < events-1 && (err != nil || !bytes.Equal(lines, rest)) {
			t.Fatalf("behind %d: %v\n%s", since, err, lines)
		}
	}
	f := &fed{at: protocol.Cursor{Epoch: 1}}
	ended := make(chan error, 1)
	go func() { ended <- m.Follow(t.Context(), "own", id, f.at, f.take) }() // ends with the session
	p.own.turn(id, "second")
	p.own.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	if err := <-ended; err != nil || !bytes.Equal(f.lines, p.own.log(id, "")) {
		t.Fatalf("%v:\n%s", err, f.lines)
	}
	if err := m.Follow(t.Context(), "own", id, f.at, f.take); !errors.Is(err, mirror.ErrOver) {
		t.Errorf("of one that is over: %v", err)
	}
	for name, ask := range map[string]func() error{
		"another epoch":            func() error { return m.Follow(t.Context(), "own", id, protocol.Cursor{Epoch: 7, Seq: 3}, f.take) },
		"no such session":          func() error { return m.Follow(t.Context(), "own", missingID, protocol.Cursor{Epoch: 1}, f.take) },
		"no such node":             func() error { return m.Follow(t.Context(), "nowhere", id, protocol.Cursor{Epoch: 1}, f.take) },
		"lines that are not there": func() error { _, err := m.Lines(t.Context(), "own", id, f.at, f.at.Seq+1); return err },
	} {
		if err := ask(); err == nil || errors.Is(err, mirror.ErrOver) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.own.tree.lose(id, 2, protocol.AppendLine(nil, &protocol.Event{Seq: f.at.Seq + 1, Time: 1, Payload: &protocol.Epoch{Epoch: 2, Reason: "power"}}))
	if lines, err := m.Lines(t.Context(), "own", id, protocol.Cursor{Epoch: 1, Seq: f.at.Seq - 1}, f.at.Seq+1); err == nil {
		t.Errorf("lines of two epochs:\n%s", lines)
	}
	if lines, err := m.Lines(t.Context(), "own", id, protocol.Cursor{Epoch: 2, Seq: f.at.Seq - 1}, f.at.Seq+1); err != nil || bytes.Count(lines, []byte("\n")) != 2 {
		t.Errorf("%v\n%s", err, lines)
	}
	if m.Fed() != 0 {
		t.Errorf("%d are fed", m.Fed())
	}
	p.own.atDesk(0) // its handlers notice when their clients have gone
}

// TestFeedsEnd: a feed ends when its connection is cut, with who wants it, and where there are enough of them.
func TestFeedsEnd(t *testing.T) {
	p := newPeered(t)
	conns := make(chan net.Conn, 8)
	p.wrap = func(c net.Conn) net.Conn { conns <- c; return c }
	m := &peer.Mirrors{Forwarder: p.front.api.cfg.Peers, Most: 1}
	id := p.own.owned("ann", "")
	follow := func(ctx context.Context) (told chan struct{}, ended chan error) {
		told, ended = make(chan struct{}, 64), make(chan error, 1)
		go func() { // ends with the feed
			ended <- m.Follow(ctx, "own", id, protocol.Cursor{Epoch: 1}, func(*mirror.News) error { told <- struct{}{}; return nil })
		}()
		return told, ended
	}
	told, ended := follow(t.Context())
	<-told
	if err := m.Follow(t.Context(), "own", id, protocol.Cursor{Epoch: 1}, nil); err == nil {
		t.Error("there is no bound")
	}
	// Not as TLS closes: that tells the node, which ends its answer in order, and may do so before the connection is gone.
	_ = (<-conns).(*tls.Conn).NetConn().Close()
	if err := <-ended; err == nil {
		t.Error("it was cut, and ends in order")
	}
	ctx, cancel := context.WithCancel(t.Context())
	told, ended = follow(ctx)
	<-told
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestWaitsThroughPeers: a wait for sessions of another node is answered there, at once and for whom it is meant; where that node does not answer, this one
// does, of what it knows.
//
// Proves: I16.7/waits
func TestWaitsThroughPeers(t *testing.T) {
	p := newPeered(t)
	var silent atomic.Bool
	p.wrap = func(c net.Conn) net.Conn {
		if silent.Load() {
			_ = c.Close()
		}
		return c
	}
	ann, bob := p.own.owned("ann", ""), p.own.owned("bob", "")
	wait := func(until string, ids ...string) string {
		return `{"sessions":["` + strings.Join(ids, `","`) + `"],"until":` + until + `}`
	}
	r := p.front.want(http.StatusOK, "POST", "/wait", wait(`{"rest":true}`, ann, bob))
	if strings.Count(string(r.body), `"because":"rest"`) != 2 {
		t.Fatalf("%s", r.body)
	}
	held := make(chan reply, 1)
	go func() { held <- p.front.do("POST", "/wait", wait(`{"prompt":"p1"}`, ann)) }() // ends with the answer
	p.own.turn(ann, "hello")
	if r := <-held; r.StatusCode != http.StatusOK && r.code() != protocol.CodePromptNotFound || r.StatusCode == http.StatusOK && !strings.Contains(string(r.body), `"outcome":"completed"`) {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	r = p.front.want(http.StatusOK, "POST", "/wait", wait(`{"prompt":"p1"}`, ann))
	if !strings.Contains(string(r.body), `"because":"prompt"`) {
		t.Fatalf("%s", r.body)
	}
	secret := p.front.secretOf(access.Token{Name: "b", Scope: access.OwnerRead, Owner: "bob"})
	for id, want := range map[string]int{ann: http.StatusNotFound, bob: http.StatusOK} {
		if r := p.front.ask("Bearer "+secret, "POST", "/wait", wait(`{"rest":true}`, id)); r.StatusCode != want {
			t.Errorf("%d %s, want %d", r.StatusCode, r.body, want)
		}
	}
	begun := time.Now()
	p.front.want(http.StatusOK, "POST", "/wait", `{"sessions":["`+ann+`"],"until":{"ended":true},"timeoutMs":50}`)
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("50 ms are %v", took)
	}
	p.front.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", "/wait", `{"sessions":["`+ann+`"],"until":{}}`)
	as := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return p.dial(ctx, p.front1)
	}}}
	for _, body := range []string{`{"select":{},"until":{"rest":true}}`, wait(`{"rest":true}`, ann)} { // the first names none of this node's
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://own/wait", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		admin := carried(access.Root, "front")
		q.Header = http.Header{"Content-Type": {"application/json"}, admin[0]: {admin[1]}, admin[2]: {admin[3]}}
		answer, err := as.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if isAll := strings.Contains(body, "select"); isAll != (answer.StatusCode == http.StatusMisdirectedRequest) {
			t.Errorf("%s: %d", body, answer.StatusCode)
		}
	}
	silent.Store(true)
	p.front.api.cfg.Peers.Close()                                                                                   // the connections that there are
	p.front.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "POST", "/wait", wait(`{"rest":true}`, ann)) // front's own word
}
