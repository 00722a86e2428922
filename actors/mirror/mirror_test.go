package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func noneTold() session.Summary { return session.Summary{} }

// house is a mirror of what a writer has in a place.
type house struct {
	*writer
	test   *testing.T
	place  *memory.Place
	system *actor.ActorSystem
	mirror *Mirror

	mu  sync.Mutex
	sum session.Summary
}

var errRefused = errors.New("not here")

// in runs a test in a bubble.
func in(t *testing.T, first core.Record, test func(t *testing.T, h *house), with ...func(*Config)) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{test: t, place: new(memory.Place)}
		h.writer = newWriter(t, h.place, first)
		h.system = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
			return slog.New(slog.DiscardHandler)
		}), actor.WithDeadLetterThrottleCount(0))
		ask.AnswerDeadLetters(h.system, nil)
		cfg := Config{
			ID: id, Core: h.place.Core(), Now: time.Now, Refused: func() error { return errRefused },
			Told: func() session.Summary { h.mu.Lock(); defer h.mu.Unlock(); return h.sum },
		}
		for _, w := range with {
			w(&cfg)
		}
		h.mirror = Start(h.system.Root, cfg)
		test(t, h)
		if err := h.system.Root.StopFuture(h.mirror.PID()).Wait(); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second) // of the bubble: the engine's dead-letter throttle ends
	})
}

func (h *house) tell(s session.Summary) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sum = s
}

func (h *house) try(yields, frame bool) (*session.Reader, error) {
	return ask.Ask(h.test.Context(), h.mirror.Ref, func(r ask.Reply[*session.Reader]) session.Message {
		return &session.Join{Reply: r, Name: "test", Yields: yields, Frame: frame}
	})
}

func (h *house) join() *session.Reader {
	h.test.Helper()
	r, err := h.try(false, false)
	if err != nil {
		h.test.Fatal(err)
	}
	return r
}

func (h *house) describe() session.Description {
	h.test.Helper()
	d, err := ask.Ask(h.test.Context(), h.mirror.Ref, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
	if err != nil {
		h.test.Fatal(err)
	}
	return d
}

// moved is what the mirror's owner does once it has asked Core.
func (h *house) moved() {
	h.mirror.Moved(h.at)
	synctest.Wait()
}

// shown are the lines that a ring has behind an event.
func shown(t *testing.T, r *ring.Ring, since uint64) []byte {
	t.Helper()
	var out []byte
	for {
		frames, last, ok := r.Frames(since)
		if !ok {
			t.Fatal("the ring does not have it")
		}
		if len(frames) == 0 {
			return out
		}
		for len(frames) > 0 {
			var line []byte
			_, line, frames = ring.Cut(frames)
			out = append(append(out, line...), '\n')
		}
		since = last
	}
}

// TestReadersFollow: what Core has more is shown in the ring, fed once, and the log has it as well.
//
// Proves: I16.4/read-follows
func TestReadersFollow(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3, 2)
		a, b := h.join(), h.join()
		if a.Ring != b.Ring || a.Ring.Head() != 5 || !a.Away || a.Beginning != nil {
			t.Fatalf("readers begin with %d and %d", a.Ring.Head(), b.Ring.Head())
		}
		if !h.mirror.IsFollowed() {
			t.Fatal("somebody follows")
		}
		h.say(1, 1, 40, 7)
		h.say(3, 2) // an epoch that begins with a batch, behind nothing that was lost, is another log
		h.at.Head, h.at.Epoch = 53, 1
		h.moved()
		if a.Ring.Head() != 53 || !bytes.Equal(shown(t, a.Ring, 5), h.part(5, 53)) {
			t.Fatalf("shown up to %d:\n%s", a.Ring.Head(), shown(t, a.Ring, 5))
		}
		if _, newest := a.Log.Bounds(); newest != 53 {
			t.Fatal(newest)
		}
		if a.Ring.State() != ring.Open {
			t.Fatal("it is over")
		}
		h.at.Head, h.at.Epoch = 55, 3
		h.moved()
		if a.Ring.State() != ring.Retired {
			t.Fatal("another epoch has begun")
		}
		if h.mirror.IsFollowed() {
			t.Fatal("nobody follows")
		}
		c := h.join()
		if c.Ring.Epoch() != 3 || c.Ring.Head() != 55 {
			t.Fatal(c.Ring.Epoch(), c.Ring.Head())
		}
		if upTo, known := c.Agree(1); upTo != 53 || !known {
			t.Fatal(upTo, known)
		}
	})
}

