package adapter_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/adapter"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"go.uber.org/zap"
)

// conn is an agent at the other end of two pipes, which hold nothing: what is not read blocks the agent.
type conn struct {
	out  *io.PipeReader
	say  *io.PipeWriter
	in   *io.PipeWriter
	hear *io.PipeReader

	mu    sync.Mutex
	exit  adapters.Exit
	turns [][2]time.Time // whose orphans were ended
}

func newConn() *conn {
	c := &conn{}
	c.out, c.say = io.Pipe()
	c.hear, c.in = io.Pipe()
	return c
}

func (c *conn) Output() io.Reader                 { return c.out }
func (c *conn) Input() io.WriteCloser             { return c.in }
func (c *conn) Process() (adapters.Process, bool) { return adapters.Process{}, false }
func (c *conn) Wait() adapters.Exit               { c.mu.Lock(); defer c.mu.Unlock(); return c.exit }

func (c *conn) EndOrphans(since, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns = append(c.turns, [2]time.Time{since, until})
}

func (c *conn) Stop(time.Duration) {
	c.mu.Lock()
	c.exit.Requested = true
	c.mu.Unlock()
	c.end()
}

func (c *conn) end() {
	c.say.Close()
	c.hear.Close()
}

// words says every line as a notice and every command as a line. "panic" is what it cannot bear, "many" becomes more than an Output
// takes.
type words struct{}

func (words) Start(out *adapters.Output) { out.Line([]byte("hello")) }
func (words) Line(line []byte, out *adapters.Output) {
	if string(line) == "panic" {
		panic("as asked")
	}
	if string(line) == "many" {
		for range adapters.MaxDrafts + 7 {
			out.Draft(adapters.Notice{Text: "one of many"})
		}
		return
	}
	out.Draft(adapters.Notice{Text: string(line)})
}

func (words) Command(c adapters.Command, out *adapters.Output) {
	if p, ok := c.(adapters.Prompt); ok && p.Text == "panic" {
		panic("as asked")
	}
	out.Line([]byte(fmt.Sprintf("%T", c)))
}
func (words) Sent([]byte, *adapters.Output)              {}
func (words) Exit(_ adapters.Exit, out *adapters.Output) { out.Draft(adapters.Notice{Text: "bye"}) }

// bench is an adapter with a session that takes notes and confirms when it is told to.
type bench struct {
	t      *testing.T
	system *actor.ActorSystem
	conn   *conn
	ref    session.AdapterRef
	pid    *actor.PID

	mu      sync.Mutex
	batches []*session.Batch
	ended   bool

	quarantine bool
}

func newBench(t *testing.T) *bench { return newPacedBench(t, nil) }

func newPacedBench(t *testing.T, speaker *pace.Speaker) *bench {
	b := &bench{t: t, conn: newConn()}
	b.system = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}), actor.WithDeadLetterThrottleCount(0))
	b.pid = b.system.Root.Spawn(adapter.Props(adapter.Config{
		SessionID: "s1", Incarnation: 1, Conn: b.conn, Translator: words{}, Log: zap.NewNop(), MaxLine: 1 << 10, Pace: speaker,
	}))
	b.ref = ask.NewRef[session.AdapterMessage](b.system.Root, b.pid)
	return b
}

// attach gives the adapter a new session.
func (b *bench) attach(confirmed uint64) {
	pid := b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		if batch, ok := batchOf(ctx.Message()); ok {
			b.mu.Lock()
			b.batches = append(b.batches, batch)
			b.ended = b.ended || batch.Exit != nil
			b.mu.Unlock()
		}
	}))
	b.ref.Send(&session.Attach{
		Session: ask.NewRef[session.Message](b.system.Root, pid), Incarnation: 1, Confirmed: confirmed, Quarantine: b.quarantine,
	})
	synctest.Wait()
}

// take gives what came since the last time.
func (b *bench) take() (texts []string, last uint64, exit *adapters.Exit) {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, batch := range b.batches {
		if batch.Number != last+1 && last != 0 {
			b.t.Errorf("batch %d follows %d", batch.Number, last)
		}
		last, exit = batch.Number, batch.Exit
		for _, d := range batch.Drafts {
			texts = append(texts, d.(adapters.Notice).Text)
		}
	}
	b.batches = nil
	return texts, last, exit
}

func (b *bench) confirm(n uint64) {
	b.ref.Send(&session.Confirm{Number: n})
	synctest.Wait()
}

