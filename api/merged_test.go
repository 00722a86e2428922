package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// follows reads a merged stream.
type follows struct {
	h      *harness
	res    *http.Response
	cancel context.CancelFunc
	frames *protocol.SSEReader
	logs   map[string][]byte // what came of each session, as lines
	at     map[string]string // and up to where
	signal map[string][]json.RawMessage
}

// merged opens a merged stream.
func (h *harness) merged(body string, header ...string) *follows {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	res, err := h.http.Do(h.request("POST", "/stream", body, header...).WithContext(ctx))
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		b, _ := io.ReadAll(res.Body)
		h.t.Fatalf("merged stream: %d %s %s", res.StatusCode, res.Header.Get("Content-Type"), b)
	}
	return &follows{
		h: h, res: res, cancel: cancel, frames: protocol.NewSSEReader(res.Body, 0),
		logs: map[string][]byte{}, at: map[string]string{}, signal: map[string][]json.RawMessage{},
	}
}

func (f *follows) close() { f.cancel(); f.res.Body.Close() }

// createWith makes a session of this body.
func (h *harness) createWith(body string) string {
	h.t.Helper()
	var s resource.SessionDetail
	h.want(http.StatusCreated, "POST", "/sessions", body).into(h.t, &s)
	return s.ID
}

// mergedFrame is one frame of a merged stream: an event of a session, or a signal.
type mergedFrame struct {
	session string
	event   *protocol.Event // nil: a signal
	kind    string
	data    []byte
}

// next reads a frame; ok is false at the end.
func (f *follows) next() (m mergedFrame, ok bool) {
	f.h.t.Helper()
	before := f.frames.LastEventID()
	frame, err := f.frames.Next()
	if err == io.EOF {
		return m, false
	}
	if err != nil {
		f.h.t.Fatal(err)
	}
	m.data = bytes.Clone(frame.Data)
	var head struct{ Type, SessionID string }
	if err := json.Unmarshal(frame.Data, &head); err != nil {
		f.h.t.Fatalf("%v: %s", err, frame.Data)
	}
	m.kind, m.session = head.Type, head.SessionID
	if frame.ID == before {
		f.signal[m.kind] = append(f.signal[m.kind], m.data)
		if m.kind == "reset" {
			delete(f.logs, m.session)
		}
		return m, true
	}
	id, cursor, ok := strings.Cut(frame.ID, "/")
	if !ok {
		f.h.t.Fatalf("the frame's id is %q", frame.ID)
	}
	e, err := protocol.Decode(frame.Data)
	if err != nil {
		f.h.t.Fatal(err)
	}
	m.session, m.event = id, &e
	f.logs[id] = append(append(f.logs[id], frame.Data...), '\n')
	f.at[id] = cursor
	return m, true
}

// until reads up to a frame that is wanted.
func (f *follows) until(want func(m mergedFrame) bool) mergedFrame {
	f.h.t.Helper()
	for {
		m, ok := f.next()
		if !ok {
			f.h.t.Fatal("the stream ended before the frame that is wanted")
		}
		if want(m) {
			return m
		}
	}
}

func (f *follows) untilKind(kind string) mergedFrame {
	f.h.t.Helper()
	return f.until(func(m mergedFrame) bool { return m.event == nil && m.kind == kind })
}

// untilAll reads until every session of the stream was read to its newest event.
func (f *follows) untilAll(ids ...string) {
	f.h.t.Helper()
	newest := map[string]uint64{}
	for _, id := range ids {
		newest[id] = seqOf(f.h, id)
	}
	for {
		behind := slices.ContainsFunc(ids, func(id string) bool {
			c, _ := protocol.ParseCursor(f.at[id])
			return c.Seq < newest[id]
		})
		if !behind {
			return
		}
		if _, ok := f.next(); !ok {
			f.h.t.Fatal("the stream ended early")
		}
	}
}

// sameAsLogs holds what came against the logs.
func (f *follows) sameAsLogs(ids ...string) {
	f.h.t.Helper()
	for _, id := range ids {
		if log := f.h.log(id, ""); !bytes.Equal(f.logs[id], log) {
			f.h.t.Errorf("of %s the stream gave\n%s\nthe log is\n%s", id, f.logs[id], log)
		}
	}
}

