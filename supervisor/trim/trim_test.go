package trim_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// bench is a Trimmer on a disk that stops at a change until it is let go.
type bench struct {
	*trim.Trimmer
	disk *disktest.Disk
	told chan *session.Trimmed
	to   session.Ref
	stop string        // kind of the change; empty: none
	at   chan struct{} // it was come to
	goOn chan struct{}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{disk: disktest.New(), told: make(chan *session.Trimmed, 10), at: make(chan struct{}), goOn: make(chan struct{})}
	for _, id := range []string{"a", "b", "c"} {
		if err := b.disk.Mkdir(id); err != nil {
			t.Fatal(err)
		}
	}
	b.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
		if op.Kind == b.stop {
			b.stop = ""
			close(b.at)
			<-b.goOn
		}
		return nil
	})
	b.Trimmer = trim.New(func(id string) string { return id }, b.disk)
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	pid := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, is := c.Message().(*session.Trimmed); is {
			b.told <- m
		}
	}))
	b.to = ask.NewRef[session.Message](system.Root, pid)
	t.Cleanup(func() {
		if err := system.Root.StopFuture(pid).Wait(); err != nil {
			t.Error(err)
		}
		system.Shutdown()
	})
	return b
}

// logged is a log of which the oldest is an event.
func logged(t *testing.T, id string, oldest uint64) store.Log {
	t.Helper()
	w, err := new(memory.Store).Create(id)
	for i := 1; i <= 100 && err == nil; i++ {
		line := fmt.Sprintf(`{"seq":%d,"ts":1,"type":"status","state":"idle","agentStatus":"idle"}`, i)
		if i == 1 {
			line = fmt.Sprintf(`{"seq":1,"ts":1,"type":"session_start","sessionId":%q,"agentBackend":"scripted","metadata":{}}`, id)
		}
		err = w.Append(store.Batch{First: uint64(i), Count: 1, Lines: []byte(line + "\n")})
	}
	if err == nil {
		err = w.DropBefore(oldest)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.Log()
}

func (b *bench) want(t *testing.T, id string, oldest, upTo uint64) {
	t.Helper()
	b.Want(id, session.Trim{Log: logged(t, id, oldest), UpTo: upTo, Limits: &session.Limits{Remembered: 10}, To: b.to})
}

func (b *bench) snapshot(t *testing.T, id string) uint64 {
	t.Helper()
	s, err := record.ReadSnapshot(b.disk, id)
	if err != nil {
		t.Fatal(err)
	}
	return s.Seq
}

// TestTrimmer makes what is wanted, in turn, and says so once it is safe.
//
// Proves: I15.2/snapshot
func TestTrimmer(t *testing.T) {
	b := newBench(t)
	for n, id := range []string{"a", "b", "a", "c"} {
		upTo := uint64(10 + n)
		b.want(t, id, 1, upTo)
		if m := <-b.told; m.Err != nil || m.Seq != upTo || b.snapshot(t, id) != upTo {
			t.Fatalf("%s: %+v, and the snapshot tells of %d", id, m, b.snapshot(t, id))
		}
	}
	b.want(t, "a", 5, 7) // it tells of more than has gone: a daemon was killed in between
	if m := <-b.told; m.Err != nil || m.Seq != 12 {
		t.Errorf("of more than is to go: %+v", m)
	}
	b.want(t, "a", 13, 20)
	if m := <-b.told; m.Err != nil || m.Seq != 20 || b.snapshot(t, "a") != 20 {
		t.Errorf("on one before: %+v", m)
	}
	b.want(t, "a", 22, 30)
	if m := <-b.told; m.Err == nil || b.snapshot(t, "a") != 20 {
		t.Errorf("where an event is missing between: %+v", m)
	}
	b.want(t, "c", 1, 5) // nothing has gone: it is that of another log
	if m := <-b.told; m.Err != nil || m.Seq != 5 || b.snapshot(t, "c") != 5 {
		t.Errorf("of a whole log: %+v", m)
	}
	state := func(id string) []byte {
		t.Helper()
		s, err := record.ReadSnapshot(b.disk, id)
		if err != nil {
			t.Fatal(err)
		}
		return s.State
	}
	was := record.Snapshot{Seq: 9, State: bytes.Replace(state("c"), []byte(`"Seq":5`), []byte(`"Seq":9`), 1)}
	was.State = bytes.Replace(was.State, []byte(`"Time":1`), []byte(`"Time":7`), 1)
	if err := was.Write(b.disk, "c"); err != nil || !bytes.Contains(was.State, []byte(`"Time":7`)) {
		t.Fatal(err)
	}
	b.want(t, "c", 1, 9) // the same, and it ends with the same event
	if m := <-b.told; m.Err != nil || m.Seq != 9 || bytes.Equal(state("c"), was.State) {
		t.Errorf("of a whole log, beside the snapshot of another one: %+v\n%s", m, state("c"))
	}
	b.want(t, "b", 1, 101)
	if m := <-b.told; m.Err == nil || b.snapshot(t, "b") != 11 {
		t.Errorf("an event that there is not: %+v, and the snapshot tells of %d", m, b.snapshot(t, "b"))
	}
	b.Close()
}

// TestTrimmerForgets: when a session was forgotten nothing is written for it any more, and the others go on; also at the end.
//
// Proves: I15.2/snapshot
func TestTrimmerForgets(t *testing.T) {
	for _, all := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.stop = "sync"
			b.want(t, "a", 1, 10)
			<-b.at
			b.want(t, "b", 1, 20)
			b.want(t, "c", 1, 30)
			done := make(chan struct{})
			go func() {
				defer close(done)
				if b.Forget("b"); all {
					b.Close()
				} else {
					b.Forget("a")
				}
			}()
			synctest.Wait()
			select {
			case <-done:
				t.Fatal("it does not wait for what is being written")
			default:
			}
			close(b.goOn)
			<-done
			changes := b.disk.Count()
			if !all {
				if m := <-b.told; m.Err != nil || m.Seq != 30 {
					t.Errorf("of those that are not forgotten: %+v", m)
				}
				b.Close()
			} else if b.disk.Count() != changes {
				t.Error("something was written behind the end")
			}
			b.want(t, "b", 1, 20)
			synctest.Wait()
			if len(b.told) > 0 || b.snapshot(t, "b") != 0 {
				t.Errorf("what is forgotten, or comes behind the end, is made: %d", len(b.told))
			}
		})
	}
}