// TestSameNumberInAnotherEpoch: a log that has lost its end and has as many events again is another one.
func TestSameNumberInAnotherEpoch(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3, 2)
		r := h.join()
		h.lose(4, 2)
		h.say(2, 1)
		h.moved()
		if r.Ring.State() != ring.Retired {
			t.Fatal("who follows is told nothing")
		}
		again := h.join()
		if upTo, known := again.Agree(1); !known || upTo != 4 || again.Ring.Head() != 5 {
			t.Fatal(upTo, known, again.Ring.Head())
		}
	})
}

// TestWhoComesIsTold: a mirror that nobody follows tells of what Core has at the question.
func TestWhoComesIsTold(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		for range 3 {
			h.say(1, 4)
			r := h.join()
			if r.Ring.Head() != h.at.Head {
				t.Fatalf("told of %d, Core has %d", r.Ring.Head(), h.at.Head)
			}
			f, err := h.try(false, true)
			if err != nil || f.Ring.Head() != h.at.Head {
				t.Fatal(err)
			}
			f.Leave()
			r.Leave()
			synctest.Wait()
			if h.mirror.IsFollowed() {
				t.Fatal("it has left")
			}
		}
	})
}

func TestFarBehind(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 1)
		r := h.join()
		h.say(1, far+2)
		h.moved()
		if r.Ring.State() != ring.Retired || h.join().Ring.Head() != h.at.Head {
			t.Error("the ring was fed with more than it keeps")
		}
	})
}

func TestWhatYields(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3)
		r, err := h.try(true, false)
		if err != nil {
			t.Fatal(err)
		}
		h.moved()
		if r.Ring.State() != ring.Open {
			t.Fatal("it has not read everything")
		}
		r.At(3)
		stays := h.join()
		h.moved()
		if r.Ring.State() != ring.Open {
			t.Fatal("somebody reads on")
		}
		stays.Leave()
		h.moved()
		if r.Ring.State() != ring.Retired {
			t.Error("it has read everything, and yields")
		}
	})
}

// TestSessionIsOver: readers are let go where the record and the log say so both, and a revived session is followed on.
func TestSessionIsOver(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		ended := session.Summary{Seq: 3, Epoch: 1, Status: protocol.Status{State: protocol.StateCompleted}}
		h.say(1, 2)
		r := h.join()
		h.tell(ended)
		h.moved()
		if r.Ring.State() != ring.Open {
			t.Fatal("its last event is not there yet")
		}
		h.say(1, 1)
		h.moved()
		if r.Ring.State() != ring.Ended || h.join().Ring.State() != ring.Ended {
			t.Fatal("it is not over")
		}
		h.say(1, 1)
		h.moved()
		revived := h.join()
		if revived.Ring.State() != ring.Open || revived.Ring.Head() != 4 {
			t.Error("it goes on, and nobody is told")
		}
	})
}

// TestChangesAreRefused: whoever asks for anything but to read is told, also of questions that the mirror does not know.
//
// Proves: I16.4/read-refusals
func TestChangesAreRefused(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		_, err := session.Ask(t.Context(), h.mirror.Ref, &session.SendPrompt{})
		_, choices := ask.Ask(t.Context(), h.mirror.Ref, func(r ask.Reply[session.Offers]) session.Message { return &session.Choices{Reply: r} })
		_, ends := session.Ask(t.Context(), h.mirror.Ref, &session.End{})
		for _, err := range []error{err, choices, ends} {
			if !errors.Is(err, errRefused) {
				t.Error(err)
			}
		}
		h.mirror.Send(session.Say(&session.Waive{})) // for whom nobody waits
	})
}