// TestMergedStreamIsEveryLog: lines and order are those of each log, and a stream that follows no list ends when all is over.
func TestMergedStreamIsEveryLog(t *testing.T) {
	h := newHarness(t)
	a, b, c := h.create("echo"), h.create("echo"), h.create("echo")
	h.turn(a, "before")
	f := h.merged(`{"sessions":{"` + a + `":"","` + b + `":"","` + c + `":"0"}}`)
	defer f.close()
	h.turn(b, "one")
	h.turn(a, "two")
	h.turn(c, "three")
	for _, id := range []string{a, b, c} {
		h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	}
	over := 0
	for {
		m, ok := f.next()
		if !ok {
			break
		}
		if m.kind == "over" && m.event == nil {
			over++
		}
	}
	if over != 3 {
		t.Errorf("%d sessions were over", over)
	}
	f.sameAsLogs(a, b, c)
}

// TestMergedStreamGoesOn: who sends the cursors that it has gets what follows, once.
func TestMergedStreamGoesOn(t *testing.T) {
	h := newHarness(t)
	a, b := h.create("echo"), h.create("echo")
	h.turn(a, "one")
	h.turn(b, "two")
	first := h.merged(`{"select":{}}`)
	defer first.close()
	first.untilAll(a, b)
	first.close()
	h.turn(a, "three")
	body, _ := json.Marshal(resource.StreamRequest{Sessions: first.at, Select: &resource.Selector{}})
	second := h.merged(string(body))
	defer second.close()
	h.turn(b, "four")
	second.untilAll(a, b)
	for _, id := range []string{a, b} {
		second.logs[id] = append(first.logs[id], second.logs[id]...)
	}
	second.sameAsLogs(a, b)
}

// TestMergedStreamTellsTheList: summaries first, then changes; sessions join when they come to match, and leave when they do not.
func TestMergedStreamTellsTheList(t *testing.T) {
	h := newHarness(t)
	a := h.createWith(`{"agent":"echo","cwd":"/work","labels":{"team":"core"}}`)
	other := h.create("echo")
	f := h.merged(`{"select":{"labels":{"team":"core"}},"roster":true}`)
	defer f.close()
	f.untilKind("roster_complete")
	if n := len(f.signal["session"]); n != 1 {
		t.Fatalf("the list has %d sessions: %s", n, f.signal["session"])
	}
	later := h.createWith(`{"agent":"echo","cwd":"/work","labels":{"team":"core"}}`)
	h.turn(later, "hi")
	f.untilAll(a, later)
	f.sameAsLogs(a, later)
	h.want(http.StatusOK, "PATCH", "/sessions/"+other, `{"labels":{"team":"core"}}`)
	f.untilAll(other)
	f.sameAsLogs(other)
	h.want(http.StatusOK, "PATCH", "/sessions/"+a, `{"labels":{"team":null}}`)
	if m := f.untilKind("session_gone"); m.session != a || !bytes.Contains(m.data, []byte("deselected")) {
		t.Errorf("gone is %s", m.data)
	}
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+later, "")
	if m := f.untilKind("session_gone"); m.session != later || !bytes.Contains(m.data, []byte("not_found")) {
		t.Errorf("gone is %s", m.data)
	}
}

// TestMergedStreamReset: a cursor that is not of a log is answered for that session alone.
func TestMergedStreamReset(t *testing.T) {
	h := newHarness(t)
	a, b := h.create("echo"), h.create("echo")
	f := h.merged(`{"sessions":{"` + a + `":"7.5","` + b + `":""}}`)
	defer f.close()
	f.untilAll(a, b)
	if n := len(f.signal["reset"]); n != 1 || !bytes.Contains(f.signal["reset"][0], []byte(a)) {
		t.Errorf("%d resets: %s", n, f.signal["reset"])
	}
	f.sameAsLogs(a, b)
}

// TestMergedStreamLetsSessionsRest: following a session does not take it up that was put away; it is read when it goes on.
func TestMergedStreamLetsSessionsRest(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Heartbeat = 50 * time.Millisecond })
	a, b := h.create("echo"), h.create("echo")
	h.turn(a, "one")
	f := h.merged(`{"select":{},"roster":true}`)
	defer f.close()
	f.untilAll(a, b)
	h.awaitReaders(a, "stream", 0) // the one of the turn would take it up again
	h.tree.passivate(a)
	at := h.tree.roster.Find(a).Cursor().String()
	f.until(func(m mergedFrame) bool {
		return m.kind == "session" && m.event == nil && bytes.Contains(m.data, []byte(a))
	})
	g := h.merged(`{"sessions":{"` + a + `":"` + at + `"}}`)
	defer g.close()
	g.until(func(m mergedFrame) bool { return m.kind == "heartbeat" }) // it has looked
	if h.tree.isUp(a) {
		t.Error("a session that has nothing new was taken up")
	}
	h.turn(a, "two")
	f.untilAll(a)
	f.sameAsLogs(a)
	g.untilAll(a)
	if want := h.log(a, "?since="+at); !bytes.Equal(g.logs[a], want) {
		t.Errorf("the second stream gave\n%s\nwant\n%s", g.logs[a], want)
	}
}

