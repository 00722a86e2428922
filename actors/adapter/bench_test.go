package adapter_test

import (
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/adapter"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"go.uber.org/zap"
)

// flood says n typical lines as fast as they are taken.
type flood struct {
	line string
	n    int
	left string
}

func (f *flood) Read(b []byte) (int, error) {
	if f.left == "" {
		if f.n == 0 {
			return 0, io.EOF
		}
		k := min(f.n, 64)
		f.left, f.n = strings.Repeat(f.line, k), f.n-k
	}
	n := copy(b, f.left)
	f.left = f.left[n:]
	return n, nil
}

func (f *flood) Output() io.Reader                 { return f }
func (f *flood) Input() io.WriteCloser             { return nowhere{} }
func (f *flood) Process() (adapters.Process, bool) { return adapters.Process{}, false }
func (f *flood) Wait() adapters.Exit               { return adapters.Exit{} }
func (*flood) EndOrphans(_, _ time.Time)           {}

func (f *flood) Stop(time.Duration) {}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }

// one drafts the same for every line.
type one struct{ words }

func (one) Line(_ []byte, out *adapters.Output) { out.Draft(adapters.Notice{Text: "x"}) }

// BenchmarkPort is a line's way from the agent's output to the session's mailbox and back, with and without an archive, for
// an agent that never pauses. The reference is the port without an archive.
func BenchmarkPort(b *testing.B) {
	const line = `{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":" some words of an answer, as long as a model's pieces are"}}` + "\n"
	run := func(b *testing.B, r *raw.Recorder) {
		system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
			return slog.New(slog.DiscardHandler)
		}), actor.WithDeadLetterThrottleCount(0))
		defer system.Shutdown()
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		var over sync.WaitGroup
		over.Add(1)
		ref := ask.NewRef[session.AdapterMessage](system.Root, system.Root.Spawn(adapter.Props(adapter.Config{
			Incarnation: 1, Conn: &flood{line: line, n: b.N}, Translator: one{}, Log: zap.NewNop(), Raw: r, Tokens: known(),
		})))
		pid := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if m, ok := batchOf(ctx.Message()); ok {
				ref.Send(&session.Confirm{Number: m.Number})
				if m.Exit != nil {
					over.Done()
				}
			}
		}))
		ref.Send(&session.Attach{Session: ask.NewRef[session.Message](system.Root, pid), Incarnation: 1})
		over.Wait()
	}
	b.Run("without archive", func(b *testing.B) { run(b, nil) })
	b.Run("with archive", func(b *testing.B) {
		a := raw.New(filepath.Join(b.TempDir(), "raw"), raw.Options{})
		run(b, a.Record(1, raw.Beginning{}))
		a.Close()
	})
}

// known are tokens that are looked for in each line.
func known() *secret.Tokens {
	t := &secret.Tokens{}
	t.Know(strings.Repeat("0123456789abcdef", 4))
	return t
}