// TestDescriptionIsOfTheLog: what waits and what is asked comes out of the log, what no log tells out of the record.
func TestDescriptionIsOfTheLog(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.tell(session.Summary{ID: id, Agent: "pi", Owner: "ann", Node: "other", Title: "told", Seq: 1, Epoch: 1})
		for _, e := range []protocol.Payload{
			&protocol.SessionStart{SessionID: id, AgentBackend: "pi", Metadata: protocol.Metadata{Cwd: "/w"}},
			&protocol.PromptQueued{PromptID: "p1", Text: "do it", StreamingBehavior: protocol.FollowUp},
		} {
			h.event(e)
		}
		reader := h.join()
		reader.At(1)
		for range 2 {
			d := h.describe()
			if d.ID != id || d.Owner != "ann" || d.Node != "other" || d.Seq != 2 || len(d.Queue) != 1 || d.Queue[0].Text != "do it" || len(d.Readers) != 1 || d.Readers[0].Behind != 1 {
				t.Fatalf("%+v", d)
			}
		}
		reader.Leave()
		h.event(&protocol.PromptQueued{PromptID: "p2", Text: "and this", StreamingBehavior: protocol.FollowUp})
		if d := h.describe(); len(d.Queue) != 2 || d.Seq != 3 || d.Cwd != "/w" {
			t.Fatalf("%+v", d)
		}
	})
}

func (h *house) event(p protocol.Payload) {
	e := protocol.Event{Seq: h.at.Head + 1, Time: 5, Payload: p}
	h.append(store.Stretch{First: e.Seq, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: append(protocol.Append(nil, &e), '\n')})
}

// TestTrimmedBefore: of a log whose beginning Core never had, what that told is not told.
func TestTrimmedBefore(t *testing.T) {
	in(t, core.Record{First: 100}, func(t *testing.T, h *house) {
		h.tell(session.Summary{ID: id, Title: "told", Seq: 102, Epoch: 1})
		h.say(1, 3)
		r := h.join()
		if _, err := r.Beginning(); err == nil {
			t.Error("nobody knows what the dropped events had told")
		}
		if d := h.describe(); d.Title != "told" || d.Seq != 102 {
			t.Errorf("%+v", d)
		}
	})
}

// TestCoreGoesAwayMeanwhile: those that follow wait for it, and those that come are told.
func TestCoreGoesAwayMeanwhile(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3)
		r := h.join()
		h.say(1, 2)
		h.place.Leave()
		h.moved()
		if r.Ring.Head() != 3 || r.Ring.State() != ring.Open {
			t.Fatal("a reader that waits was let go")
		}
		h.place.FallSilent()
		h.moved()
		time.Sleep(2 * callTime)
		h.place.Return()
		h.moved()
		if r.Ring.Head() != 5 {
			t.Fatalf("it goes on with %d", r.Ring.Head())
		}
		r.Leave()
		synctest.Wait()
		h.place.Leave()
		var p *protocol.Problem
		if _, err := h.try(false, false); !errors.As(err, &p) || p.Code != protocol.CodeUnavailable {
			t.Fatal(err)
		}
		h.place.Return()
		h.join()
	})
}

// TestLogThatIsNoLog: a reader that finds a line which is none has the mirror look again, once.
func TestLogThatIsNoLog(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.append(store.Stretch{First: 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: []byte("no event\n")})
		r := h.join()
		lines, err := store.LinesOf(r.Log, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer lines.Close()
		if lines.Next() || lines.Err() == nil {
			t.Fatal("it is a line")
		}
		if !r.Doubt(t.Context(), lines.Err()) {
			t.Fatal("nobody looks again")
		}
		if again := h.join(); again.Ring == r.Ring {
			t.Error("it was not read anew")
		}
	})
}

// TestDoubtOfAnotherLog: a reader that doubts what was read anew since, or doubts at a mirror that is gone, joins again, and no other reader is disturbed.
func TestDoubtOfAnotherLog(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3)
		first, late := h.join(), h.join()
		var damage error = &store.DamageError{Seq: 2}
		if !first.Doubt(t.Context(), damage) {
			t.Fatal("nobody looks again")
		}
		again := h.join()
		doubted := late.Doubt(t.Context(), damage)
		if synctest.Wait(); !doubted || again.Ring.State() != ring.Open {
			t.Fatalf("a doubt of the log before has the ring %v", again.Ring.State())
		}
		frame, err := h.try(false, true)
		if err != nil {
			t.Fatal(err)
		}
		again.Leave()
		synctest.Wait() // nobody reads: the mirror has let the ring go
		if err := h.system.Root.StopFuture(h.mirror.PID()).Wait(); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if !frame.Doubt(ctx, damage) || time.Since(began) > 0 {
			t.Errorf("who doubts at a mirror that is gone waits for %v", time.Since(began))
		}
	})
}