// TestMergedListGoesOn: a client that has a list is told what has changed since, what is gone and what does not match any more.
func TestMergedListGoesOn(t *testing.T) {
	h := newHarness(t)
	team := `{"agent":"echo","cwd":"/work","labels":{"team":"core"}}`
	same, changed, gone, left := h.createWith(team), h.createWith(team), h.createWith(team), h.createWith(team)
	var page resource.SessionPage
	h.want(http.StatusOK, "GET", "/sessions", "").into(t, &page)
	h.want(http.StatusOK, "PATCH", "/sessions/"+changed, `{"title":"another"}`)
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+gone, "")
	h.want(http.StatusOK, "PATCH", "/sessions/"+left, `{"labels":{"team":null}}`)
	f := h.merged(`{"select":{"labels":{"team":"core"}},"roster":true,"revision":"` + page.Revision + `"}`)
	defer f.close()
	m := f.untilKind("roster_complete")
	told := map[string]string{}
	for _, s := range f.signal["session"] {
		var x resource.SessionChanged
		if err := json.Unmarshal(s, &x); err != nil {
			t.Fatal(err)
		}
		told[x.Session.ID] = x.Session.Title
	}
	for _, s := range f.signal["session_gone"] {
		var x resource.SessionGone
		if err := json.Unmarshal(s, &x); err != nil {
			t.Fatal(err)
		}
		told[x.SessionID] = string(x.Reason)
	}
	delete(told, same) // its agent may have become ready since
	want := map[string]string{changed: "another", gone: "not_found", left: "deselected"}
	if !maps.Equal(told, want) {
		t.Errorf("told was %v, want %v", told, want)
	}
	var complete resource.RosterComplete
	if err := json.Unmarshal(m.data, &complete); err != nil {
		t.Fatal(err)
	}
	for revision, n := range map[string]int{complete.Revision: 0, "another.1": 2, "": 2} {
		g := h.merged(`{"select":{"labels":{"team":"core"}},"roster":true,"revision":"` + revision + `"}`)
		g.untilKind("roster_complete")
		if len(g.signal["session"]) != n {
			t.Errorf("after %q were told %s", revision, g.signal["session"])
		}
		g.close()
	}
}

// TestMergedListAfterALongTime: where the list does not know any more what is gone, a stream compares.
func TestMergedListAfterALongTime(t *testing.T) {
	h := newHarness(t)
	stays, goes := h.create("echo"), h.create("echo")
	f := h.merged(`{"select":{},"roster":true}`)
	defer f.close()
	f.untilKind("roster_complete")
	h.tree.roster.Remove(goes)
	for range 5000 { // more than it remembers
		id := uuid.NewString()
		h.tree.roster.Put(&session.Summary{ID: id}, nil, false)
		h.tree.roster.Remove(id)
	}
	if m := f.until(func(m mergedFrame) bool { return m.kind == "session_gone" && m.session == goes }); !bytes.Contains(m.data, []byte("not_found")) {
		t.Errorf("gone is %s", m.data)
	}
	h.turn(stays, "hi")
	f.untilAll(stays)
	f.sameAsLogs(stays)
}

// TestMergedStreamFromTheNewest: what is there already is not sent; sessions that come later are sent whole.
func TestMergedStreamFromTheNewest(t *testing.T) {
	h := newHarness(t)
	a := h.create("echo")
	h.turn(a, "one")
	h.awaitReaders(a, "stream", 0)
	before := h.log(a, "")
	f := h.merged(`{"select":{},"begin":"newest"}`)
	defer f.close()
	later := h.create("echo")
	h.turn(later, "two")
	f.untilAll(later)
	h.turn(a, "three")
	f.untilAll(a, later)
	f.sameAsLogs(later)
	if got := append(before, f.logs[a]...); !bytes.Equal(got, h.log(a, "")) {
		t.Errorf("of a session that was there came\n%s", f.logs[a])
	}
}

