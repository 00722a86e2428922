package supervisor_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// torrent is an agent that says one line again and again, as fast as a pipe of the system takes it; each is 120 bytes of an answer.
type torrent struct {
	scripted.Agent
	lines int
}

const torrentLine = `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"some text that an agent says, of the length that the figures of the design are about, a hundred and twenty bytes or so"}}` + "\n"

func (a torrent) Translator(spec adapters.Spec) adapters.Translator {
	return &torrential{Translator: a.Agent.Translator(spec), text: strings.Repeat("t", 120)}
}

func (a torrent) Start(context.Context, adapters.Launch) (adapters.Conn, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() { // ends with the lines, or with the reader
		chunk := strings.Repeat(torrentLine, 64)
		for n := 0; n < a.lines; n += 64 {
			if _, err := w.WriteString(chunk); err != nil {
				break
			}
		}
		_ = w.Close()
	}()
	return &torrentConn{Reader: r, pipe: r}, nil
}

type torrentConn struct {
	io.Reader
	pipe *os.File
}

func (c *torrentConn) Output() io.Reader           { return c.Reader }
func (c *torrentConn) Input() io.WriteCloser       { return c }
func (c *torrentConn) Write(b []byte) (int, error) { return len(b), nil }
func (c *torrentConn) Close() error                { return nil }
func (*torrentConn) EndOrphans(_, _ time.Time)     {}

func (c *torrentConn) Stop(time.Duration)                { _ = c.pipe.Close() }
func (c *torrentConn) Wait() adapters.Exit               { return adapters.Exit{} }
func (c *torrentConn) Process() (adapters.Process, bool) { return adapters.Process{}, false }

type torrential struct {
	adapters.Translator
	lines int
	text  string
}

func (t *torrential) Start(out *adapters.Output) {
	out.Draft(adapters.Ready{NativeSessionID: "n"})
	out.Draft(adapters.TurnBegan{})
	out.Draft(adapters.EntryOpened{Key: 1, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}})
}

func (t *torrential) Line(_ []byte, out *adapters.Output) {
	if t.lines++; t.lines%800 == 0 { // no text is longer than adapters.MaxText
		out.Draft(adapters.EntryChanged{Key: 1, Delta: &protocol.TextSet{Text: t.text}})
		return
	}
	out.Draft(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: t.text}})
}

// BenchmarkIngest is one agent that floods, through pipe, translator, session and journal to the readers' view, per durability. The
// reference is os; -1 raw archive is without native lines being kept.
func BenchmarkIngest(b *testing.B) {
	for _, mode := range []supervisor.Durability{supervisor.DurableOS, supervisor.DurableInterval, supervisor.DurableAlways} {
		b.Run(string(mode), func(b *testing.B) {
			agent := torrent{lines: b.N}
			root := b.TempDir()
			sup, err := supervisor.Start(b.Context(), supervisor.Config{
				Data: b.TempDir(), Roots: []string{root}, Durability: mode, Agents: []adapters.Agent{agent}, Transport: agent,
			})
			if err != nil {
				b.Fatal(err)
			}
			syncs := 0
			b.ResetTimer()
			s, err := sup.Create(b.Context(), supervisor.NewSession{Agent: "scripted", Cwd: root})
			if err != nil {
				b.Fatal(err)
			}
			r := join(b, sup, s.ID)
			for at := uint64(0); at < uint64(b.N); syncs++ {
				if err := r.Ring.Wait(b.Context(), at); err != nil {
					b.Fatal(err)
				}
				at = r.Ring.Head()
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(b.N)/float64(syncs), "events/wakeup")
			r.Leave()
			if err := errors.Join(sup.Close(context.WithoutCancel(b.Context()))); err != nil {
				b.Fatal(err)
			}
		})
	}
}