func (b *bench) close() {
	b.conn.end()
	synctest.Wait()
	b.confirm(1 << 40)
	time.Sleep(2 * time.Second) // of the bubble: the engine's dead-letter throttle ends
	b.system.Shutdown()
}

// hear reads a line of what the agent hears.
func (b *bench) hear(r *bufio.Reader) string {
	b.t.Helper()
	s, err := r.ReadString('\n')
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.TrimSpace(s)
}

func TestWindowStopsTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		const lines = 4000
		said := make(chan int, 1)
		var n int
		go func() {
			for n < lines {
				if _, err := fmt.Fprintf(b.conn.say, "line %d\n", n); err != nil {
					break
				}
				n++
			}
			said <- n
		}()
		texts, last, _ := b.take()
		synctest.Wait() // everybody is blocked: n does not change
		if n > 1200 || len(texts) != n {
			t.Fatalf("%d lines said, %d taken, nothing confirmed", n, len(texts))
		}
		for len(texts) < lines {
			b.confirm(last)
			var more []string
			if more, last, _ = b.take(); len(more) == 0 {
				t.Fatalf("stuck at %d lines", len(texts))
			}
			texts = append(texts, more...)
		}
		for i, s := range texts {
			if s != fmt.Sprintf("line %d", i) {
				t.Fatalf("line %d is %q", i, s)
			}
		}
		if <-said != lines {
			t.Fatal("the agent was cut off")
		}
	})
}

func TestNewSessionGetsWhatWasNotConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		for i := range 5 {
			fmt.Fprintf(b.conn.say, "line %d\n", i)
			synctest.Wait()
		}
		if texts, _, _ := b.take(); len(texts) > 0 {
			t.Fatalf("sent to nobody: %v", texts)
		}
		b.attach(0)
		if texts, last, _ := b.take(); len(texts) != 5 || last != 5 {
			t.Fatalf("%v, last %d", texts, last)
		}
		b.attach(3)
		if texts, _, _ := b.take(); fmt.Sprint(texts) != "[line 3 line 4]" {
			t.Fatalf("%v", texts)
		}
	})
}

func TestOrphansOfATurnUntilNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		time.Sleep(time.Minute)
		b.ref.Send(&session.EndOrphans{Turn: 7 * time.Second})
		synctest.Wait()
		now := time.Now()
		if want := [][2]time.Time{{now.Add(-7 * time.Second), now}}; !slices.Equal(b.conn.turns, want) {
			t.Errorf("%v, want %v", b.conn.turns, want)
		}
	})
}

// Proves: 002.7.3/seq, O2, C17
func TestExitComesLastAndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		b.conn.mu.Lock()
		b.conn.exit = adapters.Exit{Code: 7}
		b.conn.mu.Unlock()
		fmt.Fprint(b.conn.say, "whole\nhalf")
		b.conn.end()
		texts, _, exit := b.take()
		if fmt.Sprint(texts) != "[whole half bye]" || exit == nil || exit.Code != 7 || exit.Requested {
			t.Fatalf("%v, %+v", texts, exit)
		}
	})
}

func TestPanicOfATranslatorEndsItsAgentOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		fmt.Fprint(b.conn.say, "fine\npanic\n")
		texts, _, exit := b.take()
		if fmt.Sprint(texts) != "[fine bye]" || exit == nil || exit.Clean() {
			t.Fatalf("%v, %+v", texts, exit)
		}
	})
}

// TestAgentEndedByAFaultOfOurs: nobody asked for that end, so it must not look as if somebody had.
func TestAgentEndedByAFaultOfOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		b.ref.Send(&session.Tell{Command: adapters.Prompt{ID: "p1", Text: "panic"}})
		_, _, exit := b.take()
		if exit == nil || exit.Requested || !strings.Contains(exit.Error, "translator") {
			t.Fatalf("%+v", exit)
		}
	})
}

// TestStopWithAFullWindow: the session is gone for good, and the reader waits for room.
func TestStopWithAFullWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		go io.Copy(io.Discard, b.conn.hear)
		go func() {
			for {
				if _, err := fmt.Fprintln(b.conn.say, "flood"); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		b.ref.Send(&session.StopAgent{})
		synctest.Wait()
		if err := b.system.Root.StopFuture(b.pid).Wait(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the bubble fails when the reader or the writer is left
		time.Sleep(2 * time.Second)
		b.system.Shutdown()
	})
}