// TestMergedStreamOfADamagedSession: what precedes the damage is sent, then where the log ends; other sessions go on.
func TestMergedStreamOfADamagedSession(t *testing.T) {
	h := newHarness(t)
	b := h.create("echo")
	a, whole := h.spoiled(func(b []byte) []byte { return b[:len(b)/2] })
	h.awaitReaders(a, "", 0)
	h.tree.passivate(a)
	f := h.merged(`{"sessions":{"` + a + `":"","` + b + `":""}}`)
	defer f.close()
	m := f.untilKind("damage")
	if m.session != a || !bytes.Contains(m.data, []byte(`"file":"000001.ndjson"`)) {
		t.Errorf("damage is %s", m.data)
	}
	if got := f.logs[a]; len(got) == 0 || !bytes.HasPrefix(whole, got) {
		t.Errorf("before the damage came\n%s", got)
	}
	h.turn(b, "hi")
	f.untilAll(b)
	f.sameAsLogs(b)
}

// TestMergedStreamOfASessionThatIsRefused: the client is told once, and gets the session when it can be read again.
func TestMergedStreamOfASessionThatIsRefused(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Heartbeat = 20 * time.Millisecond })
	a := h.create("echo")
	h.turn(a, "one")
	whole := h.log(a, "")
	h.awaitReaders(a, "", 0)
	h.tree.passivate(a)
	h.tree.deny(protocol.NewProblem(protocol.CodeOverloaded, "Too much is going on.", "Wait."))
	f := h.merged(`{"sessions":{"` + a + `":""}}`)
	defer f.close()
	if m := f.untilKind("refused"); m.session != a || !bytes.Contains(m.data, []byte(`"code":"overloaded"`)) {
		t.Errorf("refused is %s", m.data)
	}
	for range 3 {
		f.untilKind("heartbeat")
	}
	h.tree.deny(nil)
	for f.at[a] == "" || !bytes.Equal(f.logs[a], whole) {
		f.next()
	}
	if n := len(f.signal["refused"]); n != 1 {
		t.Errorf("told %d times: %s", n, f.signal["refused"])
	}
}

