package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestMCPAgrees: log, stream, push, poll and follow tell the same of three turns, whichever era a client is of.
// Proves: I4/eras
func TestMCPAgrees(t *testing.T) {
	h := newHarness(t)
	old, older, modern := h.connect(oldEra).listening(), h.connect(olderEra).listening(), h.connect(newEra)
	m := old.say("", "echo", "hello")
	if !m.Spawned || m.LastEventIndex != -1 || m.Push != "active" {
		t.Fatalf("%+v", m)
	}
	st := h.stream(m.SessionID, "")
	defer st.close()
	old.until(idleAgain(1))
	if again := older.say(m.SessionID, "", "and again"); again.Spawned || again.Push != "active" {
		t.Fatalf("%+v", again)
	}
	old.until(idleAgain(2))

	third := modern.say(m.SessionID, "", "once more")
	if third.Push != "unavailable" {
		t.Errorf("a client without a stream: push %s", third.Push)
	}
	r, err := modern.CallTool(t.Context(), &sdk.CallToolParams{
		Meta: sdk.Meta{sdk.MetaKeyLogLevel: "info"}, Name: "session_events", //nolint:staticcheck // deprecated, and all there is
		Arguments: args{"session_id": m.SessionID, "since_index": third.LastEventIndex, "follow": true, "wait_ms": 55000, "types": everyType},
	})
	if err != nil || r.IsError {
		t.Fatalf("%v %+v", err, r)
	}
	followed := resultOf[toldEvents](t, r).items()
	got := old.until(idleAgain(3))
	olderGot := older.until(idleAgain(2))

	polled, pushed := h.expected(m.SessionID)
	if !sameItems(got, pushed) {
		t.Errorf("pushed\n%+v\nwant\n%+v", got, pushed)
	}
	if want := since(pushed, olderGot[0].Seq); !sameItems(olderGot, want) {
		t.Errorf("pushed to the second watcher\n%+v\nwant\n%+v", olderGot, want)
	}
	for _, c := range []*mcpClient{old, older, modern} {
		for _, page := range []int{1, 2, 7, 1000} {
			if list := c.poll(m.SessionID, page, everyType...); !sameItems(list, polled) {
				t.Errorf("polled by %d\n%+v\nwant\n%+v", page, list, polled)
			}
		}
	}
	if want := since(polled, uint64(third.LastEventIndex)+2); !sameItems(followed, want) {
		t.Errorf("followed\n%+v\nwant\n%+v", followed, want)
	}
	if live := modern.until(func(l []protocol.SessionEvent) bool { return len(l) == len(followed) }); !sameItems(live, followed) {
		t.Errorf("told while following\n%+v\nwant\n%+v", live, followed)
	}
	if _, err := h.tree.Find(t.Context(), m.SessionID); err != nil {
		t.Fatal(err)
	}
	log := h.log(m.SessionID, "")
	for !bytes.Equal(st.lines, log) && len(st.lines) < len(log) {
		st.next()
	}
	if !bytes.Equal(st.lines, log) {
		t.Error("stream and log differ")
	}
}

func since(list []protocol.SessionEvent, seq uint64) (out []protocol.SessionEvent) {
	for _, it := range list {
		if it.Seq >= seq {
			out = append(out, it)
		}
	}
	return out
}

// TestMCPLevelNeverSet: the client is told so, and gets everything once it sets one.
// Proves: C19, I4/level
func TestMCPLevelNeverSet(t *testing.T) {
	h := newHarness(t)
	c := h.connect(oldEra)
	m := c.say("", "echo", "hello")
	if m.Push != "no_level" {
		t.Fatalf("push is %s", m.Push)
	}
	c.settled(m.SessionID, -1)
	if m := c.say(m.SessionID, "", "again"); m.Push != "no_level" {
		t.Fatalf("push is %s", m.Push)
	}
	c.settled(m.SessionID, -1)
	c.mu.Lock()
	if len(c.pushed) > 0 {
		t.Errorf("pushed without a level: %+v", c.pushed)
	}
	c.mu.Unlock()
	c.listening()
	got := c.until(idleAgain(2))
	if _, pushed := h.expected(m.SessionID); !sameItems(got, pushed) {
		t.Errorf("pushed\n%+v\nwant\n%+v", got, pushed)
	}
	if m := c.say(m.SessionID, "", "again"); m.Push != "active" {
		t.Errorf("push is %s", m.Push)
	}
	if err := c.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "error"}); err != nil { //nolint:staticcheck // the old era
		t.Fatal(err)
	}
	if m := c.say(m.SessionID, "", "again"); m.Push != "errors_only" {
		t.Errorf("push is %s", m.Push)
	}
}

