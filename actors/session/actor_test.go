package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// house is a session's actor on a disk that can fail, with a supervisor that only takes notes.
type house struct {
	t      *testing.T
	system *actor.ActorSystem
	disk   *disktest.Disk
	log    zapcore.Core
	logged *observer.ObservedLogs
	gauges Gauges
	ref    Ref
	pid    *actor.PID

	mu       sync.Mutex
	started  []StartAgent
	summary  Summary
	works    bool // as it was told with the newest events
	toSync   []syncCall
	failures int
	batch    uint64
	limit    int64 // of the log
	trims    []Trim
}

type syncCall struct {
	journal store.Writer
	seq     uint64
	to      Ref
}

func newHouse(t *testing.T, syncFirst bool) *house { return newBounded(t, syncFirst, 0) }

// newBounded has a log that may have so many bytes, in files of an eighth of that.
func newBounded(t *testing.T, syncFirst bool, limit int64) *house {
	h := &house{t: t, disk: disktest.New(), limit: limit}
	h.log, h.logged = observer.New(zap.WarnLevel)
	h.system = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}), actor.WithDeadLetterThrottleCount(0))
	ask.AnswerDeadLetters(h.system, nil)
	h.open(syncFirst, func(Replay) (store.Writer, store.Recovery, error) {
		j, err := journal.Create("s1", journal.Options{FS: h.disk, SegmentBytes: limit / 8})
		return j, store.Recovery{}, err
	}, func(store.Recovery) Input { return &Begin{Agent: "pi", Start: true} })
	return h
}

func (h *house) open(syncFirst bool, open func(Replay) (store.Writer, store.Recovery, error), first func(store.Recovery) Input) {
	h.pid = h.system.Root.Spawn(Props(Config{
		ID: "s1", Host: h, Open: open, First: first, Limits: testLimits(), RingBytes: 1 << 20, SyncFirst: syncFirst, LogBytes: h.limit,
		Gauges: &h.gauges, Now: time.Now, Log: zap.New(h.log),
	}))
	h.ref = ask.NewRef[Message](h.system.Root, h.pid)
}

// reopen ends the actor and starts another on the same disk.
func (h *house) reopen(first func(store.Recovery) Input) {
	h.t.Helper()
	if err := h.system.Root.StopFuture(h.pid).Wait(); err != nil {
		h.t.Fatal(err)
	}
	h.open(false, func(r Replay) (store.Writer, store.Recovery, error) {
		return journal.Open("s1", journal.Options{FS: h.disk}, r.Visit)
	}, first)
}

func (h *house) close() {
	if err := h.system.Root.StopFuture(h.pid).Wait(); err != nil {
		h.t.Error(err)
	}
	time.Sleep(2 * time.Second) // of the bubble: the engine's dead-letter throttle ends
}

func (h *house) StartAgent(_ string, e StartAgent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.started = append(h.started, e)
}
func (h *house) CancelStart(string, uint32)             {}
func (h *house) HastenStart(string)                     {}
func (h *house) AdoptChild(string, AdoptChild)          {}
func (h *house) ToRoot(string, ChildMessage)            {}
func (h *house) ToSession(_ string, m Message)          { ask.Undelivered(m) }
func (h *house) Offers(string, Offers)                  {}
func (h *house) Announce(s Summary)                     { h.mu.Lock(); defer h.mu.Unlock(); h.summary = s }
func (h *house) Reopen(string, uint64)                  {}
func (h *house) Checkpoint(string, store.Place, []byte) {}
func (h *house) Trim(_ string, m Trim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.trims = append(h.trims, m)
}
func (h *house) Trimmed(string, uint64, int64, error) {}

func (h *house) Shown(_ string, _ store.Log, _ uint64, works bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.works = works
}

func (h *house) Appended(_ string, _ store.Writer, _ Ref, _ int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.failures++
	}
}

func (h *house) Sync(_ string, j store.Writer, seq uint64, to Ref) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.toSync = append(h.toSync, syncCall{j, seq, to})
}

// state is the newest summary, and how many writes have failed.
func (h *house) state() (Summary, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.summary, h.failures
}

// asked is how many agents were asked for.
func (h *house) asked() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.started)
}

// adapter is one that does nothing.
func (h *house) adapter() AdapterRef {
	pid := h.system.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
	return ask.NewRef[AdapterMessage](h.system.Root, pid)
}