// TestInbox: what sessions wait for is listed over all of them, and an answer takes it out.
func TestInbox(t *testing.T) {
	h := newHarness(t)
	a, b := h.create("asking"), h.create("asking")
	f := h.merged(`{"roster":true}`)
	defer f.close()
	for _, id := range []string{a, b} {
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"ask"}`)
		st := h.stream(id, "")
		st.until(func(e *protocol.Event) bool { return e.Payload.Type() == protocol.TypeRequestOpened })
		st.close()
	}
	inbox := func() (box resource.Inbox) {
		h.want(http.StatusOK, "GET", "/requests?state=open", "").into(t, &box)
		return box
	}
	box := inbox()
	for len(box.Requests) < 2 { // the list is told after the readers
		f.untilKind("session")
		box = inbox()
	}
	first := box.Requests[0]
	if box.Total != 2 || first.Agent != "asking" || first.OpenedAt.After(box.Requests[1].OpenedAt) {
		t.Fatalf("the inbox is %+v", box)
	}
	h.want(http.StatusOK, "POST", "/sessions/"+first.SessionID+"/requests/"+first.Request.RequestID, `{"outcome":"allowed"}`)
	for box = inbox(); len(box.Requests) > 1; box = inbox() {
		f.untilKind("session")
	}
	if len(box.Requests) != 1 || box.Requests[0].SessionID == first.SessionID {
		t.Errorf("after the answer the inbox is %+v", box)
	}
}

// TestMergedStreamLosesNothing: readers that are cut at random frames, and go on with the cursors that they have, get each log as it is, while sessions
// write more than their rings hold and are put away.
func TestMergedStreamLosesNothing(t *testing.T) {
	tr := newTree(t)
	tr.ring = 64 << 10
	h := serveTree(t, tr)
	const sessions, events = 5, 1500
	ids := make([]string, sessions)
	for i := range ids {
		ids[i] = h.create("busy")
	}
	var writers sync.WaitGroup
	for i, id := range ids {
		writers.Go(func() {
			for range 5 {
				tr.grow(id, events/5)
				if i%2 == 0 {
					h.want(http.StatusOK, "GET", "/sessions/"+id, "")
				}
			}
		})
	}
	var readers sync.WaitGroup
	for n := range 4 {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(n)))
			at, logs := map[string]string{}, map[string][]byte{}
			for done := false; !done; {
				body, _ := json.Marshal(resource.StreamRequest{Sessions: at, Select: &resource.Selector{}})
				f := h.merged(string(body))
				f.at, f.logs = maps.Clone(at), logs
				for frames := random.IntN(2000); frames > 0; frames-- {
					f.next()
					done = !slices.ContainsFunc(ids, func(id string) bool {
						c, _ := protocol.ParseCursor(f.at[id])
						return c.Seq < events
					})
					if done {
						break
					}
				}
				f.close()
				at = f.at
			}
			for _, id := range ids {
				log := h.log(id, "")
				if got := logs[id]; !bytes.HasPrefix(log, got) || len(got) == 0 {
					t.Errorf("reader %d: of %s came %d bytes that are not the beginning of its log", n, id, len(got))
				}
			}
		})
	}
	writers.Wait()
	readers.Wait()
}

// TestMergedStreamSurvivesTheActor: a session whose actor is put away while it is read is read on by the same stream.
func TestMergedStreamSurvivesTheActor(t *testing.T) {
	h := newHarness(t)
	a, b := h.create("echo"), h.create("echo")
	f := h.merged(`{"sessions":{"` + a + `":"","` + b + `":""}}`)
	defer f.close()
	for range 5 {
		h.turn(a, "hi")
		h.tree.passivate(a)
		h.turn(b, "hi")
	}
	f.untilAll(a, b)
	f.sameAsLogs(a, b)
}

// TestMergedStreamOfARevivedSession: a sub-agent was over, and is read on when it is taken up again.
func TestMergedStreamOfARevivedSession(t *testing.T) {
	h := newHarness(t)
	b := h.create("echo")
	a := h.tree.spawn(uuid.NewString(), session.Begin{
		Agent: "echo", Start: true, NativeID: "n", Metadata: protocol.Metadata{Cwd: "/work", SubAgent: true},
	}).id
	f := h.merged(`{"sessions":{"` + a + `":"","` + b + `":""}}`)
	defer f.close()
	isIdle := func(m mergedFrame) bool {
		if m.event == nil || m.session != a {
			return false
		}
		s, ok := m.event.Payload.(*protocol.Status)
		return ok && s.State == protocol.StateIdle
	}
	f.until(isIdle)
	h.tree.agentOf(a).exit(adapters.Exit{})
	f.untilKind("over")
	f.sameAsLogs(a)
	ref, err := h.tree.Find(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	ref.Send(session.Say(&session.Adopt{}))
	f.until(isIdle)
	for _, id := range []string{a, b} {
		h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	}
	for ok := true; ok; {
		_, ok = f.next() // to the end
	}
	f.sameAsLogs(a, b)
	if n := len(f.signal["over"]); n != 3 {
		t.Errorf("%d times over: %s", n, f.signal["over"])
	}
}

// TestMergedViews leave events out, and say by heartbeats how far they are.
func TestMergedViews(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Heartbeat = 50 * time.Millisecond })
	a := h.create("echo")
	h.turn(a, "one")
	newest := strconv.FormatUint(seqOf(h, a), 10)
	for _, view := range []string{"settled", "status", "items"} {
		f := h.merged(`{"sessions":{"` + a + `":""},"view":"` + view + `"}`)
		for !bytes.Contains(f.untilKind("heartbeat").data, []byte(`"`+a+`":"`+newest+`"`)) {
			if beats := len(f.signal["heartbeat"]); beats == 200 {
				t.Fatalf("%s: none of %d heartbeats says that event %s was sent", view, beats, newest)
			}
		}
		var got []string
		for line := range bytes.Lines(f.logs[a]) {
			e, err := protocol.Decode(bytes.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(e.Payload.Type()))
		}
		switch view {
		case "settled":
			if slices.Contains(got, "entry_delta") || !slices.Contains(got, "entry_end") {
				t.Errorf("settled has %v", got)
			}
		case "status":
			if slices.Contains(got, "entry_end") || !slices.Contains(got, "turn_end") || !slices.Contains(got, "session_start") {
				t.Errorf("status has %v", got)
			}
		case "items":
			if len(got) > 0 || len(f.signal["item"]) == 0 || !bytes.Contains(f.signal["item"][len(f.signal["item"])-1], []byte(a)) {
				t.Errorf("items has %v and %s", got, f.signal["item"])
			}
		}
		f.close()
	}
}

// TestMergedLines: the same as NDJSON, with the log's lines as they are.
func TestMergedLines(t *testing.T) {
	h := newHarness(t)
	a := h.create("echo")
	h.turn(a, "one")
	h.want(http.StatusOK, "POST", "/sessions/"+a+"/end", "")
	r := h.want(http.StatusOK, "POST", "/stream", `{"sessions":{"`+a+`":""}}`, "Accept", "application/x-ndjson")
	if r.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("it is %s", r.Header.Get("Content-Type"))
	}
	var log []byte
	for line := range bytes.Lines(r.body) {
		var m struct {
			Type, SessionID, Cursor string
			Event                   json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.Type == "event" && m.SessionID == a {
			log = append(append(log, m.Event...), '\n')
		}
	}
	if want := h.log(a, ""); !bytes.Equal(log, want) {
		t.Errorf("the lines are\n%s\nthe log is\n%s", log, want)
	}
}

// TestMergedStreamByAddress: as an EventSource asks, and comes again.
func TestMergedStreamByAddress(t *testing.T) {
	h := newHarness(t)
	a, b := h.create("echo"), h.create("echo")
	h.turn(a, "one")
	for _, id := range []string{a, b} {
		h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	}
	whole := h.want(http.StatusOK, "GET", "/stream?session="+a+"&session="+b+":1", "").body
	if n := bytes.Count(whole, []byte("id: "+a+"/")); n != int(seqOf(h, a)) {
		t.Errorf("%d frames of %d", n, seqOf(h, a))
	}
	if bytes.Contains(whole, []byte("id: "+b+"/1\n")) {
		t.Error("the cursor of the address does not count")
	}
	again := h.want(http.StatusOK, "GET", "/stream?session="+a+"&session="+b+":1", "", "Last-Event-ID", a+"/3").body
	if bytes.Contains(again, []byte("id: "+a+"/3\n")) || !bytes.Contains(again, []byte("id: "+a+"/4\n")) {
		t.Errorf("after frame 3 came\n%s", again)
	}
}

// TestMergedStreamRefusals: what is no request is told so.
func TestMergedStreamRefusals(t *testing.T) {
	h := newHarness(t)
	a := h.create("echo")
	for body, status := range map[string]int{
		`{}`:                                 http.StatusBadRequest,
		`{"sessions":{"x":""}}`:              http.StatusBadRequest,
		`{"sessions":{"` + a + `":"7.x"}}`:   http.StatusBadRequest,
		`{"select":{"state":"idle"}}`:        http.StatusUnprocessableEntity,
		`{"select":{},"view":"all"}`:         http.StatusUnprocessableEntity,
		`{"select":{"states":["sleeping"]}}`: http.StatusBadRequest,
	} {
		h.refused(status, protocol.CodeInvalidRequest, "POST", "/stream", body)
	}
	h.refused(http.StatusNotAcceptable, protocol.CodeInvalidRequest, "POST", "/stream", `{"select":{}}`, "Accept", "text/html")
	f := h.merged(`{"sessions":{"` + missingID + `":""}}`)
	defer f.close()
	if m, ok := f.next(); !ok || m.kind != "session_gone" {
		t.Errorf("of a session that is not there comes %s", m.data)
	}
	if _, ok := f.next(); ok {
		t.Error("a stream of nothing goes on")
	}
}

// TestMergedStreamIsOneOfTheStreams counts, and is within the principal's reach.
func TestMergedStreamIsOneOfTheStreams(t *testing.T) {
	h := newHarness(t)
	ann, bob := h.owned("ann", ""), h.owned("bob", "")
	_, secret, err := h.api.cfg.Tokens.Create(access.Token{Name: "ann", Scope: access.Owner, Owner: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	f := h.merged(`{"select":{},"sessions":{"`+bob+`":""},"roster":true}`, "Authorization", "Bearer "+secret)
	defer f.close()
	f.untilKind("roster_complete")
	f.until(func(m mergedFrame) bool { return m.event != nil })
	if n := h.api.streams.Open(); n != 1 {
		t.Errorf("%d streams are open", n)
	}
	if len(f.signal["session"]) != 1 || !bytes.Contains(f.signal["session"][0], []byte(ann)) || len(f.logs[bob]) > 0 || len(f.signal["session_gone"]) != 1 {
		t.Errorf("ann is told of %s, gone %s", f.signal["session"], f.signal["session_gone"])
	}
}