// TestNewSessionOfAnAgentThatHasEnded: the exit was taken by the session's actor that was lost, the new one must hear of it.
func TestNewSessionOfAnAgentThatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		ask.AnswerDeadLetters(b.system, nil)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		b.conn.end()
		_, last, exit := b.take()
		if exit == nil {
			t.Fatal("no exit")
		}
		for _, when := range []string{"as its last message", "when it is gone"} {
			b.attach(last)
			if _, n, exit := b.take(); exit == nil || n != last+1 {
				t.Fatalf("%s: batch %d, exit %+v", when, n, exit)
			}
		}
	})
}

func TestQuarantine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		for _, s := range []string{"fine", "poison", "after"} {
			fmt.Fprintln(b.conn.say, s)
			synctest.Wait()
		}
		b.quarantine = true
		b.attach(1)
		if texts, last, _ := b.take(); len(texts) != 2 || !strings.Contains(texts[0], "left out") || texts[1] != "after" || last != 3 {
			t.Fatalf("%q", texts)
		}
	})
}

func TestLineOverTheLimitIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		fmt.Fprint(b.conn.say, strings.Repeat("x", 5000)+"\nafter\n")
		texts, _, _ := b.take()
		if len(texts) != 2 || !strings.Contains(texts[0], "5000 bytes") || texts[1] != "after" {
			t.Fatalf("%q", texts)
		}
	})
}

// TestLineThatSaysTooMuch: what a line becomes is bounded, the log says what is missing, and the next line is whole.
func TestLineThatSaysTooMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		b.attach(0)
		fmt.Fprint(b.conn.say, "many\nafter\n")
		texts, last, _ := b.take()
		b.confirm(last)
		more, _, _ := b.take()
		texts = append(texts, more...)
		if n := adapters.MaxDrafts; len(texts) != n+2 || texts[n-1] != "one of many" || !strings.Contains(texts[n], ": 7 parts") || texts[n+1] != "after" {
			t.Fatalf("%d drafts, the last ones %q", len(texts), texts[max(0, len(texts)-3):])
		}
	})
}

func TestPromptIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.attach(0)
		for range 3 {
			b.ref.Send(&session.Tell{Command: adapters.Prompt{ID: "p1", Text: "hi"}})
		}
		b.ref.Send(&session.Tell{Command: adapters.Interrupt{}})
		r := bufio.NewReader(b.conn.hear)
		for _, want := range []string{"hello", "adapters.Prompt", "adapters.Interrupt"} {
			if got := b.hear(r); got != want {
				t.Fatalf("the agent heard %q, not %q", got, want)
			}
		}
		go io.Copy(io.Discard, r)
	})
}

func TestAgentThatDoesNotListenBlocksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.attach(0)
		for i := range 100 {
			b.ref.Send(&session.Tell{Command: adapters.Prompt{ID: fmt.Sprint(i), Text: "hi"}})
		}
		fmt.Fprint(b.conn.say, "still here\n")
		if texts, _, _ := b.take(); fmt.Sprint(texts) != "[still here]" {
			t.Fatalf("%v", texts)
		}
	})
}

// TestPromptWhoseImageIsGone: the agent does not get half a prompt, and the session hears why it got none.
func TestPromptWhoseImageIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.attach(0)
		b.ref.Send(&session.Tell{Command: adapters.Prompt{ID: "p1", Text: "look", Images: []adapters.Image{
			{Ref: "sha256:" + strings.Repeat("0", 64) + ";image/png"},
		}}})
		b.ref.Send(&session.Tell{Command: adapters.Interrupt{}})
		r := bufio.NewReader(b.conn.hear)
		for _, want := range []string{"hello", "adapters.Interrupt"} {
			if got := b.hear(r); got != want {
				t.Fatalf("the agent heard %q, not %q", got, want)
			}
		}
		go io.Copy(io.Discard, r)
		synctest.Wait()
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.batches) != 1 || len(b.batches[0].Drafts) != 1 {
			t.Fatalf("%d batches", len(b.batches))
		}
		if a, ok := b.batches[0].Drafts[0].(adapters.PromptAnswered); !ok || a.ID != "p1" || a.Result != adapters.PromptRefused || a.Error == "" {
			t.Fatalf("%+v", b.batches[0].Drafts[0])
		}
		b.batches = nil
	})
}

// batchOf is the batch that a session is sent.
func batchOf(m any) (*session.Batch, bool) {
	said, ok := m.(*session.Said)
	if !ok {
		return nil, false
	}
	b, ok := said.Input.(*session.Batch)
	return b, ok
}
