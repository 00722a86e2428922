package session

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
	"golang.org/x/sys/unix"
)

// silent is a supervisor that does nothing.
type silent struct{}

func (silent) StartAgent(string, StartAgent)                  {}
func (silent) CancelStart(string, uint32)                     {}
func (silent) HastenStart(string)                             {}
func (silent) AdoptChild(string, AdoptChild)                  {}
func (silent) ToRoot(string, ChildMessage)                    {}
func (silent) ToSession(_ string, m Message)                  { ask.Undelivered(m) }
func (silent) Offers(string, Offers)                          {}
func (silent) Announce(Summary)                               {}
func (silent) Sync(string, store.Writer, uint64, Ref)         {}
func (silent) Reopen(string, uint64)                          {}
func (silent) Checkpoint(string, store.Place, []byte)         {}
func (silent) Trim(string, Trim)                              {}
func (silent) Trimmed(string, uint64, int64, error)           {}
func (silent) Shown(string, store.Log, uint64, bool)          {}
func (silent) Appended(string, store.Writer, Ref, int, error) {}

func benchSystem(b testing.TB) *actor.ActorSystem {
	sys := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}))
	b.Cleanup(sys.Shutdown)
	return sys
}

// benchSession is a session at work on an answer, with entry 1 open.
func benchSession(b testing.TB, sys *actor.ActorSystem) Ref {
	dir := b.TempDir()
	pid := sys.Root.Spawn(Props(Config{
		ID: "s1", Host: silent{}, Limits: testLimits(), RingBytes: 1 << 20, Now: time.Now, Log: zap.NewNop(),
		Open: func(Replay) (store.Writer, store.Recovery, error) {
			j, err := journal.Create(dir+"/s1", journal.Options{})
			return j, store.Recovery{}, err
		},
		First: func(store.Recovery) Input { return &Begin{Agent: "pi", Start: true} },
	}))
	b.Cleanup(func() {
		if err := sys.Root.StopFuture(pid).Wait(); err != nil {
			b.Error(err)
		}
	})
	ref := ask.NewRef[Message](sys.Root, pid)
	ref.Send(Say(&Batch{Incarnation: 1, Number: 1, Drafts: []adapters.Draft{
		adapters.Ready{NativeSessionID: "n"}, adapters.TurnBegan{}, text(1),
	}}))
	return ref
}

// deltas are n pieces of an answer. The first sets the text anew now and then, as texts are: none is longer than
// adapters.MaxText.
func deltas(n int, anew bool) []adapters.Draft {
	list := make([]adapters.Draft, n)
	for i := range list {
		list[i] = adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: strings.Repeat("t", 120)}}
	}
	if anew {
		list[0] = adapters.EntryChanged{Key: 1, Delta: &protocol.TextSet{Text: strings.Repeat("t", 120)}}
	}
	return list
}

func head(b testing.TB, ref Ref) uint64 {
	d, err := ask.Ask(context.Background(), ref, func(r ask.Reply[Description]) Message { return &Describe{r} })
	if err != nil {
		b.Fatal(err)
	}
	return d.Seq
}

// BenchmarkAppend compares the session actor (mailbox, core, ring, journal) with the least that has to be done by anybody: a
// lock around encoding, ring and journal. Read the ratio of the two rows of one size.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("mutex/batch=%d", size), func(b *testing.B) {
			j, err := journal.Create(b.TempDir()+"/s1", journal.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			r := ring.New(1, 0, 1<<20)
			var mu sync.Mutex
			var lines []byte
			drafts := deltas(size, false)
			events := make([]protocol.Event, size)
			b.ReportAllocs()
			for b.Loop() {
				mu.Lock()
				now := time.Now().UnixMilli()
				for i, d := range drafts {
					events[i] = protocol.Event{
						Seq: r.Next() + uint64(i), Time: now,
						Payload: &protocol.EntryDelta{EntryID: "e1", Delta: d.(adapters.EntryChanged).Delta},
					}
				}
				first := r.Next()
				lines = r.Append(lines[:0], events)
				if err := j.Append(store.Batch{First: first, Count: size, Lines: lines, Time: now}); err != nil {
					b.Fatal(err)
				}
				r.Publish(r.Next() - 1)
				mu.Unlock()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/event")
		})
		b.Run(fmt.Sprintf("actor/batch=%d", size), func(b *testing.B) {
			ref := benchSession(b, benchSystem(b))
			drafts, anew := deltas(size, false), deltas(size, true)
			every := uint64(adapters.MaxText / (120 * size))
			number := uint64(1)
			b.ReportAllocs()
			for b.Loop() {
				number++
				batch := drafts
				if number%every == 0 {
					batch = anew
				}
				ref.Send(Say(&Batch{Incarnation: 1, Number: number, Drafts: batch}))
				if number%8 == 0 { // the adapter's window: never more than a few batches under way
					head(b, ref)
				}
			}
			if got := head(b, ref); got < (number-1)*uint64(size) {
				b.Fatalf("%d events", got)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/event")
		})
	}
}

// BenchmarkReaders measures what readers cost the session actor: the processor time of its own thread per event, with 10 and with
// 10,000 of them. The wall clock would measure the readers, who want the same processors.
func BenchmarkReaders(b *testing.B) {
	for _, readers := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			const size = 16
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			r := ring.New(1, 0, 1<<20)
			ctx, cancel := context.WithCancel(b.Context())
			var wg sync.WaitGroup
			for range readers {
				wg.Go(func() {
					var since uint64
					for r.Wait(ctx, since) == nil {
						for {
							f, last, ok := r.Frames(since)
							if !ok {
								last = r.Head()
							} else if len(f) == 0 {
								break
							}
							since = last
						}
					}
				})
			}
			events := make([]protocol.Event, size)
			var lines []byte
			var spent time.Duration
			for b.Loop() {
				for i := range events {
					events[i] = protocol.Event{Seq: r.Next() + uint64(i), Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: "0123456789"}}}
				}
				runtime.Gosched()
				from := threadTime(b)
				lines = r.Append(lines[:0], events)
				r.Publish(r.Next() - 1)
				spent += threadTime(b) - from
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N*size), "writer-ns/event")
			cancel()
			wg.Wait()
		})
	}
}

// threadTime is the processor time that this thread has used.
func threadTime(b *testing.B) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		b.Skip("the system does not tell the processor time of a thread")
	}
	return time.Duration(ts.Nano())
}

// BenchmarkIdle measures the heap of a session that does nothing.
func BenchmarkIdle(b *testing.B) {
	const sessions = 1000
	sys := benchSystem(b)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		goroutines := runtime.NumGoroutine()
		refs := make([]Ref, sessions)
		for i := range refs {
			refs[i] = benchSession(b, sys)
			refs[i].Send(Say(&Batch{Incarnation: 1, Number: 2, Drafts: []adapters.Draft{
				adapters.EntryClosed{Key: 1}, adapters.TurnEnded{Status: protocol.TurnCompleted},
			}}))
			head(b, refs[i])
			refs[i].Send(&Rest{})
			head(b, refs[i])
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/sessions, "B/session")
		b.ReportMetric(float64(runtime.NumGoroutine()-goroutines)/sessions, "goroutines/session")
		runtime.KeepAlive(refs)
	}
}