// TestMCPCursors: what is no position of the log is answered with everything and a reset, never with silence.
// Proves: C25/types
func TestMCPCursors(t *testing.T) {
	h := newHarness(t)
	c := h.connect(oldEra)
	m := c.say("", "echo", "hello")
	c.settled(m.SessionID, -1)
	all, _ := h.expected(m.SessionID)
	for _, a := range []args{{"since_index": 10000}, {"since_index": 3, "epoch": 2}} {
		a["session_id"], a["types"] = m.SessionID, everyType
		if e := callTool[toldEvents](c, "session_events", a); !e.Reset || !sameItems(e.items(), all) {
			t.Errorf("%v: %+v", a, e)
		}
	}
	last := int(all[len(all)-1].Seq) - 1
	e := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "since_index": last})
	if e.Reset || len(e.Events) > 0 || e.LastIndex != last || e.HasMore || e.Status != "idle" {
		t.Errorf("at the end: %+v", e)
	}
	if e := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID}); slices.ContainsFunc(e.Events, func(x toldEvent) bool { return x.Type == protocol.ItemDelta }) {
		t.Error("deltas without being asked for")
	}
}

// TestMCPDetail: each event carries the line that it is made of.
// Proves: C24
func TestMCPDetail(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	m := c.say("", "echo", "hello")
	c.settled(m.SessionID, -1)
	lines := bytes.Split(h.log(m.SessionID, ""), []byte("\n"))
	e := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "detail": true, "types": []string{"message", "completion"}})
	if len(e.Events) != 2 {
		t.Fatalf("%+v", e)
	}
	for _, x := range e.Events {
		var want, got any
		if json.Unmarshal(lines[x.Index], &want) != nil || json.Unmarshal(x.Event, &got) != nil || fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("event %d is %s, want %s", x.Index, x.Event, lines[x.Index])
		}
	}
}

// TestMCPWaits: a call with wait_ms returns with the first event, or with nothing when the time is over.
// Proves: C25/wait
func TestMCPWaits(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		m := c.say("", "asking", "work")
		first := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "wait_ms": 55000, "types": []string{"request"}})
		if first.Status != "running" || first.State != "awaiting_approval" || len(first.Events) != 1 {
			t.Fatalf("%+v", first)
		}
		over := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "wait_ms": 1, "types": []string{"error"}})
		if over.Status != "running" || len(over.Events) != 0 || over.LastIndex != -1 {
			t.Errorf("%+v", over)
		}
		waiting := make(chan *sdk.CallToolResult, 1)
		go func() { // ends with the call
			r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "session_events", Arguments: args{
				"session_id": m.SessionID, "since_index": first.LastIndex, "wait_ms": 55000, "types": []string{"completion"},
			}})
			if err != nil {
				t.Error(err)
			}
			waiting <- r
		}()
		h.awaitReaders(m.SessionID, "mcp", 1)
		callTool[args](c, "session_answer", args{"session_id": m.SessionID, "option": "allow_once"})
		e := resultOf[toldEvents](t, <-waiting)
		if len(e.Events) != 1 || !strings.HasPrefix(e.Events[0].Text, "answered") {
			t.Errorf("%+v", e)
		}
		c.fails(protocol.CodeRequestNotFound, "session_answer", args{"session_id": m.SessionID, "option": "allow_once"})
	}
}

