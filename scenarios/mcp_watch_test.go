package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// pushedTypes are the types of items that clients are pushed.
var pushedTypes = []protocol.ItemType{
	protocol.ItemStatus, protocol.ItemMessage, protocol.ItemToolCall, protocol.ItemToolResult, protocol.ItemCompletion, protocol.ItemError,
	protocol.ItemRequest, protocol.ItemRequestResolved, protocol.ItemChild,
}

// followedTypes are those that a client of the new era asks for: it reads growing messages by their pieces as well.
var followedTypes = append(slices.Clone(pushedTypes), protocol.ItemDelta)

// itemTypes are all.
var itemTypes = append(slices.Clone(followedTypes),
	protocol.ItemThinking, protocol.ItemPrompt, protocol.ItemSystem)

// watch is one session that a client is told of as things happen: by pushes, or by calls of session_events that follow.
type watch struct {
	client  *mcpClient
	session string // id
	since   uint64 // seq after which it is told
	epoch   uint64 // of the log that it knows; 0: it knows none of it
	partial bool   // there was a time without a level at which everything is told
	late    bool   // there was a time in which it could not be told at once, or it asked for what was long past
	cancel  context.CancelFunc
	done    chan struct{} // closed when the calls have ended; nil: there are none

	returned []protocol.SessionEvent // by answers, under the client's mu
}

// reached is the position up to which the client knows the session.
func (x *watch) reached() uint64 {
	x.client.mu.Lock()
	defer x.client.mu.Unlock()
	at := x.since
	if list := x.client.told[x.session]; len(list) > 0 {
		at = max(at, list[len(list)-1].Seq)
	}
	if n := len(x.returned); n > 0 {
		at = max(at, x.returned[n-1].Seq)
	}
	return at
}

// notice is an item that a notification told, and when it arrived.
type notice struct {
	protocol.SessionEvent
	at time.Time
}

// keep keeps an item that a notification told; pushes may come before the answer to the call that asks for them. With mu held.
func (c *mcpClient) keep(it protocol.SessionEvent) {
	id := it.SessionID
	if id == "" && len(c.order) == 1 { // on the stream of a call the session is that of the call
		id = c.order[0].session
	}
	c.told[id] = append(c.told[id], notice{it, time.Now()})
}

// isToldAll says that at the client's level everything is told.
func (c *mcpClient) isToldAll() bool { return c.level == "debug" || c.level == "info" }

// watch makes the client a watcher of what comes after seq.
func (c *mcpClient) watch(id string, since, epoch uint64) {
	if c.watched[id] != nil {
		return
	}
	x := &watch{client: c, session: id, since: since, epoch: epoch, partial: !c.isToldAll()}
	c.mu.Lock()
	c.watched[id], c.order = x, append(c.order, x)
	c.mu.Unlock()
	x.start()
}

// start follows in the new era; the old one is pushed to.
func (x *watch) start() {
	if !x.client.modern() || x.done != nil {
		return
	}
	ctx, cancel := context.WithCancel(x.client.w.ctx)
	x.cancel, x.done = cancel, make(chan struct{})
	go x.follow(ctx, x.done)
}

// stop ends the calls.
func (x *watch) stop() {
	if x.done == nil {
		return
	}
	x.cancel()
	<-x.done
	x.done = nil
}

// events is the answer of session_events.
type events struct {
	page
	Completed bool `json:"completed"`
	Failed    bool `json:"failed"`
}

// followWait is how long one call waits, in milliseconds: as long as a call may.
const followWait = 55000

// follow calls session_events again and again, each time from where the client is. It ends with ctx, with the session, or with
// the wire.
func (x *watch) follow(ctx context.Context, done chan<- struct{}) {
	defer close(done)
	for since := x.reached(); ctx.Err() == nil; since = x.reached() {
		var e events
		in := map[string]any{
			"session_id": x.session, "since_index": int(since) - 1, "follow": true, "wait_ms": followWait, "max_events": 1000, "types": followedTypes,
		}
		if x.epoch > 0 {
			in["epoch"] = x.epoch
		}
		raw, err := x.client.call(ctx, "session_events", in)
		if err == nil {
			err = json.Unmarshal(raw, &e)
		}
		if refused := toolError(""); errors.As(err, &refused) {
			x.client.complain("session_events: %v", err)
		}
		if err != nil {
			return
		}
		x.client.mu.Lock()
		if x.epoch = e.Epoch; e.Reset { // this is from the beginning
			x.since, x.returned, x.client.told[x.session] = 0, nil, nil
		}
		x.returned = append(x.returned, e.Events...)
		x.client.mu.Unlock()
		if (e.Completed || e.Failed) && len(e.Events) == 0 {
			return
		}
	}
}

// problems says where what the client was told is not what the log tells: something lost, doubled, changed or out of order.
func (x *watch) problems(log []protocol.Event) []string {
	want := func(e protocol.SessionEvent) bool { return slices.Contains(followedTypes, e.Type) }
	all := items(log)
	if !x.client.modern() {
		all = pushes(x.session, log)
	}
	for i := range all {
		all[i].Brief(0)
	}
	all = slices.DeleteFunc(all, func(it protocol.SessionEvent) bool { return it.Seq <= x.since || !want(it) })
	x.client.mu.Lock()
	var told []protocol.SessionEvent
	var latest time.Duration
	for _, n := range x.client.told[x.session] {
		told, latest = append(told, n.SessionEvent), max(latest, n.at.Sub(time.UnixMilli(n.Ts)))
	}
	returned := slices.Clone(x.returned)
	x.client.mu.Unlock()
	var problems []string
	if !x.client.w.loose && !x.late && !x.partial && latest >= maxLate {
		problems = append(problems, fmt.Sprintf("it was told %v after the event", latest))
	}
	if p := partOf(all, told); p != "" {
		problems = append(problems, "it was pushed "+p)
	}
	if p := partOf(all, returned); p != "" {
		problems = append(problems, "it was answered "+p)
	}
	if !x.partial && x.client.wire.whole() && len(told) < len(all) {
		problems = append(problems, fmt.Sprintf("it was pushed %d items, the log has %d", len(told), len(all)))
	}
	return problems
}

// maxLate is 003's bound for a push. In virtual time nothing takes time but waiting: no part of the way to a client waits.
const maxLate = 100 * time.Millisecond

// partOf says what keeps part from being made of items of whole, in their order and each at most once.
func partOf(whole, part []protocol.SessionEvent) string {
	for _, it := range part {
		i := slices.IndexFunc(whole, it.Equal)
		if i < 0 {
			return fmt.Sprintf("%+v, which the log does not tell there", it)
		}
		whole = whole[i+1:]
	}
	return ""
}

// complete waits until the client has been told the last item of the log, where nothing says that all has come.
func (x *watch) complete(log []protocol.Event) {
	last := x.since
	for _, it := range pushes(x.session, log) {
		last = max(last, it.Seq)
	}
	for x.client.w.loose && !x.partial && x.client.wire.whole() && x.toldUpTo() < last {
		if x.client.wait() != nil {
			return // the comparison says what is missing
		}
	}
}

func (x *watch) toldUpTo() uint64 {
	x.client.mu.Lock()
	defer x.client.mu.Unlock()
	list := x.client.told[x.session]
	if len(list) == 0 {
		return x.since
	}
	return list[len(list)-1].Seq
}
