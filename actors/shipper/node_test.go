package shipper

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// node is a machine with a data folder and a shipper. Its sessions are logs of lines; what shows them is the test.
type node struct {
	t     *testing.T
	name  string
	place *corememory.Place
	store *memory.Store
	ship  *Shipper
	logs  map[string]store.Writer // of sessions that are at work
	mu    sync.Mutex              // of what the shipper asks for
	all   map[string]bool         // that were not deleted
	gone  []string                // that Core was said to have removed
	left  map[string]bool         // that were deleted, and of which that was not said yet: the files in "unsent"
	words *rand.Rand

	refuses string        // Core refuses whatever it is sent of this session; "": none
	gate    chan struct{} // Core takes something for each that comes; nil: it does not wait
	sent    atomic.Int64  // batches that Core was sent
	asked   atomic.Int64  // times that Core was asked where it stands
	surveys atomic.Int64  // times that Core was asked for all that the node has
	works   bool          // sessions that are shown are at work
	told    sync.Map      // by session, whether Core has it at work behind its newest batch
	lost    atomic.Bool   // what is told of sessions cannot be read
	sizes   sizes
}

// choosy is a Core that refuses what it is sent of a session, and with it the others of the call.
type choosy struct {
	core.Core
	refuses string
	gate    chan struct{}
	sent    *atomic.Int64
	asked   *atomic.Int64
	surveys *atomic.Int64
	told    *sync.Map
}

func (c choosy) Held(ctx context.Context, node string) iter.Seq2[core.Position, error] {
	c.surveys.Add(1)
	return c.Core.Held(ctx, node)
}

func (c choosy) Positions(ctx context.Context, sessions []string) ([]core.Position, error) {
	c.asked.Add(1)
	return c.Core.Positions(ctx, sessions)
}

func (c choosy) Append(ctx context.Context, batches []core.Batch) ([]core.Answer, error) {
	for _, b := range batches {
		if b.Session == c.refuses {
			return nil, &core.RefusedError{Op: "append", Err: errors.New("invalid memory alloc request size 1073741824")}
		}
	}
	c.sent.Add(int64(len(batches)))
	if c.gate != nil {
		<-c.gate
	}
	for _, b := range batches {
		c.told.Store(b.Session, b.Works)
	}
	return c.Core.Append(ctx, batches)
}

func newNode(t *testing.T, name string, place *corememory.Place) *node {
	n := &node{
		t: t, name: name, place: place, store: new(memory.Store), logs: map[string]store.Writer{}, all: map[string]bool{}, left: map[string]bool{},
		words: rand.New(rand.NewPCG(1, 2)), sizes: usual,
	}
	return n
}

// start begins a life of the daemon.
func (n *node) start() {
	n.ship = New(Config{
		Connect: func(context.Context) (core.Core, error) {
			return choosy{n.place.Core(), n.refuses, n.gate, &n.sent, &n.asked, &n.surveys, &n.told}, nil
		},
		Record:   n.record,
		Sessions: n.sessions,
		Find:     n.find,
		Removed: func(id string) {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.gone = append(n.gone, id)
			delete(n.left, id)
		},
		Log: zap.NewNop(),
	})
	n.ship.sizes = n.sizes
	n.mu.Lock()
	for id := range n.left {
		n.ship.Removed(id)
	}
	n.mu.Unlock()
	n.ship.Begin(n.name)
}

func (n *node) record(id string) (core.Record, bool) {
	return core.Record{Session: id, Root: id, Agent: "scripted", State: "idle", Workspace: "node:" + n.name}, n.is(id) && !n.lost.Load()
}

func (n *node) sessions() iter.Seq2[string, protocol.Cursor] {
	return func(yield func(string, protocol.Cursor) bool) {
		for _, id := range n.ids() {
			if log, err := n.store.Look(id); err == nil {
				_, newest := log.Bounds()
				if !yield(id, protocol.Cursor{Epoch: log.Epoch(), Seq: newest}) {
					return
				}
			}
		}
	}
}

func (n *node) find(_ context.Context, id string) (Log, uint64, error) {
	n.mu.Lock()
	isLive := n.logs[id] != nil
	n.mu.Unlock()
	if isLive || !n.is(id) {
		return nil, 0, nil
	}
	log, err := n.store.Look(id)
	if err != nil {
		return nil, 0, err
	}
	_, newest := log.Bounds()
	return log, newest, nil
}

// is says that a session is there.
func (n *node) is(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all[id]
}

// set notes a session's log while it is at work; nil: it is not.
func (n *node) set(id string, w store.Writer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all[id] = true; w == nil {
		delete(n.logs, id)
		return
	}
	n.logs[id] = w
}