// sync does what the supervisor's syncer would have done.
func (h *house) sync() {
	h.mu.Lock()
	calls := h.toSync
	h.toSync = nil
	h.mu.Unlock()
	for _, c := range calls {
		c.to.Send(&Synced{Seq: c.seq, Err: c.journal.Sync()})
	}
	synctest.Wait()
}

func (h *house) say(drafts ...adapters.Draft) {
	h.batch++
	h.ref.Send(Say(&Batch{Incarnation: 1, Number: h.batch, Drafts: drafts}))
	synctest.Wait()
}

func (h *house) join() *Reader {
	h.t.Helper()
	r, err := ask.Ask(h.t.Context(), h.ref, func(r ask.Reply[*Reader]) Message { return &Join{Reply: r, Name: "test"} })
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// shown is the log as a reader sees it: from the ring, and the same from the journal.
func (h *house) shown(r *Reader) []protocol.Event {
	h.t.Helper()
	lines, err := store.LinesOf(r.Log, 0, r.Ring.Head())
	if err != nil {
		h.t.Fatal(err)
	}
	defer lines.Close()
	var log []protocol.Event
	a := audit.New()
	for lines.Next() {
		e, err := protocol.Decode(lines.Line())
		if err == nil {
			err = a.Take(&e)
		}
		if err != nil {
			h.t.Fatal(err)
		}
		log = append(log, e)
	}
	if err := lines.Err(); err != nil || uint64(len(log)) != r.Ring.Head() {
		h.t.Fatalf("%d events of %d: %v", len(log), r.Ring.Head(), err)
	}
	return log
}

func TestDiskFullLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		r := h.join()
		h.say(adapters.Ready{NativeSessionID: "n"})
		before := r.Ring.Head()
		h.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind == "write" || op.Kind == "create" {
				return &disktest.Fault{Err: syscall.ENOSPC}
			}
			return nil
		})
		h.say(adapters.TurnBegan{})
		h.say(text(1))
		if r.Ring.Head() != before {
			t.Fatal("shown and not written")
		}
		p := prompt("hello", "")
		h.ref.Send(p)
		synctest.Wait()
		var problem *protocol.Problem
		if _, err := answer(t, p.Reply); !errors.As(err, &problem) || problem.Code != protocol.CodeReadOnly || problem.Hint == "" {
			t.Fatalf("%v", err)
		}
		if want := "The session's journal takes no events: no space left on device."; problem.Detail != want { // and no path
			t.Fatalf("%q", problem.Detail)
		}
		if sum, failures := h.state(); !sum.ReadOnly || failures == 0 {
			t.Fatalf("%+v, %d failures", sum, failures)
		}
		time.Sleep(3 * time.Second) // tries again, in vain
		h.disk.Fail(nil)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if sum, _ := h.state(); sum.ReadOnly {
			t.Fatal("still read-only")
		}
		h.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
		log := h.shown(r)
		if got := log[len(log)-2].Payload.Type(); got != protocol.TypeTurnEnd {
			t.Fatalf("the log ends with %s", got)
		}
	})
}

// Proves: 002.9.1/written
func TestNothingIsShownBeforeItIsSynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, true)
		defer h.close()
		synctest.Wait()
		r := h.join()
		if r.Ring.Head() != 0 || h.asked() != 0 {
			t.Fatalf("head %d, %d agents asked for, and nothing is on the disk", r.Ring.Head(), h.asked())
		}
		h.sync()
		if r.Ring.Head() == 0 || h.asked() != 1 {
			t.Fatalf("head %d, %d agents asked for", r.Ring.Head(), h.asked())
		}
		h.say(adapters.Ready{NativeSessionID: "n"})
		p := prompt("hello", "")
		h.ref.Send(p)
		synctest.Wait()
		head := r.Ring.Head()
		look := &Describe{ask.NewReply[Description]()} // at what is not on the disk
		h.ref.Send(look)
		synctest.Wait()
		soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if d, err := look.Wait(soon); err == nil {
			t.Fatalf("described as %s at %d, and %d is the newest that is shown", d.Status.State, d.Seq, head)
		}
		h.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind == "sync" {
				return &disktest.Fault{Err: syscall.EIO}
			}
			return nil
		})
		h.sync()
		if r.Ring.Head() != head {
			t.Fatal("shown after a failed sync")
		}
		d, err := ask.Ask(t.Context(), h.ref, func(r ask.Reply[Description]) Message { return &Describe{r} })
		if err != nil || d.Seq != head || !d.ReadOnly {
			t.Fatalf("a reader is told to begin at %d, %v, read-only %v, and %d is the newest that is shown", d.Seq, err, d.ReadOnly, head)
		}
		h.disk.Fail(nil)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		h.sync()
		h.sync()
		if rec, err := answer(t, p.Reply); err != nil || rec.PromptID != "p1" {
			t.Fatalf("%+v, %v", rec, err)
		}
		if d, err := answer(t, look.Reply); err != nil || d.Seq <= head || d.Seq > r.Ring.Head() {
			t.Fatalf("described at %d, %v, and %d is the newest that is shown", d.Seq, err, r.Ring.Head())
		}
		h.shown(r)
	})
}

func TestRejoinTakesEachBatchOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer func() { h.close() }()
		h.say(adapters.Ready{NativeSessionID: "n"})
		h.say(adapters.TurnBegan{}, text(1), adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "a"}})
		h.reopen(func(rec store.Recovery) Input {
			if rec.Last != (store.Source{Incarnation: 1, Batch: 2}) {
				t.Errorf("the journal has %+v", rec.Last)
			}
			return &Rejoin{Incarnation: 1, Batch: rec.Last.Batch, Adapter: h.adapter()}
		})
		h.batch = 1
		h.say(adapters.TurnBegan{}, text(1), adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "a"}}) // sent again
		h.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "b"}})
		h.say(adapters.EntryClosed{Key: 1}, adapters.TurnEnded{Status: protocol.TurnCompleted})
		log := h.shown(h.join())
		var got string
		for _, e := range log {
			if end, ok := e.Payload.(*protocol.EntryEnd); ok {
				got = fmt.Sprint(end.Data.(*protocol.MessageData).Text, end.Incomplete)
			}
		}
		if got != "abfalse" {
			t.Fatalf("got %q", got)
		}
	})
}

// TestShownSaysWhetherItIsAtWork: what is told with the newest events is the session's status behind them, whatever becomes of the agent.
//
// Proves: I16.6/at-work
func TestShownSaysWhetherItIsAtWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer func() { h.close() }()
		is := func(what string, want bool) {
			t.Helper()
			synctest.Wait()
			h.mu.Lock()
			defer h.mu.Unlock()
			if state := h.summary.Status.State; h.works != want || AtWork(state) != want {
				t.Errorf("%s: it works: %t, and is %s", what, h.works, state)
			}
		}
		exits := func() {
			h.batch++
			h.ref.Send(Say(&Batch{Incarnation: 1, Number: h.batch, Exit: &adapters.Exit{Code: 1}}))
		}
		is("its agent starts", true)
		h.say(adapters.Ready{NativeSessionID: "n"})
		is("it rests", false)
		h.say(adapters.TurnBegan{})
		is("a turn runs", true)
		h.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
		is("it is over", false)
		h.say(adapters.TurnBegan{})
		exits()
		is("the agent has died in a turn, and another one starts", true)
		h.close()
		h = newHouse(t, false)
		exits()
		is("an agent has died before it was ready", false)
	})
}

func TestEndedSessionLetsItsReadersGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		r := h.join()
		done := make(chan error)
		go func() {
			since := uint64(0)
			for {
				f, last, _ := r.Ring.Frames(since)
				if since = last; len(f) == 0 {
					if r.Ring.State() != 0 {
						done <- nil
						return
					}
					if err := r.Ring.Wait(t.Context(), since); err != nil {
						done <- err
						return
					}
				}
			}
		}()
		h.ref.Send(asks(&End{}))
		h.batch++
		h.ref.Send(Say(&Batch{Incarnation: 1, Number: h.batch, Exit: &adapters.Exit{Requested: true}}))
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

func TestWhatFitsNothingIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		for range 5 {
			h.say(adapters.EntryClosed{Key: 9})
		}
		if n := h.logged.FilterMessage("the agent said what fits nothing").Len(); n != 3 {
			t.Fatalf("told %d times, want at 1, 2 and 4", n)
		}
	})
}
