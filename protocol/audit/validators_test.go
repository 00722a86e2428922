package audit_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// text is a log with two prompts and one turn.
const text = `{"seq":1,"ts":1000,"type":"session_start","sessionId":"s","agentBackend":"scripted","metadata":{}}
{"seq":2,"ts":1000,"type":"prompt_queued","promptId":"p1","text":"hi","idempotencyKey":"k1"}
{"seq":3,"ts":1000,"type":"status","state":"queued","agentStatus":"queued"}
{"seq":4,"ts":1000,"type":"turn_start","turnId":"t1","prompt":{"text":"hi","promptId":"p1"}}
{"seq":5,"ts":1000,"type":"status","state":"responding","agentStatus":"responding"}
{"seq":6,"ts":1000,"type":"entry_start","turnId":"t1","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":""}}
{"seq":7,"ts":1000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"hel"}}
{"seq":8,"ts":3000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"lo"}}
{"seq":9,"ts":3000,"type":"entry_end","turnId":"t1","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":"hello you"}}
{"seq":10,"ts":3000,"type":"turn_end","turnId":"t1","status":"completed"}
{"seq":11,"ts":3000,"type":"status","state":"idle","agentStatus":"idle"}
{"seq":12,"ts":3000,"type":"prompt_queued","promptId":"p2","text":"more","idempotencyKey":"k2"}
`

func lines() [][]byte { return bytes.Split(bytes.TrimSuffix([]byte(text), []byte("\n")), []byte("\n")) }

func ledgers(t *testing.T, more ...string) audit.Ledgers {
	t.Helper()
	l := audit.NewLedger("s")
	all := lines()
	for _, m := range more {
		all = append(all, []byte(m))
	}
	if err := l.Follow(all); err != nil {
		t.Fatal(err)
	}
	return audit.Ledgers{"s": l}
}

// stream is what a client is shown over a channel of events that goes on behind from, up to to.
func stream(c audit.Channel, from, to uint64) audit.History {
	h := audit.History{{Client: "a", Channel: c, Kind: audit.Opened, Session: "s", Epoch: 1, Seq: from}}
	for seq := from + 1; seq <= to; seq++ {
		h = append(h, audit.Entry{Client: "a", Channel: c, Kind: audit.Shown, Session: "s", Epoch: 1, Seq: seq, Hash: audit.HashOf(lines()[seq-1])})
	}
	return h
}

// items is what a client is shown of the log as items.
func items(t *testing.T, c audit.Channel) audit.History {
	t.Helper()
	h := audit.History{{Client: "m", Channel: c, Kind: audit.Opened, Session: "s", Epoch: 1}}
	var poll protocol.Items
	push := protocol.NewPush("s")
	for _, line := range lines() {
		e, err := protocol.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		it, ok := poll.Item(&e)
		ok = ok && it.Type != protocol.ItemDelta
		if pushed, is := push.Item(&e); c == audit.Push {
			it, ok = pushed, is
		}
		if ok {
			h = append(h, audit.Entry{Client: "m", Channel: c, Kind: audit.Shown, Session: "s", Epoch: 1, Seq: e.Seq, Hash: audit.HashOfItem(it)})
		}
	}
	return h
}

func prompts() audit.History {
	var h audit.History
	for i := range 2 {
		n := strconv.Itoa(i + 1)
		e := audit.Entry{Client: "w", Channel: audit.Prompts, Kind: audit.Asked, Session: "s", Key: "k" + n}
		h = append(h, e)
		e.Kind, e.Prompt = audit.Accepted, "p"+n
		h = append(h, e, e)
	}
	return h
}