// awaitReaders waits until a session has n readers of a name; empty: of any.
func (h *harness) awaitReaders(id, name string, n int) {
	h.t.Helper()
	for begun := time.Now(); ; {
		var d struct {
			Readers []struct {
				Name string `json:"name"`
			} `json:"readers"`
		}
		h.want(200, "GET", "/sessions/"+id, "").into(h.t, &d)
		count := 0
		for _, r := range d.Readers {
			if name == "" || r.Name == name {
				count++
			}
		}
		if count == n {
			return
		}
		if time.Since(begun) > patience {
			h.t.Fatalf("%d readers, want %d", count, n)
		}
	}
}

// TestMCPCancelledCalls end their handlers: the reader of the log leaves.
func TestMCPCancelledCalls(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, olderEra, newEra} {
		c := h.connect(version)
		m := c.say("", "busy", "work")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { // ends with ctx
			_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "session_events", Arguments: args{
				"session_id": m.SessionID, "wait_ms": 55000, "types": []string{"error"},
			}})
			ended <- err
		}()
		h.awaitReaders(m.SessionID, "mcp", 1)
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%s: a cancelled call had an answer", version)
		}
		h.awaitReaders(m.SessionID, "mcp", 0)
	}
}

// TestMCPClientsThatVanish in the middle of a call: deleting the MCP session, or the daemon's end, ends it.
// Proves: 004.risks/gone
func TestMCPClientsThatVanish(t *testing.T) {
	h := newHarness(t)
	c := h.connect(oldEra)
	m := c.say("", "busy", "work")
	ended := make(chan struct{})
	go func() { // ends with the session
		defer close(ended)
		_, _ = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "session_events", Arguments: args{
			"session_id": m.SessionID, "wait_ms": 55000, "types": []string{"error"},
		}})
	}()
	h.awaitReaders(m.SessionID, "mcp", 1)
	h.want(204, "DELETE", "/mcp", "", "Mcp-Session-Id", c.ID())
	received(t, ended)
	h.awaitReaders(m.SessionID, "mcp", 0)
	if p := h.refused(404, protocol.CodeNotFound, "DELETE", "/mcp", "", "Mcp-Session-Id", c.ID()); !strings.Contains(p.Hint, "initialize") {
		t.Errorf("%+v", p)
	}
}

// TestMCPChildren: the events of a family in one answer, with a cursor for each, none lost and none twice.
// Proves: C5, T28
func TestMCPChildren(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	m := c.say("", "choosy", "delegate")
	var got []protocol.SessionEvent
	cursors := map[string]string{}
	asked := func() bool {
		return slices.ContainsFunc(got, func(it protocol.SessionEvent) bool {
			return it.Type == protocol.ItemRequest && it.SessionID != m.SessionID
		})
	}
	for !asked() {
		e := callTool[toldEvents](c, "session_events", args{
			"session_id": m.SessionID, "include_children": true, "cursors": cursors, "wait_ms": 55000, "max_events": 1,
		})
		got, cursors = append(got, e.items()...), e.Cursors
	}
	if len(cursors) != 2 {
		t.Fatalf("cursors %v", cursors)
	}
	if _, pushed := h.expected(m.SessionID); countOf(pushed, protocol.ItemRequest) != 1 {
		t.Errorf("the root's own log tells of %d requests", countOf(pushed, protocol.ItemRequest))
	}
	more := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "include_children": true, "cursors": cursors})
	if n := countOf(append(slices.Clone(got), more.items()...), protocol.ItemRequest); n != 1 {
		t.Errorf("one request is told %d times", n)
	}
	seen := map[string][]protocol.SessionEvent{}
	for _, it := range got {
		id := it.SessionID
		it.SessionID = ""
		seen[id] = append(seen[id], it)
	}
	for id, list := range seen {
		all, _ := h.expected(id)
		all = slices.DeleteFunc(all, func(it protocol.SessionEvent) bool { // what a child asks is told once, as the child's
			return it.Type == protocol.ItemDelta || strings.Contains(it.RequestID, "@")
		})
		if len(list) > len(all) || !sameItems(list, all[:len(list)]) {
			t.Errorf("of %s\n%+v\nwant\n%+v", id, list, all)
		}
	}
}

func sameItems(a, b []protocol.SessionEvent) bool {
	return slices.EqualFunc(a, b, protocol.SessionEvent.Equal)
}