// id is the id of session i.
func id(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }

// say appends events to a session's log, which is made where there is none, and shows them.
func (n *node) say(id string, events int) {
	n.t.Helper()
	w := n.logs[id]
	if w == nil && n.is(id) {
		var err error
		if w, _, err = n.store.Open(id, store.Opening{}, nil); err != nil {
			n.t.Fatal(err)
		}
	}
	if w == nil {
		var err error
		if w, err = n.store.Create(id); err != nil {
			n.t.Fatal(err)
		}
	}
	n.set(id, w)
	_, newest := w.Log().Bounds()
	var lines strings.Builder
	for i := range events {
		fmt.Fprintf(&lines, "{\"seq\":%d,\"word\":%d}\n", newest+1+uint64(i), n.words.Uint64())
	}
	b := store.Batch{First: newest + 1, Count: events, Lines: []byte(lines.String()), Time: 1, Source: store.Source{Incarnation: 1, Batch: newest + 1}}
	if err := w.Append(b); err != nil {
		n.t.Fatal(err)
	}
	n.show(id)
}

func (n *node) show(id string) {
	_, newest := n.logs[id].Log().Bounds()
	n.ship.Shown(id, n.logs[id].Log(), newest, n.works)
}

// rest closes a session's log.
func (n *node) rest(id string) {
	n.t.Helper()
	if err := n.logs[id].Close(); err != nil {
		n.t.Fatal(err)
	}
	n.set(id, nil)
}

// remove deletes a session.
func (n *node) remove(id string) {
	n.t.Helper()
	n.mu.Lock()
	n.left[id] = true
	n.mu.Unlock()
	n.ship.Removed(id)
	if w := n.logs[id]; w != nil {
		n.rest(id)
	}
	n.mu.Lock()
	delete(n.all, id)
	n.mu.Unlock()
	if err := n.store.Remove(id); err != nil {
		n.t.Fatal(err)
	}
}

// kill ends the daemon as kill -9 does; what it was sending may arrive.
func (n *node) kill() {
	n.ship.end()
	<-n.ship.done
	n.logs = map[string]store.Writer{}
	n.store = n.store.Kill()
}

// losePower ends the machine. The sessions' next epochs begin when they are taken up.
func (n *node) losePower(random *rand.Rand) {
	left := n.store
	n.kill()
	n.store = left.PowerLoss(random)
}

// takeUp opens all logs as a start behind a kill, or a loss of power, does.
func (n *node) takeUp(powerLoss bool) {
	n.t.Helper()
	for _, id := range n.ids() {
		w, rec, err := n.store.Open(id, store.Opening{PowerLoss: powerLoss}, nil)
		if err != nil {
			n.t.Fatal(err)
		}
		if powerLoss {
			if err := w.NewEpoch(rec.Epoch + 1); err != nil {
				n.t.Fatal(err)
			}
		}
		n.set(id, w)
		n.show(id)
	}
}

func (n *node) ids() (ids []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id := range n.all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// settle waits until the shipper has done what it can. It may have found a problem just before the test has taken that away.
func (n *node) settle() {
	synctest.Wait()
	time.Sleep(retryAfter + 2*longestWait)
	synctest.Wait()
}

// end closes everything.
func (n *node) end() {
	for _, id := range n.ids() {
		if n.logs[id] != nil {
			n.rest(id)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	n.ship.Close(ctx)
}

// verify has Core hold exactly what the logs hold.
func (n *node) verify() {
	n.t.Helper()
	c := n.place.Core()
	defer c.Close()
	for _, id := range n.ids() {
		v, err := core.Verify(n.t.Context(), c, id, func() (store.Log, error) { return n.store.Look(id) })
		if err != nil || !v.Known || v.Behind > 0 || v.Differs != "" {
			p, _, _, _ := c.Session(n.t.Context(), id)
			n.t.Errorf("%s: %+v, %v; position %+v, problem %v", id, v, err, p, n.problem(id))
		}
	}
}

// problem is why nothing of a session can be sent; nil: it can.
func (n *node) problem(id string) *Problem {
	n.ship.book.mu.Lock()
	defer n.ship.book.mu.Unlock()
	if w := n.ship.ways[id]; w != nil {
		return w.problem
	}
	return nil
}

// has is Core's position of a session.
func (n *node) has(id string) core.Position {
	n.t.Helper()
	c := n.place.Core()
	defer c.Close()
	p, _, _, err := c.Session(n.t.Context(), id)
	if err != nil {
		n.t.Fatal(err)
	}
	return p
}

// inTime runs a test in virtual time.
func inTime(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}