// TestGoodHistories are those of clients that were treated well.
// Proves: I5/validators
func TestGoodHistories(t *testing.T) {
	logs := ledgers(t)
	pushes, polls := items(t, audit.Push), items(t, audit.Poll)
	if len(pushes) < 5 || len(polls) < 5 || reflect.DeepEqual(pushes, polls) {
		t.Fatalf("the log has %d pushes and %d polls", len(pushes), len(polls))
	}
	beat := audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Beat, Session: "s", Epoch: 1, Seq: 4}
	stopped := audit.Entry{Client: "o", Channel: audit.System, Kind: audit.Stopped, At: 9 * time.Second}
	for name, h := range map[string]audit.History{
		"nothing":     nil,
		"stream":      stream(audit.Stream, 0, 12),
		"reconnected": append(append(stream(audit.Stream, 0, 4), beat), stream(audit.Stream, 4, 11)...),
		"log":         stream(audit.Whole, 3, 12),
		"file":        stream(audit.File, 0, 12),
		"push":        pushes,
		"poll":        polls,
		"prompts":     prompts(),
		"stopped":     {{Client: "o", Channel: audit.System, Kind: audit.Stopping}, stopped},
		"another session": {
			{Client: "a", Channel: audit.Stream, Kind: audit.Shown, Session: "other", Epoch: 1, Seq: 1, Hash: 7},
		},
	} {
		if err := audit.Check(logs, h); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBrokenHistories breaks good histories in every way that a promise forbids.
// Proves: I5/validators
func TestBrokenHistories(t *testing.T) {
	logs := ledgers(t)
	full := func() audit.History { return stream(audit.Stream, 0, 12) }
	with := func(h audit.History, e audit.Entry) audit.History { return append(h, e) }
	change := func(h audit.History, i int, f func(*audit.Entry)) audit.History { f(&h[i]); return h }
	shown := func(seq uint64) audit.Entry {
		return audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Shown, Session: "s", Epoch: 1, Seq: seq, Hash: 1}
	}
	system := func(k audit.Kind, note string, at time.Duration) audit.Entry {
		return audit.Entry{Client: "o", Channel: audit.System, Kind: k, Note: note, At: at}
	}
	for _, c := range []struct {
		name    string
		promise error
		by      func(audit.History) error
		history audit.History
	}{
		{"two change places", audit.ErrOrdered, audit.Ordered, change(full(), 5, func(e *audit.Entry) { e.Seq = 6 })},
		{"one is left out", audit.ErrOrdered, audit.Ordered, slices.Delete(full(), 5, 6)},
		{"the cursor is not taken", audit.ErrOrdered, audit.Ordered, append(full(), stream(audit.Stream, 12, 12)[0], shown(12))},
		{"a heartbeat of the future", audit.ErrOrdered, audit.Ordered, with(full(), audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Beat, Session: "s", Epoch: 1, Seq: 13})},
		{"items go back", audit.ErrOrdered, audit.Ordered, func() audit.History {
			h := items(t, audit.Push)
			h[2], h[3] = h[3], h[2]
			return h
		}()},
		{"shown again after a reconnect", audit.ErrUnique, audit.Unique, append(full(), stream(audit.Stream, 11, 12)...)},
		{"an item shown again", audit.ErrUnique, audit.Unique, append(items(t, audit.Poll), items(t, audit.Poll)[1])},
		{"a gap between connections", audit.ErrReliable, func(h audit.History) error { return audit.Reliable(h, logs) }, append(stream(audit.Stream, 0, 4), stream(audit.Stream, 6, 12)...)},
		{"an item is left out", audit.ErrReliable, func(h audit.History) error { return audit.Reliable(h, logs) }, slices.Delete(items(t, audit.Push), 2, 3)},
		{"a good cursor is refused", audit.ErrResumable, func(h audit.History) error { return audit.Resumable(h, logs) }, append(append(stream(audit.Stream, 0, 4), stream(audit.Stream, 4, 4)[0]), audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Reset, Session: "s", Epoch: 1})},
		{"goes on too late", audit.ErrResumable, func(h audit.History) error { return audit.Resumable(h, logs) }, with(stream(audit.Stream, 4, 4), shown(6))},
		{"an item too late", audit.ErrResumable, func(h audit.History) error { return audit.Resumable(h, logs) }, slices.Delete(items(t, audit.Poll), 1, 2)},
		{"other bytes", audit.ErrAgreeing, func(h audit.History) error { return audit.Agreeing(h, logs) }, change(full(), 5, func(e *audit.Entry) { e.Hash++ })},
		{"another item", audit.ErrAgreeing, func(h audit.History) error { return audit.Agreeing(h, logs) }, change(items(t, audit.Push), 3, func(e *audit.Entry) { e.Hash++ })},
		{"a delta is pushed", audit.ErrAgreeing, func(h audit.History) error { return audit.Agreeing(h, logs) }, slices.Insert(items(t, audit.Push), 2,
			audit.Entry{Client: "m", Channel: audit.Push, Kind: audit.Shown, Session: "s", Epoch: 1, Seq: 7, Hash: 1})},
		{"lost", audit.ErrLost, func(h audit.History) error { return audit.Durable(h, logs) }, with(full(), shown(13))},
		{"renumbered", audit.ErrRenumbered, func(h audit.History) error { return audit.Durable(h, logs) }, change(full(), 5, func(e *audit.Entry) { e.Hash++ })},
		{"the log was longer", audit.ErrLost, func(h audit.History) error { return audit.Durable(h, logs) }, audit.History{{Client: "a", Channel: audit.Whole, Kind: audit.Version, Session: "s", Epoch: 1, Seq: 13}}},
		{"an accepted prompt is lost", audit.ErrLost, func(h audit.History) error { return audit.Durable(h, logs) }, with(prompts(), audit.Entry{Client: "w", Channel: audit.Prompts, Kind: audit.Accepted, Session: "s", Key: "k3", Prompt: "p3"})},
		{"a key gets two prompts", audit.ErrIdempotent, func(h audit.History) error { return audit.Idempotent(h, logs) }, change(prompts(), 2, func(e *audit.Entry) { e.Prompt = "p7" })},
		{"the log has another prompt", audit.ErrIdempotent, func(h audit.History) error { return audit.Idempotent(h, logs) }, change(change(prompts(), 1, func(e *audit.Entry) { e.Prompt = "p7" }), 2, func(e *audit.Entry) { e.Prompt = "p7" })},
		{"a prompt of nobody", audit.ErrIdempotent, func(h audit.History) error { return audit.Idempotent(h, logs) }, prompts()[:3]},
		{"a process is left", audit.ErrReaped, audit.Reaped, audit.History{system(audit.Left, "marker/s/1", 0)}},
		{"too slow", audit.ErrGraceful, audit.Graceful, audit.History{system(audit.Stopping, "", 0), system(audit.Stopped, "", 11*time.Second)}},
		{"not in order", audit.ErrGraceful, audit.Graceful, audit.History{system(audit.Stopping, "", 0), system(audit.Stopped, "status 1", time.Second)}},
		{"not at all", audit.ErrGraceful, audit.Graceful, audit.History{system(audit.Stopping, "", 0)}},
	} {
		if err := c.by(c.history); !errors.Is(err, c.promise) {
			t.Errorf("%s: %v, want %v", c.name, err, c.promise)
		}
		if err := audit.Check(logs, full(), c.history); err == nil {
			t.Errorf("%s: Check passes it", c.name)
		}
	}
}