// TestManyReaders: those that come at once are answered by one question to Core.
func TestManyReaders(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3)
		var asked atomic.Int64
		h.place.Disturb(func(op string) error {
			if op == "session" {
				asked.Add(1)
			}
			return nil
		}, nil)
		var all sync.WaitGroup
		errs := make(chan error, 100)
		for range 100 {
			all.Go(func() {
				r, err := h.try(false, false)
				if err == nil && r.Ring.Head() != 3 {
					err = fmt.Errorf("begins with %d", r.Ring.Head())
				}
				errs <- err
			})
		}
		all.Wait()
		close(errs)
		for err := range errs {
			if err != nil {
				t.Error(err)
			}
		}
		if n := asked.Load(); n > 3 {
			t.Errorf("Core was asked %d times", n)
		}
	})
}

// TestMirrorEnds: whoever waits for it is told.
func TestMirrorEnds(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3)
		r := h.join()
		h.place.FallSilent()
		h.moved()
		second := Start(h.system.Root, h.config())
		waits := make(chan error, 1)
		go func() {
			_, err := ask.Ask(context.Background(), second.Ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r} })
			waits <- err
		}()
		synctest.Wait()
		h.system.Root.Stop(second.PID())
		if err := <-waits; err == nil {
			t.Error("it was given a log")
		}
		if err := h.system.Root.StopFuture(h.mirror.PID()).Wait(); err != nil {
			t.Fatal(err)
		}
		if r.Ring.State() != ring.Retired {
			t.Error("its readers still wait")
		}
		if _, err := h.try(false, false); !errors.Is(err, ask.ErrGone) {
			t.Error(err)
		}
		h.place.Return()
		time.Sleep(2 * callTime)
	})
}

func (h *house) config() Config {
	return Config{ID: id, Core: h.place.Core(), Now: time.Now, Refused: func() error { return errRefused }, Told: noneTold}
}

// TestCursorAheadOfCore: a client that has more than Core does, from the session's own node, loses nothing of it: it waits until Core has come there.
//
// Proves: I16.4/read-ahead
func TestCursorAheadOfCore(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 5)
		r := h.join()
		ahead := protocol.Cursor{Epoch: 1, Seq: 7}
		if at, ok := r.Behind(ahead, r.Ring.Head()); !ok || at != 7 {
			t.Fatalf("the client is told to forget what it has: %d, %t", at, ok)
		}
		if frames, _, ok := r.Frames(7); !ok || len(frames) > 0 {
			t.Fatal("something is given that is not there")
		}
		h.say(1, 4)
		h.moved()
		if got := shown(t, r.Ring, 7); !bytes.Equal(got, h.part(7, 9)) {
			t.Fatalf("it goes on with %s", got)
		}
		if _, ok := r.Behind(protocol.Cursor{Epoch: 9, Seq: 1}, r.Ring.Head()); ok {
			t.Error("a cursor of another log is good")
		}
	})
}

// TestWhatWasToldBefore: a position that was told of an earlier reading, or that is late, is none of the log that was read since.
func TestWhatWasToldBefore(t *testing.T) {
	in(t, core.Record{}, func(t *testing.T, h *house) {
		h.say(1, 3)
		first := h.join()
		h.moved()
		old := h.at
		first.Leave()
		synctest.Wait()
		h.say(1, 4)
		r := h.join()
		synctest.Wait()
		if r.Ring.State() != ring.Open {
			t.Fatal("who comes back is let go at once, and again and again")
		}
		h.mirror.Moved(old)
		synctest.Wait()
		if r.Ring.State() != ring.Open || r.Ring.Head() != 7 {
			t.Fatal("a late word lets readers go")
		}
		h.say(1, 1)
		h.moved()
		if r.Ring.Head() != 8 {
			t.Fatal(r.Ring.Head())
		}
	})
}
