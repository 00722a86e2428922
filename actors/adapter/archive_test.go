package adapter_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/adapter"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"go.uber.org/zap"
)

// What goes over the connection is archived both ways, with the number of the batch that it made, in the order in which it
// went, and how the connection ended comes last.
// Proves: 002.9.3/local
func TestLinesAreArchived(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "raw")
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t) // for its system
		defer b.close()
		go io.Copy(io.Discard, b.conn.hear)
		archive := raw.New(dir, raw.Options{})
		c := newConn()
		go io.Copy(io.Discard, c.hear)
		pid := b.system.Root.Spawn(adapter.Props(adapter.Config{
			SessionID: "s1", Incarnation: 3, Conn: c, Translator: words{}, Log: zap.NewNop(), MaxLine: 100,
			Raw: archive.Record(3, raw.Beginning{}),
		}))
		ref := ask.NewRef[session.AdapterMessage](b.system.Root, pid)
		last := uint64(0)
		taker := b.system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if batch, ok := batchOf(ctx.Message()); ok {
				last = batch.Number
				ref.Send(&session.Confirm{Number: batch.Number})
			}
		}))
		ref.Send(&session.Attach{Session: ask.NewRef[session.Message](b.system.Root, taker), Incarnation: 3})
		synctest.Wait()
		fmt.Fprint(c.say, `{"type":"a"}`+"\n"+"b\n")
		synctest.Wait()
		ref.Send(&session.Tell{Command: adapters.Interrupt{}})
		synctest.Wait()
		fmt.Fprint(c.say, strings.Repeat("x", 200)+"\nc\n")
		synctest.Wait()
		c.mu.Lock()
		c.exit = adapters.Exit{Code: -1, Signal: "killed", Stderr: []string{"why"}}
		c.mu.Unlock()
		c.end()
		synctest.Wait()
		archive.Close()
		want := []string{
			`meta 0 {"event":"spawn"}`, "in 0 hello", `out 1 {"type":"a"}`, "out 1 b", "in 0 adapters.Interrupt",
			`note 0 {"event":"line_too_long","bytes":200}`, "out 2 c", "err 0 why", `meta 0 {"event":"exit","status":"signal: killed"}`,
		}
		rd, err := raw.Read(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for l, err := range rd.Lines() {
			got := fmt.Sprintf("%s %d %s", l.Dir, l.Batch, l.Native())
			if err != nil || n == len(want) || got != want[n] || l.Incarnation != 3 {
				t.Fatalf("record %d: %s, %v", n+1, got, err)
			}
			n++
		}
		if n != len(want) || last != 3 {
			t.Errorf("%d records of %d; the last batch is %d", n, len(want), last)
		}
	})
}

// Settings are passed on once, as prompts are, and a model is no mode.
func TestSettingsAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.close()
		b.attach(0)
		heard := make(chan []byte, 1)
		go func() {
			all, _ := io.ReadAll(b.conn.hear)
			heard <- all
		}()
		for range 2 {
			b.ref.Send(&session.Tell{Command: adapters.SetModel{ID: "s1"}})
			b.ref.Send(&session.Tell{Command: adapters.SetMode{ID: "s2"}})
			b.ref.Send(&session.Tell{Command: adapters.Prompt{ID: "s2"}})
		}
		synctest.Wait()
		b.conn.end()
		if got, want := string(<-heard), "hello\nadapters.SetModel\nadapters.SetMode\nadapters.Prompt\n"; got != want {
			t.Errorf("heard %q", got)
		}
	})
}