// TestStates: a log in which a state follows another that it must not follow is broken (spec §6.3).
// Proves: I10.4/transitions
func TestStates(t *testing.T) {
	for _, c := range []struct {
		states string // one after the other
		good   bool
	}{
		{"starting idle queued responding running_tool interrupting idle terminated", true},
		{"queued interrupting starting completed idle", true},
		{"idle retrying idle compacting failed starting", true},
		{"responding", false},
		{"failed", false},
		{"idle interrupting", false},
		{"starting interrupting", false},
		{"idle terminated failed", false},
		{"idle completed responding", false},
		{"idle failed interrupting", false},
	} {
		log := audit.New()
		err := log.Take(&protocol.Event{Seq: 1, Payload: &protocol.SessionStart{}})
		var last string
		for i, name := range strings.Fields(c.states) {
			if err != nil {
				break
			}
			state := protocol.State(name)
			st := &protocol.Status{State: state, AgentStatus: state.AgentStatus()}
			last, err = name, log.Take(&protocol.Event{Seq: uint64(i) + 2, Payload: st})
		}
		words := strings.Fields(c.states)
		if (err == nil) != c.good || err != nil && (!errors.Is(err, audit.ErrStatus) || last != words[len(words)-1]) {
			t.Errorf("%s: %v", c.states, err)
		}
	}
}

// TestEpochVoidsWhatItSays: events of an epoch that the log says were lost are forgiven, those before them are not.
func TestEpochVoidsWhatItSays(t *testing.T) {
	logs := ledgers(t, `{"seq":13,"ts":4000,"type":"epoch","epoch":2,"reason":"power loss"}`)
	h := stream(audit.Stream, 0, 12)
	lost := audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Shown, Session: "s", Epoch: 1, Seq: 13, Hash: 1}
	if err := audit.Check(logs, append(h, lost)); err != nil {
		t.Error(err)
	}
	h[5].Hash++
	if err := audit.Durable(h, logs); !errors.Is(err, audit.ErrRenumbered) {
		t.Errorf("before the epoch: %v", err)
	}
	lost.Epoch = 2
	if err := audit.Durable(audit.History{lost}, logs); !errors.Is(err, audit.ErrRenumbered) {
		t.Errorf("of the new epoch: %v", err)
	}
}

// TestCursorsOfAnotherEpoch: a client may go on across epochs with what is in all of them, and with nothing else.
// Proves: I5/validators, I16.1/cursors
func TestCursorsOfAnotherEpoch(t *testing.T) {
	logs := ledgers(t, `{"seq":13,"ts":4000,"type":"epoch","epoch":2,"reason":"power loss"}`, `{"seq":14,"ts":4000,"type":"status","state":"queued","agentStatus":"queued"}`)
	in := func(epoch uint64, h audit.History) audit.History {
		for i := range h {
			h[i].Epoch = epoch
		}
		return h
	}
	opened := func(epoch, seq uint64) audit.History {
		return audit.History{{Client: "a", Channel: audit.Stream, Kind: audit.Opened, Session: "s", Epoch: epoch, Seq: seq}}
	}
	reset := audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Reset, Session: "s", Epoch: 2}
	resumable := func(h audit.History) error { return audit.Resumable(h, logs) }
	reliable := func(h audit.History) error { return audit.Reliable(h, logs) }
	first := stream(audit.Stream, 0, 7)
	for _, c := range []struct {
		name    string
		promise error
		by      func(audit.History) error
		history audit.History
	}{
		{"goes on in a later epoch", nil, resumable, slices.Concat(first, opened(1, 7), in(2, stream(audit.Stream, 7, 12))[1:])},
		{"goes on in a later epoch, all of it", nil, reliable, slices.Concat(first, opened(1, 7), in(2, stream(audit.Stream, 7, 12))[1:])},
		{"left out at the change", audit.ErrReliable, reliable, slices.Concat(first, opened(1, 7), in(2, stream(audit.Stream, 8, 12))[1:])},
		{"shown again in a later epoch", audit.ErrUnique, audit.Unique, slices.Concat(first, opened(1, 7), in(2, stream(audit.Stream, 5, 12))[1:])},
		{"refused though nothing of it is lost", audit.ErrResumable, resumable, append(slices.Concat(first, opened(1, 7)), reset)},
		{"refused for what is lost", nil, resumable, append(opened(1, 13), reset)},
		{"goes on behind what is lost", audit.ErrResumable, resumable, append(opened(1, 13),
			audit.Entry{Client: "a", Channel: audit.Stream, Kind: audit.Shown, Session: "s", Epoch: 2, Seq: 14, Hash: 1})},
		{"refused in an epoch that is not known", nil, resumable, append(opened(7, 3), reset)},
	} {
		if err := c.by(c.history); !errors.Is(err, c.promise) {
			t.Errorf("%s: %v, want %v", c.name, err, c.promise)
		}
	}
}

// TestLedgerFollows: a log may only grow.
func TestLedgerFollows(t *testing.T) {
	changed := lines()
	changed[4] = bytes.Replace(changed[4], []byte("responding"), []byte("retrying"), 1)
	for name, c := range map[string]struct {
		lines   [][]byte
		promise error
	}{
		"grown":            {append(lines(), []byte(`{"seq":13,"ts":3000,"type":"prompt_removed","promptId":"p2","reason":"cancelled"}`)), nil},
		"shorter":          {lines()[:11], audit.ErrLost},
		"changed":          {changed, audit.ErrRenumbered},
		"ill formed":       {append(lines(), []byte(`{"seq":14,"ts":3000,"type":"prompt_removed","promptId":"p2","reason":"cancelled"}`)), audit.ErrOrdered},
		"a prompt twice":   {append(lines(), []byte(`{"seq":13,"ts":3000,"type":"prompt_queued","promptId":"p3","text":"","idempotencyKey":"k2"}`)), audit.ErrIdempotent},
		"a turn twice":     {append(lines(), []byte(`{"seq":13,"ts":3000,"type":"turn_start","turnId":"t2","prompt":{"text":"hi","promptId":"p1"}}`)), audit.ErrIdempotent},
		"an epoch twice":   {append(lines(), []byte(`{"seq":13,"ts":3000,"type":"epoch","epoch":1,"reason":""}`)), audit.ErrOrdered},
		"half an event":    {append(lines(), []byte(`{"seq":13,`)), errAny},
		"something broken": {append(lines(), []byte(`{"seq":13,"ts":3000,"type":"turn_end","turnId":"t9","status":"completed"}`)), audit.ErrTurns},
	} {
		l := ledgers(t)["s"]
		switch err := l.Follow(c.lines); {
		case c.promise == errAny && err != nil:
		case !errors.Is(err, c.promise):
			t.Errorf("%s: %v, want %v", name, err, c.promise)
		}
	}
	if l := ledgers(t)["s"]; l.Prompts() != 2 || l.Turns() != 1 || l.Epoch() != 1 || l.Log().Seq() != 12 {
		t.Errorf("%d prompts, %d turns, epoch %d, seq %d", l.Prompts(), l.Turns(), l.Epoch(), l.Log().Seq())
	}
}

var errAny = errors.New("any")

// TestRecorderKeeps writes a history and reads it back.
func TestRecorderKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson")
	clock := time.Duration(0)
	r, err := audit.NewRecorder(path, "a", func() time.Duration { clock++; return clock })
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range stream(audit.Stream, 0, 12) {
		e.Client = ""
		r.Add(e)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h, err := audit.ReadHistory(path)
	if err != nil || !reflect.DeepEqual(h, r.History()) || len(h) != 13 || h[12].At != 13 || h[12].Client != "a" || h[12].Hash == 0 {
		t.Errorf("%v, %+v", err, h)
	}
	if _, err := audit.NewRecorder(path, "a", nil); err == nil {
		t.Error("written over")
	}
	if _, err := audit.ReadHistory(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("read from nowhere")
	}
}

// TestFailureSaysHow: everything that is needed to see it again is in the text.
// Proves: I5/validators
func TestFailureSaysHow(t *testing.T) {
	run := audit.Run{Seed: 42, Point: "journal/beforeSync#7", Files: []string{"x/a.ndjson", "x/b.ndjson"}, Command: "SEED=42 tools/robust.sh 1"}
	err := run.Fail(audit.Durable(append(stream(audit.Stream, 0, 12), audit.Entry{
		Client: "a", Channel: audit.Stream, Kind: audit.Shown, Session: "s", Epoch: 1, Seq: 13,
	}), ledgers(t)))
	if !errors.Is(err, audit.ErrDurable) || !errors.Is(err, audit.ErrLost) {
		t.Fatal(err)
	}
	for _, want := range []string{"line 14", "event 13", "seed     42", "journal/beforeSync#7", "x/a.ndjson", "x/b.ndjson", "SEED=42 tools/robust.sh 1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
	if err := run.Fail(nil); err != nil {
		t.Error(err)
	}
}
